/** Reasons to leave round 0 of a slot: derived, disclosed, awaited and applied (protocol 3.2). */
import type { Address, Round } from "../../base/ids.ts";
import { type EquivocationProof, isRecovery, type SignedOperation } from "../../base/operation.ts";
import { type Slot, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { changeRound } from "../../consensus/round-change.ts";
import { accountOf } from "../../ledger/state.ts";
import { EVIDENCE_MS } from "../limits.ts";
import { charge, submissionSize } from "../mempool/budget.ts";
import { addPending, pendingFor, pendingOf, setDisclosed } from "../mempool/pending.ts";
import type { Peer, Reason, SlotReason } from "../message.ts";
import { isBeyondNext, nextSlot } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, type StepContext } from "../step-context.ts";
import { requestMissing } from "../sync/sync.ts";
import { type Timer, timerName } from "../timer.ts";
import { isAuthentic } from "./content-check.ts";
import { isPaying, operationsIn, reasonsOf } from "./reason-check.ts";
import { resetTimer } from "./slot-timers.ts";
import { onSlot, receiveContent } from "./slots.ts";

const MARK_OF = {
  cancellation: "round change by cancellation",
  equivocation: "round change by equivocation proof",
  burn: "round change by due burn",
} as const;

/** Order in which reasons of one slot are applied and disclosed: those without a wait come first. */
const PRECEDENCE = ["cancellation", "burn", "equivocation"] as const satisfies readonly SlotReason["kind"][];

/**
 * Keeps and applies a reason that came from a peer or a client, if it counts now: none fills memory, and senders repeat it
 * (protocol 3.2). `isActedOn`: a member has left round 0 for it.
 */
export function receiveReason(
  context: StepContext,
  slot: Slot,
  reason: SlotReason,
  from: Peer,
  isActedOn: boolean,
): void {
  const { state } = context;
  if (!state.environment.rules.validator.isReasonValid(state, slot, reason)) return;
  if (!areSignedByOwner(context, slot, operationsIn(reason))) return;
  if (reason.kind !== "burn") {
    noteReason(context, slot, reason, isActedOn);
    return;
  }
  const content = receiveContent(context, from, slot, reason.content);
  if (content !== undefined) noteReason(context, slot, { ...reason, content }, isActedOn);
}

/** Handles a reason without a round change. */
export function receiveDisclosedReason(context: StepContext, from: Peer, slot: Slot, reason: SlotReason): void {
  if (isBeyondNext(context.state, slot)) requestMissing(context, from, slot);
  else receiveReason(context, slot, reason, from, false);
}

/** Returns true if the slot's owner signed all of these: a forged operation must not block a true reason. */
function areSignedByOwner({ state }: StepContext, slot: Slot, operations: readonly SignedOperation[]): boolean {
  if (slot.kind !== "account") return false;
  return operations.every((signed) => signed.sender === slot.address && isAuthentic(state.environment, signed));
}

/**
 * Keeps a reason that counts, within the budget of the peer that showed it or what it follows from, and applies it. A
 * proposer may use it from now on, so no client is told that its operations were disclosed to nobody (protocol 4.2).
 */
export function noteReason(context: StepContext, slot: Slot, reason: SlotReason, isActedOn = false): void {
  const { state } = context;
  const key = slotKey(slot);
  if (!state.environment.rules.validator.isReasonValid(state, slot, reason)) return;
  if (isNews(state, slot, reason)) {
    // Its operations, and the record that it opens once it counts.
    const size = operationsIn(reason).reduce((sum, signed) => sum + submissionSize(signed), 1);
    if (!charge(context, { of: "reason", slot: key, reason }, size)) return;
    const known = reasonsOf(state, slot);
    const kept = PRECEDENCE.flatMap((kind) =>
      kind === reason.kind ? reason : known.filter((knownReason) => knownReason.kind === kind),
    );
    state.slots.reasons.set(key, kept);
  }
  setDisclosed(context, operationsIn(reason));
  if (reason.kind === "cancellation") storeCancellationPair(context, reason);
  applyReasons(context, slot, isActedOn);
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
 * Returns true for the first reason of its kind, and for one whose skip alone pays: the owner must not evade a fee by what
 * else it signed (protocol 4.4).
 */
function isNews(state: ValidatorState, slot: Slot, reason: SlotReason): boolean {
  const knownReason = reasonsOf(state, slot).find(({ kind }) => kind === reason.kind);
  return knownReason === undefined || (isPaying(state, reason) && !isPaying(state, knownReason));
}

/**
 * Leaves round 0 if the time of a reason of the slot has come. A proof alone begins a wait, unless it runs: until
 * its end, which nothing that a peer shows puts off, an operation may still be decided. It is over (`isWaitOver`) where a
 * member has left round 0 already.
 */
export function applyReasons(context: StepContext, slot: Slot, isWaitOver = false): void {
  const { state } = context;
  const { mayLeave } = state.environment.rules.validator;
  const { round, decided } = slotState(state, slot);
  if (round > 0 || decided !== undefined) return;
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "equivocation" && !isWaitOver) awaitProof(context, slot);
    else if (mayLeave(state, context.at, slot, reason)) {
      coverage(context, MARK_OF[reason.kind]);
      if (reason.kind === "cancellation") storeCancellationPair(context, reason);
      onSlot(context, slot, state.environment.self, changeRound, 1 as Round, "reason");
      return;
    }
  }
}

