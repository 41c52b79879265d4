/** Requests for missing slots and contents, limited in rate (protocol 10; 4.3). */
import type { Hash } from "../../base/ids.ts";
import { type Slot, sequencePrefix, slotAt, slotKey, slotNumber } from "../../base/slot.ts";
import type { Decision } from "../content.ts";
import { FETCH_COUNT, FETCH_MS, FETCHES_PER_PEER } from "../limits.ts";
import type { Peer } from "../message.ts";
import { isSettled, nextNumber } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, type StepContext, send } from "../step-context.ts";

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
