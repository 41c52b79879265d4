/**
 * State transfer of a final checkpoint from peers after the decisions that lead there are pruned (protocol 6.2). No
 * peer is trusted: the certificate proves the checkpoint, its state root proves each piece, and a source that sends a
 * false one, or is silent, is replaced by another.
 */

import { required } from "../../base/assert.ts";
import type { Epoch, Hash } from "../../base/ids.ts";
import { isRecovery } from "../../base/operation.ts";
import { slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { decidedRecord, newSlot } from "../../consensus/slot-state.ts";
import { type PieceLocation, pieceAt, stateFault, withPiece } from "../../ledger/pieces.ts";
import { partRoots, rootOfParts, STATE_PARTS, type StateHeader } from "../../ledger/roots.ts";
import { accountOf, type LedgerState } from "../../ledger/state.ts";
import { resetToChainLink } from "../checkpoints/apply-checkpoint.ts";
import { dropReplaced } from "../checkpoints/prune.ts";
import { type ChainContent, isChainContent } from "../content.ts";
import { addLink, clearEpochState, voidPending } from "../epochs/apply-closing.ts";
import { PIECES_REQUESTED, TRANSFER_MS } from "../limits.ts";
import { finishSettled } from "../mempool/outcomes.ts";
import type { Peer, SnapshotOffer, StatePieces, StateRequest } from "../message.ts";
import { epochLinkKey, SNAPSHOT_KEY } from "../output.ts";
import { openDueSlots, recall } from "../slots/derived-state.ts";
import { dropReplacedSlots } from "../slots/prune.ts";
import { keepContent, persist, setRecord } from "../slots/slots.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, halt, report, type StepContext, send, setTimer } from "../step-context.ts";
import type { Transfer } from "../sub-states.ts";
import { clearLog, scheduleSync } from "../sync/status.ts";
import { provenHeader } from "./follow-links.ts";

/** Offers a peer the checkpoint that replaces the pruned records it requested. */
export function offerSnapshot(context: StepContext, to: Peer, epoch: Epoch): void {
  const { state } = context;
  const checkpoint = state.checkpoints.last;
  const certificate = slotState(state, checkpoint.slot).decided;
  const content = state.slots.contents.get(checkpoint.hash);
  if (certificate === undefined || content === undefined) return;
  const links = [...state.epochs.links.values()].filter(({ head }) => head.epoch >= epoch);
  send(context, [to], { type: "snapshot", links, certificate, content, parts: partRoots(checkpoint.state) });
}

/** Starts the transfer of an offered state if it is ahead and proves itself, and no better transfer is running. */
export function receiveSnapshot(context: StepContext, from: Peer, offer: SnapshotOffer): void {
  const { state } = context;
  const { transfer } = state;
  const { certificate, content, parts } = offer;
  // Requested in an epoch that this validator may have left by now.
  const links = offer.links.filter(({ head }) => head.epoch >= state.ledger.epoch);
  if (!isChainContent(content) || content.value.header.number <= state.checkpoints.last.header.number) return;
  // While a source responds, another's offer changes nothing; its own newer one means that the older state is pruned.
  if (transfer !== undefined && (transfer.source !== from || numberOf(transfer) >= content.value.header.number)) return;
  const header = provenHeader(state, { ...offer, links, content });
  if (header === undefined || rootOfParts(header, parts) !== content.value.header.stateRoot) {
    report(context, from, "false state", slotKey(certificate.slot));
    return;
  }
  coverage(context, "state requested");
  const locations = STATE_PARTS.map((part, at) => [locationKey({ part, path: "" }), parts[at] as Hash] as const);
  const begun: Transfer = {
    certificate,
    content,
    links,
    source: from,
    missingPieces: Trie.of(locations),
    ledger: emptyWith(state, header),
  };
  state.transfer = begun;
  requestPieces(context, begun);
}

/** The chain link was decided in an epoch that may be another one than this validator was in. */
function noteDecided(context: StepContext, certificate: FinalityCertificate, content: ChainContent): void {
  const { state } = context;
  const { slot, epoch } = certificate;
  keepContent(state, content);
  setRecord(state, decidedRecord(newSlot(slot, epoch), certificate));
  persist(context, slot);
}

function numberOf({ content }: Transfer): number {
  return content.value.header.number;
}

/** Continues with the next source, since this one is silent or Byzantine. */
export function changeSource(context: StepContext): void {
  const { state } = context;
  const { transfer } = state;
  if (transfer === undefined) return;
  const { others } = state.environment;
  coverage(context, "state source changed");
  const source = others[(others.indexOf(transfer.source) + 1) % others.length] as Peer;
  state.transfer = { ...transfer, source };
  requestPieces(context, state.transfer);
}

function requestPieces(context: StepContext, { source, content, missingPieces: wanted }: Transfer): void {
  const locations = [...wanted.entries()].slice(0, PIECES_REQUESTED).map(([key]) => locationOf(key));
  const { epoch } = context.state.ledger;
  send(context, [source], { type: "stateRequest", epoch, number: content.value.header.number, places: locations });
  setTimer(context, "transfer", TRANSFER_MS);
}

/** Responds with pieces of a state that is still here, else with an offer of the present one. */
export function serveState(context: StepContext, from: Peer, { epoch, number, places: locations }: StateRequest): void {
  const base = context.state.checkpoints.states.get(number);
  if (base === undefined) {
    offerSnapshot(context, from, epoch);
    return;
  }
  const pieces: StatePieces["pieces"][number][] = [];
  for (const location of locations.slice(0, PIECES_REQUESTED)) {
    const piece = pieceAt(base, location);
    if (piece !== undefined) pieces.push({ place: location, piece });
  }
  send(context, [from], { type: "statePieces", number, pieces });
}

/**
 * Stores pieces that prove themselves, requests those below them, and finishes once the state is complete. A source
 * asked under its key of an old committee may respond with its present key, so the piece counts, not its sender.
 */
export function receivePieces(context: StepContext, from: Peer, { number, pieces }: StatePieces): void {
  const { state } = context;
  const { transfer } = state;
  if (transfer === undefined || numberOf(transfer) !== number) return;
  if (number <= state.checkpoints.last.header.number) {
    // Outdated: the decisions that lead there have arrived meanwhile.
    state.transfer = undefined;
    context.outputs.push({ type: "cancelTimer", name: "transfer" });
    return;
  }
  let { missingPieces: wanted, ledger } = transfer;
  for (const { place: location, piece } of pieces) {
    const key = locationKey(location);
    const hash = wanted.get(key);
    if (hash === undefined) continue;
    if (!state.environment.rules.validator.isValidPiece(state.environment, location.part, piece, hash)) {
      report(context, from, "false state", slotKey(transfer.certificate.slot));
      if (from === transfer.source) changeSource(context);
      return;
    }
    wanted = wanted.delete(key);
    if (piece.type === "entries") ledger = withPiece(ledger, location.part, piece);
    else wanted = wanted.set(`${key}l`, piece.left).set(`${key}r`, piece.right);
  }
  // A response that brings nothing is silence, after which another source is asked, or a copy of an earlier one.
  if (wanted === transfer.missingPieces) return;
  state.transfer = { ...transfer, missingPieces: wanted, ledger };
  if (wanted.size === 0) finish(context, state.transfer);
  else requestPieces(context, state.transfer);
}

/**
 * Installs the checkpoint's state, durable first. Own records above it are applied again, those that the checkpoint
 * replaces are dropped, and pending submissions of used nonces have an outcome unknown here.
 */
function finish(context: StepContext, { certificate, content, links, ledger }: Transfer): void {
  const { state, outputs, agenda } = context;
  const before = state.ledger.epoch;
  state.transfer = undefined;
  const fault = stateFault(ledger);
  if (fault !== undefined) {
    halt(context, certificate.slot, `the state that it certifies is none: ${fault}`);
    return;
  }
  for (const link of links) {
    addLink(state, link);
    outputs.push({ type: "persist", key: epochLinkKey(link.head.epoch), record: { of: "link", link } });
  }
  resetToChainLink(state, context.at, content.value, ledger);
  noteDecided(context, certificate, content);
  outputs.push({ type: "cancelTimer", name: "transfer" });
  outputs.push({ type: "persist", key: SNAPSHOT_KEY, record: { of: "snapshot", certificate, content, state: ledger } });
  coverage(context, "state installed");
  outputs.push({ type: "event", event: { type: "joined", certificate, content, state: ledger } });
  dropSettledSlots(context, before);
  recall(context);
  for (const { slot, decided } of state.slots.records.values())
    if (decided !== undefined) agenda.push({ do: "apply", slot });
  openDueSlots(context);
  for (const { submission } of state.mempool.pending.values()) {
    if (!isRecovery(submission)) agenda.push({ do: "advance", address: submission.sender });
  }
  agenda.push({ do: "judgeAgain", prefix: "" }, { do: "checkpoint" });
  scheduleSync(context, 0);
}

function dropSettledSlots(context: StepContext, epoch: Epoch): void {
  const { state } = context;
  const isLater = state.ledger.epoch > epoch;
  if (isLater) clearEpochState(context);
  dropReplacedSlots(context);
  for (const { id, account, nonce } of state.mempool.pending.values()) {
    if (nonce < accountOf(state.ledger, account).nonce) finishSettled(context, id);
  }
  if (isLater) voidPending(context, epoch);
  dropReplaced(context);
  clearLog(state);
}

function locationKey({ part, path }: PieceLocation): string {
  return `${part} ${path}`;
}

function locationOf(key: string): PieceLocation {
  const [part, path = ""] = key.split(" ");
  return {
    part: required(
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