/** Begins the wait of a proof where a round of its slot is under way, by this validator's own clock, unless it runs. */
export function awaitProof(context: StepContext, slot: Slot): void {
  const { slots, environment } = context.state;
  const timer: Timer = { kind: "evidence", slot: slotKey(slot) };
  if (slots.timers.has(timerName(timer)) || !environment.rules.validator.isUnderWay(context.state, slot)) return;
  coverage(context, "proof formed");
  resetTimer(context, timer, EVIDENCE_MS);
}

/** Drops the proof kept of a slot: nothing is under way there that it could free. */
export function dropProof({ slots }: ValidatorState, slot: Slot): void {
  const left = (slots.reasons.get(slotKey(slot)) ?? []).filter(({ kind }) => kind !== "equivocation");
  if (left.length > 0) slots.reasons.set(slotKey(slot), left);
  else slots.reasons.delete(slotKey(slot));
}

/**
 * Derives reasons from the operations known for an account's next nonce, pending ones, those of a pending recovery and the
 * one that this validator voted for: a cancellation with its operation, or two conflicting ones.
 */
export function deriveReasons(context: StepContext, address: Address): void {
  const { state } = context;
  if (pendingOf(state, address).length === 0) return;
  const slot = nextSlot(state, address);
  const pending: SignedOperation[] = [];
  const shown: SignedOperation[] = [];
  let cancellation: SignedOperation | undefined;
  for (const { submission } of pendingFor(state, address, accountOf(state.ledger, address).nonce)) {
    if (isRecovery(submission)) shown.push(submission.evidence.first, submission.evidence.second);
    else if (submission.operation.kind !== "cancellation") pending.push(submission);
    else cancellation ??= submission;
  }
  const known = [...new Set([...pending, ...votedOperations(state, slot), ...shown])];
  if (known.length === 1 && cancellation === undefined) return;
  // A skip must not evade the fee of another operation of the nonce (protocol 4.4): what pays comes first.
  const operations = orderPayingFirst(state, known);
  const [first] = operations;
  if (first === undefined) return;
  if (cancellation !== undefined) {
    noteReason(context, slot, { kind: "cancellation", cancellation, displaced: first });
    return;
  }
  const pair = findEquivocation(state, operations);
  if (pair !== undefined) noteReason(context, slot, { kind: "equivocation", proof: pair });
}

/** Returns the operation of the owner for which this validator voted in round 0: its budget holds it as long as the slot. */
function votedOperations(state: ValidatorState, slot: Slot): readonly SignedOperation[] {
  const [cast] = slotState(state, slot).votes;
  const content = cast === undefined ? undefined : state.slots.contents.get(cast.value);
  return content?.value.type === "operation" ? content.operations : [];
}

function orderPayingFirst(
  { environment, ledger }: ValidatorState,
  operations: readonly SignedOperation[],
): readonly SignedOperation[] {
  const pays = (signed: SignedOperation): boolean =>
    environment.rules.ledger.skipFeeToken(ledger, [signed]) !== undefined;
  return [...operations.filter(pays), ...operations.filter((signed) => !pays(signed))];
}

/** Returns two conflicting operations: the first that conflicts with a later one, and that one. */
function findEquivocation(
  state: ValidatorState,
  operations: readonly SignedOperation[],
): EquivocationProof | undefined {
  const { isEquivocation } = state.environment.rules.ledger;
  for (const [at, first] of operations.entries()) {
    const second = operations.slice(at + 1).find((other) => isEquivocation(first, other));
    if (second !== undefined) return { first, second };
  }
  return undefined;
}

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
