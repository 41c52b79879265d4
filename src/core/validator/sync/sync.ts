/** Exchange with peers: requests, bounded answers, and the status that shows applied slots (protocol 4.3, 9.2, 10). */
import type { CheckpointNumber, Hash } from "../../base/ids.ts";
import {
  isChainSlot,
  type LedgerSlot,
  type ListedDecision,
  type Slot,
  sequencePrefix,
  slotAt,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { pieceWeight } from "../../ledger/pieces.ts";
import type { Content, Decision } from "../content.ts";
import {
  FETCH_COUNT,
  FETCH_MS,
  FETCHES_PER_PEER,
  SERVED_PER_SECOND,
  STATUS_SLOTS,
  SYNC_IDLE_MS,
  SYNC_MS,
} from "../limits.ts";
import { contentSize } from "../mempool/budget.ts";
import type { Decisions, Fetch, Peer, SnapshotOffer, StatePieces, Status } from "../message.ts";
import { isSettled, nextNumber } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, isMember, type StepContext, send, setTimer } from "../step-context.ts";

/** Requests from a peer the decisions of a sequence that precede `slot` and are missing here. */
export function requestMissing(context: StepContext, from: Peer, slot: Slot): void {
  const { state } = context;
  const key = `${from} ${sequencePrefix(slot)}`;
  // Any peer may name a slot far ahead: the search for missing slots below it is limited to the rate of requests.
  if (!isFetchDue(context, key)) return;
  const missing: Slot[] = [];
  for (let number = nextNumber(state, slot); number < slotNumber(slot) && missing.length < FETCH_COUNT; number++) {
    const earlier = slotAt(slot, number);
    if (slotState(state, earlier).decided === undefined) missing.push(earlier);
  }
  if (missing.length === 0 || !mayFetch(context, key)) return;
  coverage(context, "gap fetched");
  fetch(context, [from], missing, []);
}

/** Requests from a peer the decisions of these slots. */
export function fetchSlots(context: StepContext, from: Peer, slots: readonly Slot[]): void {
  if (from === context.state.environment.self) return;
  for (let i = 0; i < slots.length; i += FETCH_COUNT) {
    fetch(context, [from], slots.slice(i, i + FETCH_COUNT), []);
  }
}

/** Requests a value's content from peers, with the decisions of `slots`; `slot` is rechecked when it comes. */
export function requestContent(
  context: StepContext,
  from: readonly Peer[],
  slot: Slot,
  value: Hash,
  slots: readonly Slot[] = [],
): void {
  const { state } = context;
  state.sync.missingContents.set(`${value} ${slotKey(slot)}`, slot);
  const peers = from.filter((peer) => peer !== state.environment.self && mayFetch(context, `${peer} ${value}`));
  fetch(context, peers, slots, [value]);
}

/** Asks a peer of a later epoch how this epoch closed, or for what the closing still lacks here. */
export function requestClosing(context: StepContext, from: Peer): void {
  const { state } = context;
  const slot: Slot = { kind: "epoch", epoch: state.ledger.epoch };
  if (!mayFetch(context, `${from} epoch`)) return;
  coverage(context, "message from a later epoch");
  if (slotState(state, slot).decided === undefined) fetch(context, [from], [slot], []);
  else context.agenda.push({ do: "closing" });
}

function fetch(context: StepContext, to: readonly Peer[], slots: readonly Slot[], values: readonly Hash[]): void {
  send(context, to, { type: "fetch", epoch: context.state.ledger.epoch, slots, values });
}

function isFetchDue({ state, at }: StepContext, key: string): boolean {
  const last = state.sync.fetched.get(key);
  return last === undefined || at >= last + FETCH_MS;
}

/**
 * Returns true if a request to a peer is due, and notes its time. `key` begins with the peer, of which only so many are
 * noted at a time: a peer can name any number of gaps. O(requests noted).
 */
export function mayFetch(context: StepContext, key: string): boolean {
  const { fetched } = context.state.sync;
  if (!isFetchDue(context, key)) return false;
  const [peer = ""] = key.split(" ");
  if (fetched.size >= FETCHES_PER_PEER && fetched.entriesWithPrefix(peer).length >= FETCHES_PER_PEER) {
    dropOldFetches(context);
    if (fetched.entriesWithPrefix(peer).length >= FETCHES_PER_PEER) return false;
  }
  fetched.set(key, context.at);
  return true;
}

