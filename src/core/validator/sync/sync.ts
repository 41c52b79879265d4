/** Synchronization: missing slots, contents, and the slots that a peer has applied (protocol 10; 4.3). */
import type { CheckpointNumber, Hash } from "../../base/ids.ts";
import {
  isChainSlot,
  type LedgerSlot,
  paddedNumber,
  type Slot,
  sequencePrefix,
  slotAt,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { receiveFinality } from "../../consensus/agreement.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { Content } from "../content.ts";
import { FETCH_COUNT, FETCH_MS, LOG_PAGE, SYNC_IDLE_MS, SYNC_MS } from "../limits.ts";
import type { Decisions, Fetch, LogPage, LogRequest, Peer, Status } from "../message.ts";
import { isSettled, isWarrant, nextNumber } from "../slot-position.ts";
import { receiveContent } from "../slots/contents.ts";
import { onSlot, slotState } from "../slots/slots.ts";
import type { ValidatorState } from "../state.ts";
import { coverage, type StepContext, send, setTimer } from "../step-context.ts";
import { queryEpochs } from "./abstain.ts";

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

/** Requests a value's content from a peer; `slot` is rechecked when it comes. */
export function requestContent(context: StepContext, from: readonly Peer[], slot: Slot, value: Hash): void {
  requestMissingContent(context, from, slot, value, []);
}

function requestMissingContent(
  context: StepContext,
  from: readonly Peer[],
  slot: Slot,
  value: Hash,
  slots: readonly Slot[],
): void {
  const { state } = context;
  state.missingContents = state.missingContents.set(`${value} ${slotKey(slot)}`, slot);
  const peers = from.filter((peer) => peer !== state.environment.self);
  if (mayFetch(context, `${peers[0] ?? ""} ${value}`)) fetch(context, peers, slots, [value]);
}

/** Applies again, and so requests again, the decisions without content: a response may have been lost. */
function requestMissingContents({ state, agenda }: StepContext): void {
  for (const slot of state.missingContents.values())
    if (slotState(state, slot).decided !== undefined) agenda.push({ do: "apply", slot });
}

/** Asks a peer of a later epoch how this epoch closed, or for what the closing still lacks here. */
export function requestClosing(context: StepContext, from: Peer): void {
  const { state } = context;
  const slot: Slot = { kind: "epoch", epoch: state.ledger.epoch };
  if (!mayFetch(context, `${from} epoch`)) return;
  coverage(context, "epoch behind");
  if (slotState(state, slot).decided === undefined) fetch(context, [from], [slot], []);
  else context.agenda.push({ do: "closing" });
}

/** Tells a peer of an earlier epoch that it is behind, so that it asks. */
export function sendEpoch(context: StepContext, to: Peer): void {
  if (to !== context.state.environment.self && mayFetch(context, `${to} told`))
    send(context, [to], status(context.state, true));
}

function fetch(context: StepContext, to: readonly Peer[], slots: readonly Slot[], values: readonly Hash[]): void {
  send(context, to, { type: "fetch", epoch: context.state.ledger.epoch, slots, values });
}

/**
 * Returns the content that a certificate decides; if it is missing, returns `undefined` and requests it from the
 * signers.
 */
export function contentOfDecision(
  context: StepContext,
  { slot, value, seals }: FinalityCertificate,
): Content | undefined {
  const content = context.state.contents.get(value);
  if (content !== undefined) return content;
  coverage(context, "decision waited for content");
  const signers = seals.map(({ signer }) => signer);
  // By its slot, too: a peer whose content is pruned responds with the checkpoint that replaces it.
  requestMissingContent(context, signers, slot, value, [slot]);
  return undefined;
}

function isFetchDue({ state, at }: StepContext, key: string): boolean {
  const last = state.fetched.get(key);
  return last === undefined || at >= last + FETCH_MS;
}

function mayFetch(context: StepContext, key: string): boolean {
  const { state } = context;
  if (!isFetchDue(context, key)) return false;
  state.fetched = state.fetched.set(key, context.at);
  return true;
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
    const content = state.contents.get(value);
    if (content !== undefined) contents.push(content);
  }
  if (decided.length + contents.length > 0) send(context, [from], { type: "decisions", decided, contents });
  if (isGone) context.agenda.push({ do: "gone", to: from, epoch, whole: slots.some(isChainSlot) });
}

/** Responds to a request for a pruned record with the checkpoint that replaces it. */
export function sendCheckpoint(context: StepContext, to: Peer): void {
  coverage(context, "settled slot asked for");
  if (to !== context.state.environment.self) send(context, [to], status(context.state, true));
}

/** Returns a slot's decision if it and its content are here. */
export function decisionOf(state: ValidatorState, slot: Slot): Decisions["decided"][number] | undefined {
  const certificate = slotState(state, slot).decided;
  const content = certificate === undefined ? undefined : state.contents.get(certificate.value);
  return certificate === undefined || content === undefined ? undefined : { certificate, content };
}

