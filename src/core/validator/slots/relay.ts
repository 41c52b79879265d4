/** Relaying of pending operations in round 0 of an account's next slot, and responses to offers (protocol 3.1, 5). */
import { requireDefined } from "../../base/assert.ts";
import type { Address, Millis, Round } from "../../base/ids.ts";
import { isSkip, type SignedOperation } from "../../base/operation.ts";
import { type AccountSlot, type Slot, slotKey } from "../../base/slot.ts";
import { Table } from "../../base/table.ts";
import { castVote } from "../../consensus/agreement.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { roundValueIn } from "../../consensus/slot-state.ts";
import { type AuthorisedOperation, accountOf } from "../../ledger/state.ts";
import { type Content, isChainContent } from "../content.ts";
import { BURN_RELAY_MS, FAILED_BURN_MS, OWNERS_TURN_MS, WAIT_MS } from "../limits.ts";
import { charge, isSigned } from "../mempool/budget.ts";
import { addPending, finishUndisclosed, pendingFor, receiveDisclosed } from "../mempool/pending.ts";
import type { Offer, Peer } from "../message.ts";
import { nextSlot } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { cancelTimer, coverage, type StepContext, send, setTimer, sign } from "../step-context.ts";
import type { WaitingValue } from "../sub-states.ts";
import { requestMissing } from "../sync/sync.ts";
import { deriveReasons, noteReason, votesOf } from "./round-change-reasons.ts";
import { cancelRetry, scheduleRetry } from "./slot-timers.ts";
import { onSlot, receiveContent, sendRoundChange } from "./slots.ts";

const ROUND_0 = 0 as Round;

/** Relays in an account's next slot: a due burn, else the owner's operation that was submitted here. */
export function advanceAccount(context: StepContext, address: Address): void {
  const { state } = context;
  const slot = nextSlot(state, address);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  if (state.epochs.closed !== undefined) return;
  deriveReasons(context, address);
  if (slotState(state, slot).round > 0) return;
  const due = state.environment.rules.validator.nextBurn(state, slot);
  if (due !== undefined && !state.environment.rules.validator.isOwnersTurn(state, context.at, address)) {
    offerBurn(context, slot, due);
    return;
  }
  const { hashes } = state.environment;
  const { nonce } = accountOf(state.ledger, address);
  const isTakenOver = due !== undefined && isTurnPassing(context, address);
  for (const { submission, isEntry: isEntryHere } of pendingFor(state, address, nonce)) {
    if ((!isEntryHere && !isTakenOver) || isSkip(submission)) continue;
    const value = hashes.operationValue(submission);
    // Already voted for, with a retry timer set: no further offer for each credit that arrives meanwhile.
    const isUnderWay = roundValueIn(current.votes, ROUND_0)?.value === hashes.value(value);
    if (isUnderWay && state.slots.retries.has(slotKey(slot))) continue;
    scheduleRetry(context, slotKey(slot), true);
    if (due !== undefined) coverage(context, "owner operation before due burn");
    offer(context, slot, { value, operations: [submission], certificates: [] });
  }
  endIdleRetry(context, slot);
  if (due !== undefined) setTimer(context, { kind: "burn", account: address }, BURN_RELAY_MS);
}

/**
 * Returns true once some of the owner's turn has passed: the entry validator of what a burn displaced may be down, or have
 * forgotten in a restart that it is the one, so that all relay it (protocol 5).
 */
function isTurnPassing({ state, at }: StepContext, address: Address): boolean {
  const until = state.slots.ownersTurns.get(address)?.until ?? at;
  return at < until && at >= until - OWNERS_TURN_MS + BURN_RELAY_MS;
}

/** Ends the retry of a slot in which nothing is signed, once what was to be offered there is refused (protocol 7.15). */
function endIdleRetry(context: StepContext, slot: AccountSlot): void {
  const { state } = context;
  if (!state.slots.retries.has(slotKey(slot)) || isSigned(slotState(state, slot))) return;
  const { nonce } = accountOf(state.ledger, slot.address);
  if (!pendingFor(state, slot.address, nonce).some(({ isEntry }) => isEntry)) cancelRetry(context, slotKey(slot));
}

