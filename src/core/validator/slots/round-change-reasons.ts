/** Reasons to leave round 0 of a slot: derived, disclosed, awaited and applied (protocol 3.2). */
import type { Address, Round } from "../../base/ids.ts";
import { type EquivocationProof, isSpending, type SignedOperation } from "../../base/operation.ts";
import { type Slot, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { changeRound } from "../../consensus/round-change.ts";
import { accountOf } from "../../ledger/state.ts";
import { charge, submissionSize } from "../mempool/budget.ts";
import { addPending, candidatesFor, pendingOf, setDisclosed } from "../mempool/pending.ts";
import type { Peer, Reason, SlotReason } from "../message.ts";
import { isBeyondNext, nextSlot } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, type StepContext, setTimer } from "../step-context.ts";
import { requestMissing } from "../sync/requests.ts";
import { isAuthentic } from "./content-check.ts";
import { receiveContent } from "./contents.ts";
import { evidenceKey, isPaying, operationsIn } from "./reason-check.ts";
import { onSlot, reasonsOf } from "./slots.ts";

const MARK_OF = {
  cancellation: "round change by cancellation",
  equivocation: "round change by equivocation proof",
  burn: "round change by due burn",
} as const;

/** Order in which reasons of one slot are applied and disclosed: those without a wait come first. */
const PRECEDENCE = ["cancellation", "burn", "equivocation"] as const satisfies readonly SlotReason["kind"][];

/** Stores and applies a reason that came with a round change or from a client (protocol 3.2). */
export function receiveReason(context: StepContext, slot: Slot, reason: SlotReason, from: Peer): void {
  if (!areOf(context, slot, operationsIn(reason))) return;
  if (reason.kind !== "burn") {
    noteReason(context, slot, reason);
    return;
  }
  if (reason.content.value.type !== "burn") return;
  const content = receiveContent(context, from, slot, reason.content);
  if (content !== undefined) noteReason(context, slot, { ...reason, content });
}

/**
 * Handles a reason without a round change. It opens no record unless it counts, so that no sender fills memory with
 * reasons that open no round; senders repeat it.
 */
export function receiveDisclosedReason(context: StepContext, from: Peer, slot: Slot, reason: SlotReason): void {
  const { state } = context;
  if (isBeyondNext(state, slot)) requestMissing(context, from, slot);
  else if (state.environment.rules.validator.isReasonValid(state, slot, reason))
    receiveReason(context, slot, reason, from);
}

/** Returns true if the slot's owner signed all of these: a forged operation must not block a true reason. */
function areOf({ state }: StepContext, slot: Slot, operations: readonly SignedOperation[]): boolean {
  if (slot.kind !== "account") return false;
  return operations.every((signed) => signed.sender === slot.address && isAuthentic(state.environment, signed));
}

function noteReason(context: StepContext, slot: Slot, reason: SlotReason): void {
  const { state } = context;
  if (!keepReason(context, slot, reason)) return;
  if (reason.kind === "cancellation" && state.environment.rules.validator.isReasonValid(state, slot, reason))
    storeCancellationPair(context, reason);
  applyReasons(context, slot);
}

/**
 * Stores a reason within the budget of the peer that showed it or what it follows from. Returns false without room. A
 * proposer may use it from now on, so no client is told that its operations were disclosed to nobody (protocol 4.2).
 */
function keepReason(context: StepContext, slot: Slot, reason: SlotReason): boolean {
  const { state } = context;
  const key = slotKey(slot);
  if (!state.slots.reasons.has(key) && !charge(context, { of: "reason", slot: key }, sizeOf(reason))) return false;
  storeReason(state, slot, reason);
  setDisclosed(context, operationsIn(reason));
  return true;
}

/** Returns the size of a reason: its operations, and the record that it opens once it counts. */
function sizeOf(reason: SlotReason): number {
  return operationsIn(reason).reduce((sum, signed) => sum + submissionSize(signed), 1);
}

/** Makes a cancellation and the operation it displaces pending here: a proposer needs both for the skip. */
export function storeCancellationPair(
  context: StepContext,
  { cancellation, displaced }: Extract<Reason, { kind: "cancellation" }>,
): void {
  // The displaced operation first: a cancellation of an operation that is kept here needs no room.
  addPending(context, displaced, { disclosed: true, isEntry: false });
  addPending(context, cancellation, { disclosed: true, isEntry: false });
}

/**
 * Keeps a reason of a slot beside those of other kinds. A valid one of its kind stays, unless only the new one pays: the
 * owner must not evade a fee by what else it signed (protocol 4.4).
 */
export function storeReason(state: ValidatorState, slot: Slot, reason: SlotReason): void {
  const known = reasonsOf(state, slot);
  const same = known.find(({ kind }) => kind === reason.kind);
  const { isReasonValid } = state.environment.rules.validator;
  const isBetter = (other: SlotReason): boolean =>
    isReasonValid(state, slot, reason) && isPaying(state, reason) && !isPaying(state, other);
  if (same !== undefined && isReasonValid(state, slot, same) && !isBetter(same)) return;
  const kept = PRECEDENCE.flatMap((kind) =>
    kind === reason.kind ? reason : (known.find((one) => one.kind === kind) ?? []),
  );
  state.slots.reasons.set(slotKey(slot), kept);
}