/** Returns a slot's decision if it and its content are here. */
export function decisionOf(state: ValidatorState, slot: Slot): Decision | undefined {
  const certificate = slotState(state, slot).decided;
  const content = certificate === undefined ? undefined : state.slots.contents.get(certificate.value);
  return certificate === undefined || content === undefined ? undefined : { certificate, content };
}

/** Drops a content that a slot waited for, by its key. */
export function dropMissingContent({ sync }: ValidatorState, key: string): void {
  sync.missingContents.delete(key);
}

/** Drops all contents that slots waited for. */
export function forgetMissingContents({ sync }: ValidatorState): void {
  sync.missingContents.clear();
}

/** Drops the contents that settled slots waited for. */
export function dropSettledRequests(state: ValidatorState): void {
  state.sync.missingContents.deleteWhere((_, slot) => isSettled(state, slot));
}

/** Drops the times of requests that may be repeated by now. */
export function dropOldFetches({ state: { sync }, at }: StepContext): void {
  sync.fetched.deleteWhere((_, last) => at >= last + FETCH_MS);
}

type ServedAnswer = Decisions | SnapshotOffer | StatePieces;

/** Returns true if a peer may be served more in this second; another request gets no answer, and its sender asks again. */
export function mayServe(context: StepContext, to: Peer): boolean {
  if (servedSize(context, to) < SERVED_PER_SECOND) return true;
  coverage(context, "request beyond the rate");
  return false;
}

/** Sends what a peer asked for, unless it has got enough in this second. */
export function serveAnswer(context: StepContext, to: Peer, answer: ServedAnswer): void {
  const { state, at } = context;
  if (to === state.environment.self || !mayServe(context, to)) return;
  state.sync.served.set(to, { second: Math.floor(at / 1_000), size: servedSize(context, to) + sizeOf(answer) });
  send(context, [to], answer);
}

/** Sends as many of these decisions and contents as a peer may be served in this second: it asks again for the others. */
export function serveDecisions(context: StepContext, to: Peer, { decided, contents }: Omit<Decisions, "type">): void {
  let size = servedSize(context, to);
  const fits = (content: Content): boolean => {
    if (size >= SERVED_PER_SECOND) return false;
    size += contentSize(content);
    return true;
  };
  const answer = { decided: decided.filter(({ content }) => fits(content)), contents: contents.filter(fits) };
  if (decided.length + contents.length > 0) serveAnswer(context, to, { type: "decisions", ...answer });
}

/** Returns the size of an answer: contents as in the budgets, and the entries of a state. */
function sizeOf(answer: ServedAnswer): number {
  if (answer.type === "snapshot") return contentSize(answer.content) + answer.links.length;
  if (answer.type === "statePieces") return answer.pieces.reduce((sum, { piece }) => sum + pieceWeight(piece), 0);
  const contents = [...answer.decided.map(({ content }) => content), ...answer.contents];
  return contents.reduce((sum, content) => sum + contentSize(content), 0);
}

function servedSize({ state, at }: StepContext, to: Peer): number {
  const last = state.sync.served.get(to);
  return last?.second === Math.floor(at / 1_000) ? last.size : 0;
}

/** Tells a peer that it is behind, so that it asks: as often as requests are repeated. */
export function notifyBehind(context: StepContext, to: Peer): void {
  if (to !== context.state.environment.self && mayFetch(context, `${to} told`)) sendPart(context, to, true);
}

/** Responds with the decisions and contents that are here, or with the checkpoint that replaces them. */
export function serveFetch(context: StepContext, from: Peer, { epoch, slots, values }: Fetch): void {
  const { state } = context;
  const decided = slots.flatMap((slot) => decisionOf(state, slot) ?? []);
  const contents = values.flatMap((value) => state.slots.contents.get(value) ?? []);
  serveDecisions(context, from, { decided, contents });
  if (slots.some((slot) => isSettled(state, slot) && decisionOf(state, slot) === undefined))
    context.agenda.push({ do: "gone", to: from, epoch, whole: slots.some(isChainSlot) });
}

/** Responds to a request for a pruned record: its sender takes the checkpoint that replaces it. */
export function sendCheckpoint(context: StepContext, to: Peer): void {
  coverage(context, "settled slot requested");
  notifyBehind(context, to);
}

