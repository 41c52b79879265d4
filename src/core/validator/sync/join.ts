/**
 * Taking over the state of a final checkpoint from peers, where the decisions that lead there are gone (protocol 6.2). No
 * peer is trusted: the certificate proves the checkpoint, its state root proves each piece, and a source that shows a
 * false one, or falls silent, is left for another.
 */
import { present } from "../../base/assert.ts";
import type { Epoch, Hash } from "../../base/ids.ts";
import { isRecovery } from "../../base/operation.ts";
import { digits, isChainSlot, parseSlotKey, slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import { UndoMap } from "../../base/undo-map.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { newSlot, settled } from "../../consensus/slot-state.ts";
import { type Place, pieceAt, withPiece } from "../../ledger/pieces.ts";
import { partRoots, rootWith, STATE_PARTS, type StateHeader } from "../../ledger/roots.ts";
import { stateFault } from "../../ledger/sound.ts";
import { accountOf, type LedgerState } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { drop, dropSettled } from "../checkpoints/prune.ts";
import { forgetEpoch, voidPending } from "../epochs/enter-epoch.ts";
import { halt } from "../halt.ts";
import { PIECES_ASKED, TRANSFER_MS } from "../limits.ts";
import { nonceOf } from "../mempool/pending.ts";
import type { Peer, SnapshotOffer, StatePieces, StateRequest } from "../message.ts";
import { linkKey, SNAPSHOT_KEY } from "../output.ts";
import { type ChainContent, isChainContent } from "../slots/content.ts";
import { openDue } from "../slots/due.ts";
import { endSettled } from "../slots/endings.ts";
import { isSettled } from "../slots/place.ts";
import { persist, slotState } from "../slots/slots.ts";
import { mark, report, send, setTimer } from "../speak.ts";
import { standAt, type Transfer, type ValidatorState } from "../state.ts";
import { provenHeader } from "./follow-links.ts";
import { recall } from "./recall.ts";
import { fetchSlots, scheduleSync } from "./sync.ts";

/** Says that what a peer asks for is gone, and which checkpoint it can take over instead. */
export function offerSnapshot(turn: Turn, to: Peer, epoch: Epoch): void {
  const { state } = turn;
  const { checkpoint } = state;
  const certificate = slotState(state, checkpoint.slot).decided;
  const content = state.contents.get(checkpoint.hash);
  if (certificate === undefined || content === undefined) return;
  const links = [...state.links.values()].filter(({ head }) => head.epoch >= epoch);
  send(turn, [to], { type: "snapshot", links, certificate, content, parts: partRoots(checkpoint.state) });
}

/** A peer offers a checkpoint's state: taken up if it is further on and proves itself, and nothing better is under way. */
export function takeSnapshot(turn: Turn, from: Peer, offer: SnapshotOffer): void {
  const { state } = turn;
  const { transfer } = state;
  const { certificate, content, parts } = offer;
  // Asked for in an epoch that this validator may have left by now.
  const links = offer.links.filter(({ head }) => head.epoch >= state.ledger.epoch);
  if (!isChainContent(content) || content.value.header.number <= state.checkpoint.header.number) return;
  // While a source answers, another's offer changes nothing; its own newer one says that the older state is gone.
  if (transfer !== undefined && (transfer.source !== from || numberOf(transfer) >= content.value.header.number)) return;
  const header = provenHeader(state, { ...offer, links, content });
  if (header === undefined || rootWith(header, parts) !== content.value.header.stateRoot) {
    report(turn, from, "false state", slotKey(certificate.slot));
    return;
  }
  mark(turn, "state asked for");
  const places = STATE_PARTS.map((part, at) => [placeKey({ part, path: "" }), parts[at] as Hash] as const);
  const begun: Transfer = {
    certificate,
    content,
    links,
    source: from,
    wanted: Trie.of(places),
    ledger: emptyWith(state, header),
  };
  state.transfer = begun;
  askForPieces(turn, begun);
}

/** The link was decided in an epoch that may be another one than this validator was in. */
function noteDecided(turn: Turn, certificate: FinalityCertificate, content: ChainContent): void {
  const { state } = turn;
  const { slot, epoch, value } = certificate;
  state.contents = state.contents.set(value, content);
  state.slots = state.slots.set(slotKey(slot), settled(newSlot(slot, epoch), certificate));
  persist(turn, slot);
}

function numberOf({ content }: Transfer): number {
  return content.value.header.number;
}

/** The next source, since this one is silent or lies. */
export function changeSource(turn: Turn): void {
  const { state } = turn;
  const { transfer } = state;
  if (transfer === undefined) return;
  const { others } = state.environment;
  mark(turn, "state source changed");
  const source = others[(others.indexOf(transfer.source) + 1) % others.length] as Peer;
  state.transfer = { ...transfer, source };
  askForPieces(turn, state.transfer);
}

function askForPieces(turn: Turn, { source, content, wanted }: Transfer): void {
  const places = [...wanted.entries()].slice(0, PIECES_ASKED).map(([key]) => placeOf(key));
  const { epoch } = turn.state.ledger;
  send(turn, [source], { type: "stateRequest", epoch, number: content.value.header.number, places });
  setTimer(turn, "transfer", TRANSFER_MS);
}

/** Answers with pieces of a state that is still here, else with an offer of the present one. */
export function takeStateRequest(turn: Turn, from: Peer, { epoch, number, places }: StateRequest): void {
  const base = turn.state.bases.get(digits(number));
  if (base === undefined) {
    offerSnapshot(turn, from, epoch);
    return;
  }
  const pieces: StatePieces["pieces"][number][] = [];
  for (const place of places.slice(0, PIECES_ASKED)) {
    const piece = pieceAt(base, place);
    if (piece !== undefined) pieces.push({ place, piece });
  }
  send(turn, [from], { type: "statePieces", number, pieces });
}

/**
 * Takes pieces that prove themselves, asks for what is below them, and ends with the state whole. Whoever was asked by the key of
 * an old committee may answer by the one that it has now, so it is the piece that counts, not who shows it.
 */
export function takePieces(turn: Turn, from: Peer, { number, pieces }: StatePieces): void {
  const { state } = turn;
  const { transfer } = state;
  if (transfer === undefined || numberOf(transfer) !== number) return;
  if (number <= state.checkpoint.header.number) {
    // Overtaken: what led there has come meanwhile.
    state.transfer = undefined;
    turn.outputs.push({ type: "cancelTimer", name: "transfer" });
    return;
  }
  let { wanted, ledger } = transfer;
  for (const { place, piece } of pieces) {
    const key = placeKey(place);
    const hash = wanted.get(key);
    if (hash === undefined) continue;
    if (!state.environment.rules.validator.pieceHolds(state.environment, place.part, piece, hash)) {
      report(turn, from, "false state", slotKey(transfer.certificate.slot));
      if (from === transfer.source) changeSource(turn);
      return;
    }
    wanted = wanted.delete(key);
    if (piece.type === "entries") ledger = withPiece(ledger, place.part, piece);
    else wanted = wanted.set(`${key}l`, piece.left).set(`${key}r`, piece.right);
  }
  state.transfer = { ...transfer, wanted, ledger };
  if (wanted.size === 0) finish(turn, state.transfer);
  else askForPieces(turn, state.transfer);
}

/**
 * The checkpoint's state becomes this validator's, durable first. Its own records above it are applied again, those that
 * the checkpoint stands for go, and what clients still want of nonces that are used up is unknown here.
 */
function finish(turn: Turn, { certificate, content, links, ledger }: Transfer): void {
  const { state, outputs, agenda } = turn;
  const before = state.ledger.epoch;
  state.transfer = undefined;
  const fault = stateFault(ledger);
  if (fault !== undefined) {
    halt(turn, certificate.slot, `the state that it certifies is none: ${fault}`);
    return;
  }
  for (const link of links) {
    state.links = state.links.set(digits(link.head.epoch), link);
    outputs.push({ type: "persist", key: linkKey(link.head.epoch), record: { of: "link", link } });
  }
  standAt(state, turn.at, content.value, ledger);
  noteDecided(turn, certificate, content);
  outputs.push({ type: "cancelTimer", name: "transfer" });
  outputs.push({ type: "persist", key: SNAPSHOT_KEY, record: { of: "snapshot", certificate, content, state: ledger } });
  mark(turn, "state taken over");
  outputs.push({ type: "event", event: { type: "joined", certificate, content, state: ledger } });
  forgetSettled(turn, before);
  recall(turn);
  for (const { slot, decided } of state.slots.values()) if (decided !== undefined) agenda.push({ do: "apply", slot });
  openDue(turn);
  for (const { submission } of state.pending.values()) {
    if (!isRecovery(submission)) agenda.push({ do: "advance", address: submission.sender });
  }
  agenda.push({ do: "judgeAgain", prefix: "" }, { do: "checkpoint" });
  askForWarrants(turn);
  scheduleSync(turn, 0);
}

function forgetSettled(turn: Turn, epoch: Epoch): void {
  const { state } = turn;
  const isLater = state.ledger.epoch > epoch;
  if (isLater) forgetEpoch(turn);
  state.log = UndoMap.empty();
  state.logStart = state.applied;
  state.logDigest = 0;
  state.turns = Trie.empty();
  state.dueSince = Trie.empty();
  for (const [key, { slot }] of state.slots.entries())
    if (!isChainSlot(slot) && isSettled(state, slot)) drop(turn, key);
  dropSettled(turn);
  for (const [id, { submission }] of state.pending.entries()) {
    const { account, nonce } = nonceOf(submission);
    if (nonce < accountOf(state.ledger, account).nonce) endSettled(turn, id as Hash);
  }
  if (isLater) voidPending(turn, epoch);
}

/** The certificates of what waits to be executed came with no checkpoint: a proposer has to show them (protocol 3, table). */
function askForWarrants(turn: Turn): void {
  const { state } = turn;
  const missing = [...state.ledger.authorised.values()]
    .filter(({ authorisedBy }) => state.slots.get(authorisedBy)?.decided === undefined)
    .map(({ authorisedBy }) => parseSlotKey(authorisedBy));
  for (const peer of state.environment.others) fetchSlots(turn, peer, missing);
}

function placeKey({ part, path }: Place): string {
  return `${part} ${path}`;
}

function placeOf(key: string): Place {
  const [part, path = ""] = key.split(" ");
  return {
    part: present(
      STATE_PARTS.find((known) => known === part),
      `part ${part}`,
    ),
    path,
  };
}

function emptyWith({ environment }: ValidatorState, header: StateHeader): LedgerState {
  const nothing = Trie.empty<never>();
  const parts = Object.fromEntries(STATE_PARTS.map((part) => [part, nothing]));
  return { ...environment.genesis, ...header, ...parts, authorisedKeys: nothing };
}
