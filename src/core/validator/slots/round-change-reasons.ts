/** Reasons to leave round 0 of a slot: derived, disclosed, awaited and applied (protocol 3.2). */
import type { Address, Round } from "../../base/ids.ts";
import { type EquivocationProof, isRecovery, type SignedOperation } from "../../base/operation.ts";
import { type AccountSlot, type Slot, type SlotKey, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { changeRound } from "../../consensus/round-change.ts";
import { accountOf } from "../../ledger/state.ts";
import { EVIDENCE_MS } from "../limits.ts";
import { charge, submissionSize } from "../mempool/budget.ts";
import { addPending, operationsFor, pendingFor, pendingOf, setDisclosed } from "../mempool/pending.ts";
import type { Peer, Reason, SlotReason } from "../message.ts";
import { isBeyondNext, nextSlot } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, type StepContext } from "../step-context.ts";
import { requestMissing } from "../sync/sync.ts";
import { type Timer, timerName } from "../timer.ts";
import { isAuthentic } from "./content-check.ts";
import { isPaying, operationsIn, owesFee, reasonsOf } from "./reason-check.ts";
import { resetTimer } from "./slot-timers.ts";
import { onSlot, receiveContent } from "./slots.ts";

const COVERAGE_POINTS = {
  cancellation: "round change by cancellation",
  equivocation: "round change by equivocation proof",
  burn: "round change by due burn",
} as const;

/** Order in which reasons of one slot are applied and disclosed: those without a wait come first. */
const PRECEDENCE = ["cancellation", "burn", "equivocation"] as const satisfies readonly SlotReason["kind"][];

/**
 * Keeps and applies a reason from a peer or a client if it is valid now. An invalid reason is not stored, and senders
 * repeat it (protocol 3.2). `hasMemberLeft`: a member has left round 0 for the reason.
 */
export function receiveReason(
  context: StepContext,
  slot: Slot,
  reason: SlotReason,
  from: Peer,
  hasMemberLeft: boolean,
): void {
  const { state } = context;
  if (!state.environment.rules.validator.isReasonValid(state, slot, reason)) return;
  if (!areSignedByOwner(context, slot, operationsIn(reason))) return;
  if (reason.kind !== "burn") {
    noteReason(context, slot, reason, hasMemberLeft);
    return;
  }
  const content = receiveContent(context, from, slot, reason.content);
  if (content !== undefined) noteReason(context, slot, { ...reason, content }, hasMemberLeft);
}

/** Handles a reason without a round change. */
export function receiveDisclosedReason(context: StepContext, from: Peer, slot: Slot, reason: SlotReason): void {
  if (isBeyondNext(context.state, slot)) requestMissing(context, from, slot);
  else receiveReason(context, slot, reason, from, false);
}

/** Returns true if the slot's owner signed all operations: a forged operation must not block a valid reason. */
function areSignedByOwner({ state }: StepContext, slot: Slot, operations: readonly SignedOperation[]): boolean {
  if (slot.kind !== "account") return false;
  return operations.every((signed) => signed.sender === slot.address && isAuthentic(state.environment, signed));
}

/**
 * Keeps a valid reason within the budget of the peer whose message disclosed or completed it, and applies it. A proposer
 * may use it from now on, so its operations count as disclosed in responses to clients (protocol 4.2).
 */
export function noteReason(context: StepContext, slot: Slot, reason: SlotReason, hasMemberLeft = false): void {
  const { state } = context;
  const key = slotKey(slot);
  if (!state.environment.rules.validator.isReasonValid(state, slot, reason)) return;
  if (isNewReason(state, slot, reason)) {
    // The size covers its operations and the record that the reason opens.
    const size = operationsIn(reason).reduce((sum, signed) => sum + submissionSize(signed), 1);
    if (!charge(context, { of: "reason", slot: key, reason }, size)) return;
    const reasons = reasonsOf(state, slot);
    const kept = PRECEDENCE.flatMap((kind) =>
      kind === reason.kind ? reason : reasons.filter((knownReason) => knownReason.kind === kind),
    );
    state.slots.reasons.set(key, kept);
  }
  setDisclosed(context, operationsIn(reason));
  if (reason.kind === "cancellation") storeCancellationPair(context, reason);
  applyReasons(context, slot, hasMemberLeft);
}

/** Makes a cancellation and the operation it displaces pending here: a proposer needs both for the skip. */
export function storeCancellationPair(
  context: StepContext,
  { cancellation, displaced }: Extract<Reason, { kind: "cancellation" }>,
): void {
  // The displaced operation is stored first: a cancellation of a stored operation needs no room.
  addPending(context, displaced, { disclosed: true, isEntry: false });
  addPending(context, cancellation, { disclosed: true, isEntry: false });
}

/**
 * Returns true for the first reason of its kind, and for a reason whose skip pays where the known one does not: the owner
 * must not evade a fee with a second signature (protocol 4.4).
 */
function isNewReason(state: ValidatorState, slot: Slot, reason: SlotReason): boolean {
  const knownReason = reasonsOf(state, slot).find(({ kind }) => kind === reason.kind);
  return knownReason === undefined || (isPaying(state, reason) && !isPaying(state, knownReason));
}

/**
 * Leaves round 0 if a reason of the slot allows it now. An equivocation proof only starts a wait, if none runs. During it
 * an operation may still be decided, and no message of a peer extends it. The wait is over (`isWaitOver`) if a member has
 * left round 0 already.
 */
