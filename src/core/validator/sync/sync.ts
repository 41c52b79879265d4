/** Getting what one lacks: earlier slots, contents, and what a peer has applied (protocol 10; 4.3). */
import type { CheckpointNumber, Hash } from "../../base/ids.ts";
import {
  digits,
  isChainSlot,
  type LedgerSlot,
  type Slot,
  sequencePrefix,
  slotAt,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { takeFinality } from "../../consensus/agreement.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { Turn } from "../agenda.ts";
import { askForEpoch } from "../epochs/abstain.ts";
import { FETCH_COUNT, FETCH_MS, LOG_PAGE, SYNC_IDLE_MS, SYNC_MS } from "../limits.ts";
import type { Decisions, Fetch, LogPage, LogRequest, Peer, Status } from "../message.ts";
import type { Content } from "../slots/content.ts";
import { takeContent } from "../slots/contents.ts";
import { isSettled, isWarrant, nextNumber } from "../slots/place.ts";
import { onSlot, slotState } from "../slots/slots.ts";
import { mark, send, setTimer } from "../speak.ts";
import type { ValidatorState } from "../state.ts";

/** Asks a peer for the decisions of a sequence that come before `slot` and are not here. */
export function askFor(turn: Turn, from: Peer, slot: Slot): void {
  const { state } = turn;
  const key = `${from} ${sequencePrefix(slot)}`;
  // Anybody may name a slot far ahead: it is looked for what is missing below it as often as that may be asked for.
  if (!isFetchDue(turn, key)) return;
  const missing: Slot[] = [];
  for (let number = nextNumber(state, slot); number < slotNumber(slot) && missing.length < FETCH_COUNT; number++) {
    const earlier = slotAt(slot, number);
    if (slotState(state, earlier).decided === undefined) missing.push(earlier);
  }
  if (missing.length === 0 || !mayFetch(turn, key)) return;
  mark(turn, "gap fetched");
  fetch(turn, [from], missing, []);
}

/** Asks a peer for the decisions of these slots. */
export function fetchSlots(turn: Turn, from: Peer, slots: readonly Slot[]): void {
  if (from === turn.state.environment.self) return;
  for (let i = 0; i < slots.length; i += FETCH_COUNT) {
    fetch(turn, [from], slots.slice(i, i + FETCH_COUNT), []);
  }
}

/** Asks a peer for a value's content; `slot` is revisited when it comes. */
export function wantContent(turn: Turn, from: readonly Peer[], slot: Slot, value: Hash): void {
  want(turn, from, slot, value, []);
}

function want(turn: Turn, from: readonly Peer[], slot: Slot, value: Hash, slots: readonly Slot[]): void {
  const { state } = turn;
  state.wanted = state.wanted.set(`${value} ${slotKey(slot)}`, slot);
  const peers = from.filter((peer) => peer !== state.environment.self);
  if (mayFetch(turn, `${peers[0] ?? ""} ${value}`)) fetch(turn, peers, slots, [value]);
}

/** Applies again, and so asks again, what is decided and lacks its content: an answer may have been lost. */
function wantAgain({ state, agenda }: Turn): void {
  for (const slot of state.wanted.values())
    if (slotState(state, slot).decided !== undefined) agenda.push({ do: "apply", slot });
}

/** A peer is in a later epoch: asks it how this one closed, or again for whatever the closing still waits for here. */
export function askForClosing(turn: Turn, from: Peer): void {
  const { state } = turn;
  const slot: Slot = { kind: "epoch", epoch: state.ledger.epoch };
  if (!mayFetch(turn, `${from} epoch`)) return;
  mark(turn, "epoch behind");
  if (slotState(state, slot).decided === undefined) fetch(turn, [from], [slot], []);
  else turn.agenda.push({ do: "closing" });
}

/** A peer is in an earlier epoch: says so, and it asks. */
export function tellEpoch(turn: Turn, to: Peer): void {
  if (to !== turn.state.environment.self && mayFetch(turn, `${to} told`)) send(turn, [to], status(turn.state, true));
}

function fetch(turn: Turn, to: readonly Peer[], slots: readonly Slot[], values: readonly Hash[]): void {
  send(turn, to, { type: "fetch", epoch: turn.state.ledger.epoch, slots, values });
}

/** Returns what a certificate decides; `undefined` where it is not here, and then asks those who committed to it. */
export function contentOfDecision(turn: Turn, { slot, value, seals }: FinalityCertificate): Content | undefined {
  const content = turn.state.contents.get(value);
  if (content !== undefined) return content;
  mark(turn, "decision waited for content");
  const signers = seals.map(({ signer }) => signer);
  // By its slot, too: a peer whose content is pruned says which checkpoint stands for it.
  want(turn, signers, slot, value, [slot]);
  return undefined;
}

function isFetchDue({ state, at }: Turn, key: string): boolean {
  const last = state.fetched.get(key);
  return last === undefined || at >= last + FETCH_MS;
}

function mayFetch(turn: Turn, key: string): boolean {
  const { state } = turn;
  if (!isFetchDue(turn, key)) return false;
  state.fetched = state.fetched.set(key, turn.at);
  return true;
}

/** Answers with the decisions and contents that are here, or says which checkpoint stands for what is asked. */
export function takeFetch(turn: Turn, from: Peer, { epoch, slots, values }: Fetch): void {
  const { state } = turn;
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
  if (decided.length + contents.length > 0) send(turn, [from], { type: "decisions", decided, contents });
  if (isGone) turn.agenda.push({ do: "gone", to: from, epoch, whole: slots.some(isChainSlot) });
}

/** A record that is gone: whoever asks for it takes the checkpoint that stands for it. */
export function tellCheckpoint(turn: Turn, to: Peer): void {
  mark(turn, "settled slot asked for");
  if (to !== turn.state.environment.self) send(turn, [to], status(turn.state, true));
}

/** A slot's decision, where it and its content are here. */
export function decisionOf(state: ValidatorState, slot: Slot): Decisions["decided"][number] | undefined {
  const certificate = slotState(state, slot).decided;
  const content = certificate === undefined ? undefined : state.contents.get(certificate.value);
  return certificate === undefined || content === undefined ? undefined : { certificate, content };
}

/** Takes decisions over: each proves itself, whoever sent it. */
export function takeDecisions(turn: Turn, from: Peer, { decided, contents }: Decisions): void {
  for (const content of contents) takeContent(turn, from, content);
  for (const { certificate, content } of decided) {
    if (isSettled(turn.state, certificate.slot) && !isMissingWarrant(turn.state, certificate.slot)) continue;
    takeContent(turn, from, content);
    onSlot(turn, certificate.slot, turn.state.environment.self, (context, transition) =>
      takeFinality(context, transition, certificate, false),
    );
  }
}

/** Notes a newly applied slot, and compares with a peer soon. */
export function noteApplied(turn: Turn, slot: LedgerSlot): void {
  const { state } = turn;
  state.log = state.log.set(digits(state.applied), slot);
  state.applied++;
  state.logDigest = withFingerprint(state.logDigest, slotKey(slot));
  if (state.syncPause !== SYNC_MS) scheduleSync(turn, SYNC_MS);
}

/** Takes out of the log what a checkpoint lists: mostly its oldest entries, and what comes after them is not read. */
export function forgetListed(turn: Turn, slots: readonly LedgerSlot[]): void {
  const { state } = turn;
  const listed = new Set(slots.map(slotKey));
  for (const [position, slot] of state.log.entries()) {
    if (listed.size === 0) break;
    if (!listed.delete(slotKey(slot))) continue;
    state.log = state.log.delete(position);
    state.logDigest = withoutFingerprint(state.logDigest, slotKey(slot));
  }
  while (state.logStart < state.applied && !state.log.has(digits(state.logStart))) state.logStart++;
}

/** Sets the next comparison with a peer. */
export function scheduleSync(turn: Turn, pause: number): void {
  turn.state.syncPause = pause;
  setTimer(turn, "sync", pause, true);
}

/** Tells one peer after the other how far this validator is, ever more seldom while nothing happens. */
export function compareWithPeer(turn: Turn): void {
  const { state } = turn;
  const { others, committee, self } = state.environment;
  if (others.length === 0) return;
  askForEpoch(turn);
  wantAgain(turn);
  const peer = others[(state.syncTurn + (committee.index.get(self) ?? 0)) % others.length] as Peer;
  state.syncTurn++;
  send(turn, [peer], status(state, false));
  // Nobody sends anything to a validator that is in no committee: it has to ask.
  const isMember = committee.index.has(self);
  scheduleSync(turn, isMember ? Math.min(Math.max(state.syncPause * 2, SYNC_MS), SYNC_IDLE_MS) : SYNC_MS);
}

/** Asks at once, of the peer whose turn it is: a decision waits for credits that others have (protocol 4.3). */
export function askForCredits(turn: Turn): void {
  if (mayFetch(turn, "credits")) compareWithPeer(turn);
}

function status({ incarnation, ledger, checkpoint, applied, logDigest }: ValidatorState, answer: boolean): Status {
  const { number } = checkpoint.header;
  return { type: "status", incarnation, epoch: ledger.epoch, checkpoint: number, applied, digest: logDigest, answer };
}

/**
 * A peer says how far it is. Whoever is a checkpoint behind asks for the next ones; with the same checkpoint, equal
 * digests mean equal sets above it, otherwise both read what the other has applied.
 */
export function takeStatus(turn: Turn, from: Peer, peer: Status): void {
  const { state } = turn;
  const own = state.checkpoint.header.number;
  if (peer.epoch > state.ledger.epoch) askForClosing(turn, from);
  else if (peer.epoch < state.ledger.epoch) {
    if (!peer.answer) send(turn, [from], status(state, true));
  } else if (peer.checkpoint > own)
    askFor(turn, from, { kind: "checkpoint", number: (peer.checkpoint + 1) as CheckpointNumber });
  else if (peer.checkpoint < own) {
    if (!peer.answer) send(turn, [from], status(state, true));
  } else if (peer.digest === state.logDigest) {
    state.cursors = state.cursors.set(from, { incarnation: peer.incarnation, position: peer.applied });
  } else {
    readLog(turn, from, peer.incarnation, peer.applied);
    if (!peer.answer) send(turn, [from], status(state, true));
  }
}

function readLog(turn: Turn, from: Peer, incarnation: number, applied: number): void {
  const { state } = turn;
  const cursor = state.cursors.get(from);
  const position = cursor?.incarnation === incarnation ? cursor.position : 0;
  if (position >= applied) return;
  mark(turn, "log pulled");
  send(turn, [from], { type: "logRequest", incarnation, from: position });
}

/** Answers with the next page of the own application log. */
export function takeLogRequest(turn: Turn, from: Peer, { incarnation, from: position }: LogRequest): void {
  const { state } = turn;
  const slots: LedgerSlot[] = [];
  let next = Math.max(position, state.logStart);
  for (; next < state.applied && slots.length < LOG_PAGE; next++) {
    const slot = state.log.get(digits(next));
    if (slot !== undefined) slots.push(slot);
  }
  if (slots.length > 0) send(turn, [from], { type: "logPage", incarnation, from: position, next, slots });
}

/** Fetches what a peer has applied and this validator has not decided, then reads on. */
export function takeLogPage(turn: Turn, from: Peer, { incarnation, from: position, next, slots }: LogPage): void {
  const { state } = turn;
  const missing = slots.filter((slot) => !isSettled(state, slot) && slotState(state, slot).decided === undefined);
  fetchSlots(turn, from, missing);
  // The cursor stays before what is still missing, since an answer may get lost.
  state.cursors = state.cursors.set(from, { incarnation, position: missing.length > 0 ? position : next });
  if (slots.length === LOG_PAGE) send(turn, [from], { type: "logRequest", incarnation, from: next });
}

/** Whether this slot authorised something that still waits, and its certificate came with no checkpoint. */
function isMissingWarrant(state: ValidatorState, slot: Slot): boolean {
  return state.slots.get(slotKey(slot))?.decided === undefined && isWarrant(state.ledger, slot);
}

/**
 * Adds a fingerprint to a sum modulo 2^52: the same set gives the same sum in any order, and every step is exact in a
 * double. Only a hint that two sets differ; nothing that is signed depends on it.
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
