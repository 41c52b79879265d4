/** Bringing what is pending to the round 0 of an account's next slot, and answering those who do (protocol 3.1, 5). */
import type { Address, Millis, Round } from "../../base/ids.ts";
import { isRecovery, type SignedOperation } from "../../base/operation.ts";
import { type AccountSlot, type Slot, slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import { castVote } from "../../consensus/agreement.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { castIn } from "../../consensus/slot-state.ts";
import { type Authorised, accountOf } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { BURN_RELAY_MS, FAILED_BURN_MS, WAIT_MS, WAITING } from "../limits.ts";
import { keep, pendingFor, takeSeen } from "../mempool/pending.ts";
import type { Offer, Peer } from "../message.ts";
import { mark, send, setTimer, sign } from "../speak.ts";
import type { ValidatorState, Waiting } from "../state.ts";
import { askFor } from "../sync/sync.ts";
import type { Content } from "./content.ts";
import { takeContent } from "./contents.ts";
import { endUnshown } from "./endings.ts";
import { actOnReasons, findReasons, keepReason, nextSlot, votesOf } from "./rounds.ts";
import { keepTrying, onSlot, sayRoundChange, slotState } from "./slots.ts";

const ROUND_0 = 0 as Round;

/** An account's next slot is open: offers a due burn, else the owner's operation that this validator was asked to relay. */
export function advance(turn: Turn, address: Address): void {
  const { state } = turn;
  const slot = nextSlot(state, address);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    turn.agenda.push({ do: "apply", slot });
    return;
  }
  if (state.closed !== undefined) return;
  findReasons(turn, address);
  if (slotState(state, slot).round > 0) return;
  const due = state.environment.rules.validator.nextBurn(state, slot);
  if (due !== undefined && !state.environment.rules.validator.isOwnersTurn(state, turn.at, address)) {
    offerBurn(turn, slot, due);
    return;
  }
  const { hashes } = state.environment;
  const { nonce } = accountOf(state.ledger, address);
  for (const [, { submission, asked }] of pendingFor(state, address, nonce)) {
    if (!asked || isRecovery(submission) || submission.operation.kind === "cancellation") continue;
    const value = hashes.operationValue(submission);
    // Voted for, and a timer will bring it again: not once more for each credit that arrives meanwhile.
    const isUnderWay = castIn(current.votes, ROUND_0)?.value === hashes.value(value);
    if (isUnderWay && state.retries.has(slotKey(slot))) continue;
    keepTrying(turn, slotKey(slot), true);
    if (due !== undefined) mark(turn, "owner's turn");
    offer(turn, slot, { value, operations: [submission], certificates: [] });
  }
  if (due !== undefined) setTimer(turn, `burn ${address}`, BURN_RELAY_MS);
}

/** Brings a content to round 0 of a slot, if this validator accepts it itself. */
function offer(turn: Turn, slot: AccountSlot, content: Content): void {
  const { state } = turn;
  const { self, others, hashes, rules } = state.environment;
  if (takeContent(turn, self, content) === undefined) return;
  const verdict = rules.validator.judgeContent(state, turn.at, slot, content, ROUND_0);
  if (content.value.type === "operation") {
    if (verdict.answer === "refuse") endUnshown(turn, content.value.id, verdict.refusal);
    // What nobody has seen and the balance no longer funds is refused at once, too (protocol 4.2).
    const isUnfunded = verdict.answer === "wait" && verdict.missing.code === "business_insufficient_funds";
    if (isUnfunded) endUnshown(turn, content.value.id, verdict.missing);
  }
  if (verdict.answer !== "accept") return;
  if (content.value.type === "operation")
    keep(turn, content.operations[0] as SignedOperation, { shown: true, asked: true });
  onSlot(turn, slot, self, (context, transition) =>
    castVote(context, transition, ROUND_0, hashes.value(content.value)),
  );
  send(turn, others, { type: "offer", slot, content });
}

/** The asked validator relays a due burn at once, every other holder after a timeout (protocol 5). */
function offerBurn(turn: Turn, slot: AccountSlot, due: Authorised): void {
  const { state } = turn;
  const content = burnContent(state, slot.address, due);
  if (content === undefined) return;
  const since = state.dueSince.get(due.id) ?? turn.at;
  const isAsked = state.pending.get(due.id)?.asked === true;
  const wait = Math.max(isAsked ? 0 : since + BURN_RELAY_MS - turn.at, failedWait(turn, content, since));
  if (wait > 0) {
    setTimer(turn, `burn ${slot.address}`, wait);
    return;
  }
  findBurnConflict(turn, slot, content);
  if (slotState(state, slot).round === 0) offer(turn, slot, content);
}

function failedWait(turn: Turn, { value }: Content, since: number): number {
  return value.type === "burn" && value.outcome === "failed" ? since + FAILED_BURN_MS - turn.at : 0;
}