/** Brings a content to round 0 of a slot, if this validator accepts it itself. */
function offer(context: StepContext, slot: AccountSlot, content: Content): void {
  const { state } = context;
  const { self, peers, hashes, rules } = state.environment;
  const verdict = rules.validator.checkContent(state, context.at, slot, content, ROUND_0);
  if (content.value.type === "operation") {
    if (verdict.answer === "refuse") finishUndisclosed(context, content.value.id, verdict.refusal);
    // An undisclosed operation that the balance no longer funds is refused at once, too (protocol 4.2).
    const isUnfunded = verdict.answer === "wait" && verdict.missing.code === "business_insufficient_funds";
    if (isUnfunded) finishUndisclosed(context, content.value.id, verdict.missing);
  }
  // A content without a vote is not kept: nothing would drop it (protocol 9.2).
  if (verdict.answer !== "accept" || receiveContent(context, self, slot, content) === undefined) return;
  if (content.value.type === "operation")
    addPending(context, content.operations[0] as SignedOperation, { disclosed: true, isEntry: true });
  onSlot(context, slot, self, castVote, ROUND_0, hashes.value(content.value));
  send(context, peers, { type: "offer", slot, content });
}

/** The entry validator relays a due burn at once, every other holder after a timeout (protocol 5). */
function offerBurn(context: StepContext, slot: AccountSlot, due: AuthorisedOperation): void {
  const { state } = context;
  const content = burnContent(state, slot.address, due);
  const since = state.slots.dueSince.get(due.id) ?? context.at;
  const isAsked = state.mempool.pending.get(due.id)?.isEntry === true;
  const isFailed = content.value.type === "burn" && content.value.outcome !== "burned";
  const earliest = Math.max(isAsked ? 0 : since + BURN_RELAY_MS, isFailed ? since + FAILED_BURN_MS : 0);
  if (earliest > context.at) {
    setTimer(context, { kind: "burn", account: slot.address }, earliest - context.at);
    return;
  }
  noteBurnConflict(context, slot, content);
  if (slotState(state, slot).round === 0) offer(context, slot, content);
}

/** Returns the decisions that authorised due operations, without those whose records a checkpoint or closing replaced. */
export function warrantsOf(state: ValidatorState, due: readonly AuthorisedOperation[]): readonly FinalityCertificate[] {
  return due.flatMap(({ authorisedBy }) => state.slots.records.get(authorisedBy)?.decided ?? []);
}

/** Returns a burn that is due for the account, with the outcome that this validator's state shows and the warrant here. */
export function burnContent(state: ValidatorState, address: Address, due: AuthorisedOperation): Content {
  const { burnOutcome } = state.environment.rules.ledger;
  const outcome = requireDefined(burnOutcome(state.ledger, address, due.id), "outcome of a due burn");
  const certificates = warrantsOf(state, [due]);
  return { value: { type: "burn", id: due.id, outcome }, operations: [due.signed], certificates };
}

/** Records a burn as a reason to leave round 0 if a vote for another value is known (protocol 3.2, c). */
export function noteBurnConflict(context: StepContext, slot: AccountSlot, content: Content): void {
  const { state } = context;
  const value = state.environment.hashes.value(content.value);
  const vote = votesOf(state, slot).find((rivalVote) => rivalVote.value !== value);
  if (vote === undefined || slotState(state, slot).round > 0) return;
  noteReason(context, slot, { kind: "burn", content, vote });
}

/** Handles an offer: votes for it, repeats the vote given before, waits, or reports the state of the slot. */
export function receiveOffer(context: StepContext, from: Peer, { slot, content }: Offer): void {
  const { state } = context;
  if (slot.kind !== "account" || isChainContent(content)) return;
  const kept = receiveContent(context, from, slot, content);
  if (kept === undefined) return;
  const signed = kept.value.type === "operation" ? kept.operations[0] : undefined;
  if (signed !== undefined) receiveDisclosed(context, signed);
  if (slot.sequence > accountOf(state.ledger, slot.address).sequence) requestMissing(context, from, slot);
  else deriveReasons(context, slot.address);
  answerOffer(context, from, slot, state.environment.hashes.value(kept.value), kept);
}

