/** Getting what one lacks: earlier slots, contents, and what a peer has applied (design 3.1; 4.3). */
import type { Hash, Sequence, Version } from "../base/ids.ts";
import { digits, type Slot, sequencePrefix, slotKey } from "../base/slot.ts";
import { takeFinality } from "../consensus/agreement.ts";
import { accountOf, versionOf } from "../ledger/state.ts";
import type { Turn } from "./agenda.ts";
import type { Content } from "./content.ts";
import { takeContent } from "./contents.ts";
import { FETCH_COUNT, FETCH_MS, LOG_PAGE, SYNC_IDLE_MS, SYNC_MS } from "./limits.ts";
import type { Decisions, Fetch, LogPage, LogRequest, Peer, Status } from "./message.ts";
import { onSlot, slotState } from "./slots.ts";
import { mark, send, setTimer } from "./speak.ts";
import type { ValidatorState } from "./state.ts";

/** Asks a peer for the decisions of a sequence that come before `slot` and are not here. */
export function askFor(turn: Turn, from: Peer, slot: Slot): void {
  const { state } = turn;
  const missing: Slot[] = [];
  const upTo = slot.kind === "account" ? slot.sequence : slot.version;
  for (let number = nextNumber(state, slot); number < upTo && missing.length < FETCH_COUNT; number++) {
    const earlier: Slot =
      slot.kind === "account" ? { ...slot, sequence: number as Sequence } : { ...slot, version: number as Version };
    if (slotState(state, earlier).decided === undefined) missing.push(earlier);
  }
  if (missing.length === 0 || !mayFetch(turn, `${from} ${sequencePrefix(slot)}`)) return;
  mark(turn, "gap fetched");
  send(turn, [from], { type: "fetch", slots: missing, values: [] });
}

/** Asks a peer for a value's content; `slot` is revisited when it comes. */
export function wantContent(turn: Turn, from: readonly Peer[], slot: Slot, value: Hash): void {
  const { state } = turn;
  state.wanted = state.wanted.set(`${value} ${slotKey(slot)}`, slot);
  const peers = from.filter((peer) => peer !== state.environment.self);
  if (mayFetch(turn, `${peers[0] ?? ""} ${value}`)) send(turn, peers, { type: "fetch", slots: [], values: [value] });
}

function mayFetch(turn: Turn, key: string): boolean {
  const { state } = turn;
  const last = state.fetched.get(key);
  if (last !== undefined && turn.at < last + FETCH_MS) return false;
  state.fetched = state.fetched.set(key, turn.at);
  return true;
}

function nextNumber(state: ValidatorState, slot: Slot): number {
  return slot.kind === "account" ? accountOf(state.ledger, slot.address).sequence : versionOf(state.ledger, slot.token);
}

/** Answers with the decisions and contents that are here. */
export function takeFetch(turn: Turn, from: Peer, { slots, values }: Fetch): void {
  const { state } = turn;
  const decided: Decisions["decided"][number][] = [];
  for (const slot of slots.slice(0, FETCH_COUNT)) {
    const decision = decisionOf(state, slot);
    if (decision !== undefined) decided.push(decision);
  }
  const contents: Content[] = [];
  for (const value of values.slice(0, FETCH_COUNT)) {
    const content = state.contents.get(value);
    if (content !== undefined) contents.push(content);
  }
  if (decided.length + contents.length > 0) send(turn, [from], { type: "decisions", decided, contents });
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
    takeContent(turn, from, content);
    onSlot(turn, certificate.slot, turn.state.environment.self, (context, transition) =>
      takeFinality(context, transition, certificate, false),
    );
  }
}

/** Notes a newly applied slot, and compares with a peer soon. */
export function noteApplied(turn: Turn, slot: Slot): void {
  const { state } = turn;
  state.log = state.log.set(digits(state.log.size), slot);
  state.logDigest = addFingerprint(state.logDigest, slotKey(slot));
  if (state.syncPause !== SYNC_MS) scheduleSync(turn, SYNC_MS);
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
  const peer = others[(state.syncTurn + (committee.index.get(self) ?? 0)) % others.length] as Peer;
  state.syncTurn++;
  send(turn, [peer], status(state, false));
  scheduleSync(turn, Math.min(Math.max(state.syncPause * 2, SYNC_MS), SYNC_IDLE_MS));
}

/** Asks at once, of the peer whose turn it is: a decision waits for credits that others have (design 4.3). */
export function askForCredits(turn: Turn): void {
  if (mayFetch(turn, "credits")) compareWithPeer(turn);
}

function status(state: ValidatorState, answer: boolean): Status {
  return { type: "status", incarnation: state.incarnation, applied: state.log.size, digest: state.logDigest, answer };
}

/** A peer says how far it is: equal digests mean equal sets, otherwise both read what the other has applied. */
export function takeStatus(turn: Turn, from: Peer, peer: Status): void {
  const { state } = turn;
  if (peer.digest === state.logDigest) {
    state.cursors = state.cursors.set(from, { incarnation: peer.incarnation, position: peer.applied });
    return;
  }
  readLog(turn, from, peer.incarnation, peer.applied);
  if (!peer.answer) send(turn, [from], status(state, true));
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
  const slots: Slot[] = [];
  for (let i = position; i < state.log.size && slots.length < LOG_PAGE; i++) {
    const slot = state.log.get(digits(i));
    if (slot !== undefined) slots.push(slot);
  }
  if (slots.length > 0) send(turn, [from], { type: "logPage", incarnation, from: position, slots });
}

/** Fetches what a peer has applied and this validator has not decided, then reads on. */
export function takeLogPage(turn: Turn, from: Peer, page: LogPage): void {
  const { state } = turn;
  const missing = page.slots.filter((slot) => slotState(state, slot).decided === undefined);
  for (let i = 0; i < missing.length; i += FETCH_COUNT) {
    send(turn, [from], { type: "fetch", slots: missing.slice(i, i + FETCH_COUNT), values: [] });
  }
  // The cursor stays before what is still missing, since an answer may get lost.
  const first = missing[0];
  const position = page.from + (first === undefined ? page.slots.length : page.slots.indexOf(first));
  state.cursors = state.cursors.set(from, { incarnation: page.incarnation, position });
  if (page.slots.length === LOG_PAGE) {
    send(turn, [from], { type: "logRequest", incarnation: page.incarnation, from: page.from + page.slots.length });
  }
}

/**
 * Adds a 52-bit fingerprint of a text to a sum modulo 2^52: the same set gives the same sum in any order, and every
 * step is exact in a double. Only a hint that two sets differ; nothing that is signed depends on it.
 */
function addFingerprint(sum: number, text: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0xcc9e2d51) ^ (high >>> 15);
  }
  const fingerprint = (high >>> 0) * 0x100000 + (low & 0xfffff);
  return (sum + fingerprint) % 0x10000000000000;
}