/** The decision that authorised a due operation; where that was before this epoch, the closing that opened it (protocol 6.3). */
export function warrantOf(state: ValidatorState, { authorisedBy }: Authorised): FinalityCertificate | undefined {
  return state.slots.get(authorisedBy)?.decided ?? state.environment.opening;
}

/** A due burn with the outcome that this validator's balance shows, and its warrant. */
export function burnContent(state: ValidatorState, address: Address, due: Authorised): Content | undefined {
  const outcome = state.environment.rules.ledger.burnOutcome(state.ledger, address, due.id);
  const certificate = warrantOf(state, due);
  if (outcome === undefined || certificate === undefined) return undefined;
  return { value: { type: "burn", id: due.id, outcome }, operations: [due.signed], certificates: [certificate] };
}

/** Whether a vote for anything else is known in the slot: then the burn needs a round change (protocol 3.2, c). */
export function findBurnConflict(turn: Turn, slot: AccountSlot, content: Content): void {
  const { state } = turn;
  const value = state.environment.hashes.value(content.value);
  const vote = votesOf(state, slot).find((other) => other.value !== value);
  if (vote === undefined || slotState(state, slot).round > 0) return;
  keepReason(state, slot, { kind: "burn", content, vote });
  actOnReasons(turn, slot);
}

/** A relay brings a value to round 0: votes for it, repeats the vote given before, waits, or says where the slot stands. */
export function takeOffer(turn: Turn, from: Peer, { slot, content }: Offer): void {
  const { state } = turn;
  if (slot.kind !== "account") return;
  const kept = takeContent(turn, from, content);
  if (kept === undefined) return;
  const signed = kept.value.type === "operation" ? kept.operations[0] : undefined;
  if (signed !== undefined) takeSeen(turn, signed);
  if (slot.sequence > accountOf(state.ledger, slot.address).sequence) askFor(turn, from, slot);
  else findReasons(turn, slot.address);
  answerOffer(turn, from, slot, state.environment.hashes.value(kept.value), kept);
}

function answerOffer(turn: Turn, from: Peer, slot: Slot, value: string, content: Content): void {
  const { state } = turn;
  // What is durable need not have been said: a crash may have come between, and then the epoch's close (protocol 6.3).
  if (!state.environment.rules.validator.isOpen(state, slot)) return;
  const current = slotState(state, slot);
  if (current.round > 0) {
    sayRoundChange(turn, slot, [from]);
    return;
  }
  const cast = castIn(current.votes, ROUND_0);
  if (cast !== undefined) {
    mark(turn, "vote asked for again");
    const own = state.contents.get(cast.value);
    const contents = cast.value === value || own === undefined ? [] : [own];
    sign(turn, [from], { type: "vote", epoch: current.epoch, slot, round: ROUND_0, value: cast.value }, contents);
    return;
  }
  voteOrWait(turn, from, slot, content);
}

/** Votes for a content in round 0, or keeps it for a bounded time where it cannot be judged yet (protocol 4.2). */
export function voteOrWait(
  turn: Turn,
  from: Peer,
  slot: Slot,
  content: Content,
  until: number = turn.at + WAIT_MS,
): void {
  const { state } = turn;
  const { rules, hashes } = state.environment;
  const value = hashes.value(content.value);
  const isEarly = !rules.validator.isReady(state, slot);
  const verdict = isEarly ? undefined : rules.validator.judgeContent(state, turn.at, slot, content, ROUND_0);
  if (verdict?.answer === "accept") {
    onSlot(turn, slot, from, (context, transition) => castVote(context, transition, ROUND_0, value));
    return;
  }
  if (verdict?.answer === "refuse") {
    if (isBarred(turn, slot, content)) mark(turn, "barrier refused");
    return;
  }
  if (verdict?.missing.code === "business_insufficient_funds") mark(turn, "waited for funds");
  keepWaiting(turn, { slot, value, from, until: until as Millis });
}

/** Keeps a value that cannot be judged yet, within the bound of all that waits (protocol 4.2). */
export function keepWaiting(turn: Turn, entry: Waiting): void {
  const { state } = turn;
  const key = `${slotKey(entry.slot)} ${entry.value}`;
  if (state.waiting.has(key)) return;
  if (state.waiting.size >= WAITING) {
    mark(turn, "queue full");
    return;
  }
  state.waiting = state.waiting.set(key, entry);
  setTimer(turn, `wait ${key}`, entry.until - turn.at);
}

/** Whether only the barrier stands in the way. */
function isBarred(turn: Turn, slot: Slot, content: Content): boolean {
  const { state } = turn;
  if (state.barriers.size === 0) return false;
  const unbarred = { ...state, barriers: Trie.empty<never>() };
  return state.environment.rules.validator.judgeContent(unbarred, turn.at, slot, content, ROUND_0).answer === "accept";
}