/** Applies received decisions: each proves itself, from any sender. */
export function receiveDecisions(stepContext: StepContext, from: Peer, { decided, contents }: Decisions): void {
  for (const content of contents) receiveContent(stepContext, from, content);
  for (const { certificate, content } of decided) {
    if (isSettled(stepContext.state, certificate.slot) && !isMissingWarrant(stepContext.state, certificate.slot))
      continue;
    receiveContent(stepContext, from, content);
    onSlot(stepContext, certificate.slot, stepContext.state.environment.self, (context, transition) =>
      receiveFinality(context, transition, certificate, false),
    );
  }
}

/** Records a newly applied slot, and schedules a status exchange soon. */
export function recordApplied(context: StepContext, slot: LedgerSlot): void {
  const { state } = context;
  state.log = state.log.set(paddedNumber(state.applied), slot);
  state.applied++;
  state.logDigest = withFingerprint(state.logDigest, slotKey(slot));
  if (state.syncPause !== SYNC_MS) scheduleSync(context, SYNC_MS);
}

/** Removes listed slots from the log: mostly its oldest entries; later ones are not read. */
export function dropListed(context: StepContext, slots: readonly LedgerSlot[]): void {
  const { state } = context;
  const listed = new Set(slots.map(slotKey));
  for (const [position, slot] of state.log.entries()) {
    if (listed.size === 0) break;
    if (!listed.delete(slotKey(slot))) continue;
    state.log = state.log.delete(position);
    state.logDigest = withoutFingerprint(state.logDigest, slotKey(slot));
  }
  while (state.logStart < state.applied && !state.log.has(paddedNumber(state.logStart))) state.logStart++;
}

/** Sets the timer of the next status exchange. */
export function scheduleSync(context: StepContext, pause: number): void {
  context.state.syncPause = pause;
  setTimer(context, "sync", pause, true);
}

/** Sends its status to one peer after the other, ever more rarely while nothing is applied. */
export function sendStatus(context: StepContext): void {
  const { state } = context;
  const { others, committee, self } = state.environment;
  if (others.length === 0) return;
  queryEpochs(context);
  requestMissingContents(context);
  const peer = others[(state.syncIndex + (committee.index.get(self) ?? 0)) % others.length] as Peer;
  state.syncIndex++;
  send(context, [peer], status(state, false));
  // No peer sends anything to a validator that is in no committee: it has to ask.
  const isMember = committee.index.has(self);
  scheduleSync(context, isMember ? Math.min(Math.max(state.syncPause * 2, SYNC_MS), SYNC_IDLE_MS) : SYNC_MS);
}

/** Sends its status at once to the next peer: a decision waits for credits that others have (protocol 4.3). */
export function requestCredits(context: StepContext): void {
  if (mayFetch(context, "credits")) sendStatus(context);
}

function status({ incarnation, ledger, checkpoint, applied, logDigest }: ValidatorState, answer: boolean): Status {
  const { number } = checkpoint.header;
  return { type: "status", incarnation, epoch: ledger.epoch, checkpoint: number, applied, digest: logDigest, answer };
}

/**
 * Handles a peer's status. A validator with an older checkpoint requests the next ones; with the same checkpoint, equal
 * digests mean equal sets above it, otherwise both read the other's application log.
 */
export function receiveStatus(context: StepContext, from: Peer, peer: Status): void {
  const { state } = context;
  const own = state.checkpoint.header.number;
  if (peer.epoch > state.ledger.epoch) requestClosing(context, from);
  else if (peer.epoch < state.ledger.epoch) {
    if (!peer.answer) send(context, [from], status(state, true));
  } else if (peer.checkpoint > own)
    requestMissing(context, from, { kind: "checkpoint", number: (peer.checkpoint + 1) as CheckpointNumber });
  else if (peer.checkpoint < own) {
    if (!peer.answer) send(context, [from], status(state, true));
  } else if (peer.digest === state.logDigest) {
    state.cursors = state.cursors.set(from, { incarnation: peer.incarnation, position: peer.applied });
  } else {
    readLog(context, from, peer.incarnation, peer.applied);
    if (!peer.answer) send(context, [from], status(state, true));
  }
}

function readLog(context: StepContext, from: Peer, incarnation: number, applied: number): void {
  const { state } = context;
  const cursor = state.cursors.get(from);
  const position = cursor?.incarnation === incarnation ? cursor.position : 0;
  if (position >= applied) return;
  coverage(context, "log pulled");
  send(context, [from], { type: "logRequest", incarnation, from: position });
}

/** Responds with the next page of its application log. */
export function serveLogRequest(context: StepContext, from: Peer, { incarnation, from: position }: LogRequest): void {
  const { state } = context;
  const slots: LedgerSlot[] = [];
  let next = Math.max(position, state.logStart);
  for (; next < state.applied && slots.length < LOG_PAGE; next++) {
    const slot = state.log.get(paddedNumber(next));
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
  state.cursors = state.cursors.set(from, { incarnation, position: missing.length > 0 ? position : next });
  if (slots.length === LOG_PAGE) send(context, [from], { type: "logRequest", incarnation, from: next });
}

/**
 * Returns true if this slot authorised an operation that still waits, and its certificate is missing after a state
 * transfer.
 */
function isMissingWarrant(state: ValidatorState, slot: Slot): boolean {
  return state.slots.get(slotKey(slot))?.decided === undefined && isWarrant(state.ledger, slot);
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