/**
 * Leaves round 0 if a reason of the slot is valid and has waited long enough; else sets the timer for that. A proof
 * also serves the proposers of later rounds.
 */
export function applyReasons(context: StepContext, slot: Slot): void {
  const { state } = context;
  const { isReasonValid: reasonCounts, effectiveAt: ripeAt } = state.environment.rules.validator;
  const reasons = reasonsOf(state, slot);
  for (const reason of reasons) if (reason.kind === "equivocation") noteEvidence(context, reason);
  const current = slotState(state, slot);
  if (current.round > 0 || current.decided !== undefined) return;
  for (const reason of reasons) {
    if (!reasonCounts(state, slot, reason)) continue;
    const at = ripeAt(state, context.at, slot, reason);
    if (at <= context.at) {
      leave(context, slot, reason);
      return;
    }
    if (reason.kind === "equivocation" && at !== Number.POSITIVE_INFINITY)
      setTimer(context, `evidence ${reason.proof.first.sender}`, at - context.at);
  }
}

function leave(context: StepContext, slot: Slot, reason: SlotReason): void {
  coverage(context, MARK_OF[reason.kind]);
  if (reason.kind === "cancellation") storeCancellationPair(context, reason);
  onSlot(context, slot, context.state.environment.self, changeRound, 1 as Round, "reason");
}

/**
 * Derives reasons from the operations known for an account's next nonce, pending ones and the one that this validator
 * voted for: a cancellation with its operation, or two conflicting ones.
 */
export function deriveReasons(context: StepContext, address: Address): void {
  const { state } = context;
  if (pendingOf(state, address).length === 0) return;
  const { nonce } = accountOf(state.ledger, address);
  const { operations: pending, cancellation } = candidatesFor(state, address, nonce);
  const slot = nextSlot(state, address);
  const voted = votedFor(state, slot);
  const known = voted === undefined || pending.includes(voted) ? pending : [...pending, voted];
  if (known.length === 1 && cancellation === undefined) return;
  // One digest may be read as two kinds, of which only one moves a token and pays: that one first.
  const operations = spendingFirst(known);
  const [first] = operations;
  if (first === undefined) return;
  if (cancellation !== undefined) {
    sendReason(context, slot, { kind: "cancellation", cancellation, displaced: first });
    return;
  }
  const pair = conflict(state, operations);
  if (pair !== undefined) sendReason(context, slot, { kind: "equivocation", proof: pair });
}

/** Returns the operation of the owner for which this validator voted in round 0: its budget holds it as long as the slot. */
function votedFor(state: ValidatorState, slot: Slot): SignedOperation | undefined {
  const [cast] = slotState(state, slot).votes;
  const content = cast === undefined ? undefined : state.slots.contents.get(cast.value);
  return content?.value.type === "operation" ? content.operations[0] : undefined;
}

function spendingFirst(operations: readonly SignedOperation[]): readonly SignedOperation[] {
  const isMoving = ({ operation }: SignedOperation): boolean => isSpending(operation);
  return [...operations.filter(isMoving), ...operations.filter((signed) => !isMoving(signed))];
}

/** Returns two conflicting operations: the first that conflicts with a later one, and that one. */
function conflict(state: ValidatorState, operations: readonly SignedOperation[]): EquivocationProof | undefined {
  const { isEquivocation } = state.environment.rules.ledger;
  for (const [at, first] of operations.entries()) {
    const second = operations.slice(at + 1).find((other) => isEquivocation(first, other));
    if (second !== undefined) return { first, second };
  }
  return undefined;
}

function sendReason(context: StepContext, slot: Slot, reason: SlotReason): void {
  if (keepReason(context, slot, reason)) applyReasons(context, slot);
}

/**
 * Notes when an equivocation proof of the next nonce was first known here: its wait is by this validator's own clock.
 * What is no proof starts no wait; proofs of later nonces have no bound.
 */
export function noteEvidence(context: StepContext, { proof: { first, second } }: EquivocationReason): void {
  const { state } = context;
  const { nonce } = first.operation;
  const key = evidenceKey(first.sender, nonce);
  if (nonce !== accountOf(state.ledger, first.sender).nonce || state.slots.evidence.has(key)) return;
  if (!state.environment.rules.ledger.isEquivocation(first, second)) return;
  state.slots.evidence.set(key, context.at);
  coverage(context, "proof formed");
}

type EquivocationReason = Extract<Reason, { kind: "equivocation" }>;

/** Returns the votes of round 0 that this validator holds: one for another value is a reason for a burn (protocol 3.2). */
export function votesOf(state: ValidatorState, slot: Slot): readonly Vote[] {
  const { epoch, ballots } = slotState(state, slot);
  const votes: Vote[] = [];
  for (const { type, round, value, seals } of ballots) {
    if (type !== "vote") continue;
    for (const { signer, signature } of seals) votes.push({ type, epoch, slot, round, value, signer, signature });
  }
  return votes;
}
