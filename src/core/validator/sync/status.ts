/** Status exchange: validators show one another the slots that they have applied (protocol 10; 4.3). */

import type { CheckpointNumber } from "../../base/ids.ts";
import { isChainSlot, type LedgerSlot, type ListedDecision, slotKey } from "../../base/slot.ts";
import { STATUS_SLOTS, SYNC_IDLE_MS, SYNC_MS } from "../limits.ts";
import type { Fetch, Peer, Status } from "../message.ts";
import { isSettled } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, isMember, type StepContext, send, setTimer } from "../step-context.ts";
import { decisionOf, fetchSlots, mayFetch, requestClosing, requestMissing } from "./requests.ts";
import { serveDecisions } from "./serve.ts";

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
  const { others, committee, self } = state.environment;
  if (others.length === 0) return;
  // Applies again, and so requests again, the decisions without content: a response may have been lost.
  for (const slot of state.sync.missingContents.values())
    if (slotState(state, slot).decided !== undefined) context.agenda.push({ do: "apply", slot });
  const peer = others[(state.sync.index + (committee.index.get(self) ?? 0)) % others.length] as Peer;
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
  const shown = new Set(peer.applied.map(slotKey));
  return sync.log.values().some((slot) => !shown.has(slotKey(slot)));
}