/** Records a newly applied slot, and schedules a status exchange soon. */
export function recordApplied(context: StepContext, slot: LedgerSlot): void {
  const { sync } = context.state;
  sync.log.set(sync.applied, slot);
  sync.applied++;
  if (sync.pause !== SYNC_MS) scheduleSync(context, SYNC_MS);
}

/** Removes listed slots from the log. */
export function dropListed({ state: { sync } }: StepContext, listed: readonly ListedDecision[]): void {
  const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
  sync.log.deleteWhere((_, slot) => keys.has(slotKey(slot)));
}

/** Sets the timer of the next status exchange. */
export function scheduleSync(context: StepContext, pause: number): void {
  context.state.sync.pause = pause;
  setTimer(context, { kind: "sync" }, pause, true);
}

/** Sends its status to one peer after the other, ever more rarely while nothing is applied. */
export function sendStatus(context: StepContext): void {
  const { state } = context;
  const { peers, committee, self } = state.environment;
  if (peers.length === 0) return;
  // Applies again, and so requests again, the decisions without content: a response may have been lost.
  for (const slot of state.sync.missingContents.values())
    if (slotState(state, slot).decided !== undefined) context.agenda.push({ do: "apply", slot });
  const peer = peers[(state.sync.index + (committee.index.get(self) ?? 0)) % peers.length] as Peer;
  state.sync.index++;
  sendPart(context, peer, false);
  // No peer sends anything to a validator that is in no committee: it has to ask.
  scheduleSync(context, isMember(state) ? Math.min(Math.max(state.sync.pause * 2, SYNC_MS), SYNC_IDLE_MS) : SYNC_MS);
}

/** Sends its status at once to the next peer: a decision waits for credits that others have (protocol 4.3). */
export function requestCredits(context: StepContext): void {
  if (mayFetch(context, "credits")) sendStatus(context);
}

/** Sends its status to a peer: what it has applied above its checkpoint, or a part of that, the next one each time. */
function sendPart(context: StepContext, to: Peer, answer: boolean): void {
  const { sync, ledger, checkpoints } = context.state;
  const log = sync.log.values();
  const parts = Math.max(1, Math.ceil(log.length / STATUS_SLOTS));
  const part = (sync.parts.get(to) ?? 0) % parts;
  if (parts > 1) sync.parts.set(to, part + 1);
  const applied = log.slice(part * STATUS_SLOTS, (part + 1) * STATUS_SLOTS);
  const checkpoint = checkpoints.last.header.number;
  send(context, [to], { type: "status", epoch: ledger.epoch, checkpoint, applied, answer });
}

/**
 * Handles a peer's status: requests what the peer has and this validator lacks, and tells the peer if it lacks something
 * itself. Only at equal checkpoints do the slots say what is missing; a later one brings those below it.
 */
export function receiveStatus(context: StepContext, from: Peer, peer: Status): void {
  const { state } = context;
  const { number } = state.checkpoints.last.header;
  const isSameEpoch = peer.epoch === state.ledger.epoch;
  if (peer.epoch > state.ledger.epoch) requestClosing(context, from);
  else if (isSameEpoch && peer.checkpoint > number)
    requestMissing(context, from, { kind: "checkpoint", number: (peer.checkpoint + 1) as CheckpointNumber });
  else if (isSameEpoch && peer.checkpoint === number) requestApplied(context, from, peer);
  if (!peer.answer && isPeerBehind(state, peer)) notifyBehind(context, from);
}

/** Requests the decisions that a peer has applied and that are not here. */
function requestApplied(context: StepContext, from: Peer, { applied }: Status): void {
  const { state } = context;
  const missing = applied.filter((slot) => !isSettled(state, slot) && slotState(state, slot).decided === undefined);
  if (missing.length === 0 || !mayFetch(context, `${from} applied`)) return;
  coverage(context, "applied slots requested");
  fetchSlots(context, from, missing);
}

/** Returns true if a peer is behind, or does not show a slot that is applied here. O(n log n) in the slots shown. */
function isPeerBehind({ ledger, checkpoints, sync }: ValidatorState, peer: Status): boolean {
  if (peer.epoch !== ledger.epoch) return peer.epoch < ledger.epoch;
  const { number } = checkpoints.last.header;
  if (peer.checkpoint !== number) return peer.checkpoint < number;
  const appliedByPeer = new Set(peer.applied.map(slotKey));
  return sync.log.values().some((slot) => !appliedByPeer.has(slotKey(slot)));
}
