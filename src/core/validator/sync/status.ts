/** Status exchange: the log of the slots applied here, and the slots that peers have applied (protocol 10; 4.3). */

import type { CheckpointNumber, Millis } from "../../base/ids.ts";
import { isChainSlot, type LedgerSlot, slotKey } from "../../base/slot.ts";
import type { Content } from "../content.ts";
import { FETCH_COUNT, LOG_PAGE, SYNC_IDLE_MS, SYNC_MS } from "../limits.ts";
import type { Decisions, Fetch, LogPage, LogRequest, Peer, Status } from "../message.ts";
import { isSettled } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, isMember, type StepContext, send, setTimer } from "../step-context.ts";
import { decisionOf, fetchSlots, mayFetch, requestClosing, requestMissing } from "./requests.ts";

/** Applies again, and so requests again, the decisions without content: a response may have been lost. */
function requestMissingContents({ state, agenda }: StepContext): void {
  for (const slot of state.sync.missingContents.values())
    if (slotState(state, slot).decided !== undefined) agenda.push({ do: "apply", slot });
}

/** Tells a peer of an earlier epoch that it is behind, so that it asks. */
export function sendEpoch(context: StepContext, to: Peer): void {
  if (to !== context.state.environment.self && mayFetch(context, `${to} told`))
    send(context, [to], status(context.state, true));
}

/** Responds with the decisions and contents that are here, or with the checkpoint that replaces them. */
export function serveFetch(context: StepContext, from: Peer, { epoch, slots, values }: Fetch): void {
  const { state } = context;
  const decided: Decisions["decided"][number][] = [];
  let isGone = false;
  for (const slot of slots.slice(0, FETCH_COUNT)) {
    const decision = decisionOf(state, slot);
    if (decision !== undefined) decided.push(decision);
    else if (isSettled(state, slot)) isGone = true;
  }
  const contents: Content[] = [];
  for (const value of values.slice(0, FETCH_COUNT)) {
    const content = state.slots.contents.get(value);
    if (content !== undefined) contents.push(content);
  }
  if (decided.length + contents.length > 0) send(context, [from], { type: "decisions", decided, contents });
  if (isGone) context.agenda.push({ do: "gone", to: from, epoch, whole: slots.some(isChainSlot) });
}

/** Responds to a request for a pruned record with the checkpoint that replaces it. */
export function sendCheckpoint(context: StepContext, to: Peer): void {
  coverage(context, "settled slot requested");
  if (to !== context.state.environment.self) send(context, [to], status(context.state, true));
}

/** Records a newly applied slot, and schedules a status exchange soon. */
export function recordApplied(context: StepContext, slot: LedgerSlot): void {
  const { state } = context;
  state.sync.log.set(state.sync.applied, slot);
  state.sync.applied++;
  state.sync.logDigest = withFingerprint(state.sync.logDigest, slotKey(slot));
  if (state.sync.pause !== SYNC_MS) scheduleSync(context, SYNC_MS);
}

/** Removes listed slots from the log: mostly its oldest entries; later ones are not read. */
export function dropListed(context: StepContext, slots: readonly LedgerSlot[]): void {
  const { state } = context;
  const listed = new Set(slots.map(slotKey));
  for (const [position, slot] of state.sync.log.entries()) {
    if (listed.size === 0) break;
    if (!listed.delete(slotKey(slot))) continue;
    state.sync.log.delete(position);
    state.sync.logDigest = withoutFingerprint(state.sync.logDigest, slotKey(slot));
  }
  while (state.sync.logStart < state.sync.applied && !state.sync.log.has(state.sync.logStart)) state.sync.logStart++;
}

/** Begins a log that peers tell from the one before the restart by its start (protocol 10). */
export function beginIncarnation({ sync }: ValidatorState, startedAt: Millis): void {
  sync.incarnation = startedAt;
}

/** Sets the timer of the next status exchange. */
export function scheduleSync(context: StepContext, pause: number): void {
  context.state.sync.pause = pause;
  setTimer(context, "sync", pause, true);
}

/** Sends its status to one peer after the other, ever more rarely while nothing is applied. */
export function sendStatus(context: StepContext): void {
  const { state } = context;
  const { others, committee, self } = state.environment;
  if (others.length === 0) return;
  requestMissingContents(context);
  const peer = others[(state.sync.index + (committee.index.get(self) ?? 0)) % others.length] as Peer;
  state.sync.index++;
  send(context, [peer], status(state, false));
  // No peer sends anything to a validator that is in no committee: it has to ask.
  scheduleSync(context, isMember(state) ? Math.min(Math.max(state.sync.pause * 2, SYNC_MS), SYNC_IDLE_MS) : SYNC_MS);
}