export function applyReasons(context: StepContext, slot: Slot, isWaitOver = false): void {
  const { state } = context;
  const { mayLeave } = state.environment.rules.validator;
  const { round, decided } = slotState(state, slot);
  if (round > 0 || decided !== undefined) return;
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "equivocation" && !isWaitOver) startProofWait(context, slot);
    else if (mayLeave(state, context.at, slot, reason)) {
      coverage(context, COVERAGE_POINTS[reason.kind]);
      if (reason.kind === "cancellation") storeCancellationPair(context, reason);
      onSlot(context, slot, state.environment.self, changeRound, 1 as Round, "reason");
      return;
    }
  }
}

/** Starts the wait of an equivocation proof by this validator's clock, if its slot is under way and no wait runs. */
export function startProofWait(context: StepContext, slot: Slot): void {
  const { slots, environment } = context.state;
  const timer: Timer = { kind: "evidence", slot: slotKey(slot) };
  if (slots.timers.has(timerName(timer)) || !environment.rules.validator.isUnderWay(context.state, slot)) return;
  coverage(context, "proof formed");
  resetTimer(context, timer, EVIDENCE_MS);
}

/** Drops the reasons of a slot for which `isOver` holds. */
export function dropReasons({ slots }: ValidatorState, key: SlotKey, isOver: (reason: SlotReason) => boolean): void {
  const remaining = (slots.reasons.get(key) ?? []).filter((reason) => !isOver(reason));
  if (remaining.length > 0) slots.reasons.set(key, remaining);
  else slots.reasons.delete(key);
}

/**
 * Derives reasons from the operations of an account's next nonce: pending operations, those of a pending recovery, and the
 * one that this validator voted for. A reason is a cancellation with its operation, or two conflicting operations.
 */
export function deriveReasons(context: StepContext, address: Address): void {
  const { state } = context;
  const slot = nextSlot(state, address);
  derivePayingReason(context, slot);
  if (pendingOf(state, address).length === 0) return;
  const pending: SignedOperation[] = [];
  const evidence: SignedOperation[] = [];
  let cancellation: SignedOperation | undefined;
  for (const { submission } of pendingFor(state, address, accountOf(state.ledger, address).nonce)) {
    if (isRecovery(submission)) evidence.push(submission.evidence.first, submission.evidence.second);
    else if (submission.operation.kind !== "cancellation") pending.push(submission);
    else cancellation ??= submission;
  }
  const candidates = [...new Set([...pending, ...votedOperations(state, slot), ...evidence])];
  if (candidates.length === 1 && cancellation === undefined) return;
  // A skip must not evade the fee of another operation of the nonce (protocol 4.4): paying operations come first.
  const operations = orderPayingFirst(state, candidates);
  const [first] = operations;
  if (first === undefined) return;
  if (cancellation !== undefined) {
    noteReason(context, slot, { kind: "cancellation", cancellation, displaced: first });
    return;
  }
  const pair = findEquivocation(state, operations);
  if (pair !== undefined) noteReason(context, slot, { kind: "equivocation", proof: pair });
}

/**
 * Derives a reason whose skip pays from kept ones that pay nothing, with an operation that this validator voted for or has
 * pending: their own operations may have found no room among the pending ones (protocol 4.4).
 */
function derivePayingReason(context: StepContext, slot: AccountSlot): void {
  const { state } = context;
  const kept = reasonsOf(state, slot);
  if (kept.length === 0 || kept.some((reason) => isPaying(state, reason))) return;
  const { nonce } = accountOf(state.ledger, slot.address);
  const candidates = [...votedOperations(state, slot), ...operationsFor(state, slot.address, nonce)];
  const displaced = candidates.find((signed) => owesFee(state, [signed]));
  if (displaced === undefined) return;
  const { isEquivocation } = state.environment.rules.ledger;
  for (const reason of kept) {
    const rival = operationsIn(reason).find((signed) => isEquivocation(displaced, signed));
    if (reason.kind === "cancellation")
      noteReason(context, slot, { kind: "cancellation", cancellation: reason.cancellation, displaced });
    else if (rival !== undefined)
      noteReason(context, slot, { kind: "equivocation", proof: { first: displaced, second: rival } });
  }
}

/** Returns the owner's operation for which this validator voted in round 0; the slot keeps its content. */
function votedOperations(state: ValidatorState, slot: Slot): readonly SignedOperation[] {
  const [vote] = slotState(state, slot).votes;
  const content = vote === undefined ? undefined : state.slots.contents.get(vote.value);
  return content?.value.type === "operation" ? content.operations : [];
}

function orderPayingFirst(state: ValidatorState, operations: readonly SignedOperation[]): readonly SignedOperation[] {
  const paying = operations.filter((signed) => owesFee(state, [signed]));
  return paying.length === 0 ? operations : [...paying, ...operations.filter((signed) => !paying.includes(signed))];
}

/** Returns the first operation that conflicts with a later one, and the first such later one. */
function findEquivocation(
  state: ValidatorState,
  operations: readonly SignedOperation[],
): EquivocationProof | undefined {
  const { isEquivocation } = state.environment.rules.ledger;
  for (const [at, first] of operations.entries()) {
    const second = operations.slice(at + 1).find((signed) => isEquivocation(first, signed));
    if (second !== undefined) return { first, second };
  }
  return undefined;
}

/** Returns the votes that this validator holds: a vote for a different value is a reason for a burn (protocol 3.2). */
export function votesOf(state: ValidatorState, slot: Slot): readonly Vote[] {
  const { epoch, ballots } = slotState(state, slot);
  const votes: Vote[] = [];
  for (const { type, round, value, seals } of ballots) {
    if (type !== "vote") continue;
    for (const { signer, signature } of seals) votes.push({ type, epoch, slot, round, value, signer, signature });
  }
  return votes;
}