function answerOffer(context: StepContext, from: Peer, slot: Slot, value: string, content: Content): void {
  const { state } = context;
  const current = slotState(state, slot);
  // A decision without its content here has no answer yet: of an account slot it keeps neither votes nor the carried lock.
  if (current.decided !== undefined || !state.environment.rules.validator.isOpen(state, slot)) return;
  if (current.round > 0) {
    sendRoundChange(context, slot, [from]);
    return;
  }
  const cast = roundValueIn(current.votes, ROUND_0);
  if (cast !== undefined) {
    coverage(context, "vote requested again");
    const votedContent = state.slots.contents.get(cast.value);
    const contents = cast.value === value || votedContent === undefined ? [] : [votedContent];
    sign(context, [from], { type: "vote", epoch: current.epoch, slot, round: ROUND_0, value: cast.value }, contents);
    return;
  }
  voteOrWait(context, from, slot, content);
}

/** Votes for a content in round 0, or keeps it for a bounded time if it cannot be checked yet (protocol 4.2). */
export function voteOrWait(
  context: StepContext,
  from: Peer,
  slot: Slot,
  content: Content,
  until: number = context.at + WAIT_MS,
): void {
  const { state } = context;
  const { rules, hashes } = state.environment;
  const value = hashes.value(content.value);
  const isEarly = !rules.validator.mayVoteInSlot(state, slot);
  const verdict = isEarly ? undefined : rules.validator.checkContent(state, context.at, slot, content, ROUND_0);
  if (verdict?.answer === "accept") {
    const key = slotKey(slot);
    if (state.slots.records.has(key) || charge(context, { of: "record", slot: key }, 1, from))
      onSlot(context, slot, from, castVote, ROUND_0, value);
    return;
  }
  if (verdict?.answer === "refuse") {
    if (isBarred(context, slot, content)) coverage(context, "barrier refused");
    return;
  }
  // Few operations of a nonce are pending, and each credit of the account has those judged again that wait.
  if (content.value.type === "operation" && !state.mempool.pending.has(content.value.id)) return;
  if (verdict?.missing.code === "business_insufficient_funds") coverage(context, "waited for funds");
  addWaiting(context, { slot, value, from, until: until as Millis, lacking: undefined });
}

/** Keeps a value that cannot be checked yet, within the budget of the peer that asks (protocol 4.2, 9.2). */
export function addWaiting(context: StepContext, entry: WaitingValue): void {
  const { state } = context;
  const key = `${slotKey(entry.slot)} ${entry.value}`;
  if (state.slots.waiting.has(key) || !charge(context, { of: "waiting", key }, 1, entry.from)) return;
  state.slots.waiting.set(key, entry);
  setTimer(context, { kind: "wait", waiting: key }, entry.until - context.at);
}

const NO_BARRIERS: ValidatorState["slots"]["barriers"] = new Table();

/** Returns true if only the barrier prevents the vote. */
function isBarred(context: StepContext, slot: Slot, content: Content): boolean {
  const { state } = context;
  if (state.slots.barriers.size === 0) return false;
  const unbarred = { ...state, slots: { ...state.slots, barriers: NO_BARRIERS } };
  return (
    state.environment.rules.validator.checkContent(unbarred, context.at, slot, content, ROUND_0).answer === "accept"
  );
}

/** Drops a value that no longer waits to be checked, and its timer. */
export function dropWaitingValue(context: StepContext, key: string): void {
  dropWaiting(context.state, key);
  cancelTimer(context, { kind: "wait", waiting: key });
}

/** Drops a value whose wait is over, by its key. */
export function dropWaiting({ slots }: ValidatorState, key: string): void {
  slots.waiting.delete(key);
}