/** Sends its status at once to the next peer: a decision waits for credits that others have (protocol 4.3). */
export function requestCredits(context: StepContext): void {
  if (mayFetch(context, "credits")) sendStatus(context);
}

function status(
  { sync: { incarnation, applied, logDigest }, ledger, checkpoints: { last: checkpoint } }: ValidatorState,
  answer: boolean,
): Status {
  const { number } = checkpoint.header;
  return { type: "status", incarnation, epoch: ledger.epoch, checkpoint: number, applied, digest: logDigest, answer };
}

/**
 * Handles a peer's status. A validator with an older checkpoint requests the next ones; with the same checkpoint, equal
 * digests mean equal sets above it, otherwise both read the other's application log.
 */
export function receiveStatus(context: StepContext, from: Peer, peer: Status): void {
  const { state } = context;
  const own = state.checkpoints.last.header.number;
  if (peer.epoch > state.ledger.epoch) requestClosing(context, from);
  else if (peer.epoch < state.ledger.epoch) {
    if (!peer.answer) send(context, [from], status(state, true));
  } else if (peer.checkpoint > own)
    requestMissing(context, from, { kind: "checkpoint", number: (peer.checkpoint + 1) as CheckpointNumber });
  else if (peer.checkpoint < own) {
    if (!peer.answer) send(context, [from], status(state, true));
  } else if (peer.digest === state.sync.logDigest) {
    state.sync.cursors.set(from, { incarnation: peer.incarnation, position: peer.applied });
  } else {
    readLog(context, from, peer.incarnation, peer.applied);
    if (!peer.answer) send(context, [from], status(state, true));
  }
}

function readLog(context: StepContext, from: Peer, incarnation: number, applied: number): void {
  const { state } = context;
  const cursor = state.sync.cursors.get(from);
  const position = cursor?.incarnation === incarnation ? cursor.position : 0;
  if (position >= applied) return;
  coverage(context, "log requested");
  send(context, [from], { type: "logRequest", incarnation, from: position });
}

/** Responds with the next page of its application log. */
export function serveLogRequest(context: StepContext, from: Peer, { incarnation, from: position }: LogRequest): void {
  const { state } = context;
  const slots: LedgerSlot[] = [];
  let next = Math.max(position, state.sync.logStart);
  for (; next < state.sync.applied && slots.length < LOG_PAGE; next++) {
    const slot = state.sync.log.get(next);
    if (slot !== undefined) slots.push(slot);
  }
  if (slots.length > 0) send(context, [from], { type: "logPage", incarnation, from: position, next, slots });
}

/** Fetches the slots that a peer has applied and this validator has not decided, then reads on. */
export function receiveLogPage(
  context: StepContext,
  from: Peer,
  { incarnation, from: position, next, slots }: LogPage,
): void {
  const { state } = context;
  const missing = slots.filter((slot) => !isSettled(state, slot) && slotState(state, slot).decided === undefined);
  fetchSlots(context, from, missing);
  // The cursor stays before what is still missing, since a response may be lost.
  state.sync.cursors.set(from, { incarnation, position: missing.length > 0 ? position : next });
  if (slots.length === LOG_PAGE) send(context, [from], { type: "logRequest", incarnation, from: next });
}

/**
 * Adds a fingerprint to a sum modulo 2^52: the same set gives the same sum in any order, and every step is exact in a
 * double. Only a hint that two sets differ; no signature depends on it.
 */
function withFingerprint(sum: number, text: string): number {
  return (sum + fingerprint(text)) % FINGERPRINTS;
}

function withoutFingerprint(sum: number, text: string): number {
  return (sum - fingerprint(text) + FINGERPRINTS) % FINGERPRINTS;
}

const FINGERPRINTS = 0x10000000000000;

function fingerprint(text: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0xcc9e2d51) ^ (high >>> 15);
  }
  return (high >>> 0) * 0x100000 + (low & 0xfffff);
}

/** Empties the log: a transferred state replaces the slots that were applied here. */
export function clearLog({ sync }: ValidatorState): void {
  sync.log.clear();
  sync.logStart = sync.applied;
  sync.logDigest = 0;
}
