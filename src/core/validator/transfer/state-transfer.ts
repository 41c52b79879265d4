/**
 * State transfer: the state after a chain link from peers, after the decisions that lead there are pruned (protocol 6.2).
 * No peer is trusted: a chain of closings proves the committee (protocol 6.4), its certificate the checkpoint, the state
 * root each piece, and f + 1 sources are asked at a time, so that none can hold the transfer up.
 */
import type { Epoch } from "../../base/ids.ts";
import { slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import type { Committee } from "../../consensus/committee.ts";
import { decidedRecord, newSlot } from "../../consensus/slot-state.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import {
  type Assembly,
  assemble,
  assembledState,
  locationKey,
  locationOf,
  piecesAt,
  stateFault,
} from "../../ledger/pieces.ts";
import { rootOfParts, type StateHeader, stateRoot, stateRoots } from "../../ledger/roots.ts";
import { accountOf } from "../../ledger/state.ts";
import { closingHash } from "../../ledger/value.ts";
import { dropReplaced, resetToChainLink } from "../checkpoints/checkpoint.ts";
import { type ChainContent, isChainContent } from "../content.ts";
import type { Environment } from "../environment.ts";
import { clearEpochState, keepLink, voidPending } from "../epochs/closing.ts";
import { PIECES_REQUESTED, TRANSFER_MS } from "../limits.ts";
import { answerLast } from "../mempool/pending.ts";
import type { EpochLink, Peer, SnapshotOffer, StatePieces, StateRequest } from "../message.ts";
import { SNAPSHOT_KEY } from "../output.ts";
import { deriveState, openDueSlots } from "../slots/apply-decided.ts";
import { dropReplacedSlots } from "../slots/prune.ts";
import { keepContent, persist, setRecord } from "../slots/slots.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { cancelTimer, coverage, halt, report, type StepContext, send, setTimer } from "../step-context.ts";
import type { OfferedState, SourceRequest, Transfer } from "../sub-states.ts";
import { mayServe, scheduleSync, serveAnswer } from "../sync/sync.ts";
import { nextTarget, numberOf } from "./transfer-rules.ts";

/** Offers a peer the checkpoint that replaces the pruned records, or the state with a number, that it requested. */
export function offerSnapshot(context: StepContext, to: Peer, epoch: Epoch, insteadOf?: number): void {
  const { state } = context;
  const checkpoint = state.checkpoints.last;
  const certificate = slotState(state, checkpoint.slot).decided;
  const content = state.slots.contents.get(checkpoint.hash);
  if (certificate === undefined || content === undefined) return;
  const links = [...state.epochs.links.values()].filter(({ head }) => head.epoch >= epoch);
  const parts = stateRoots(checkpoint.state).parts;
  serveAnswer(context, to, { type: "snapshot", insteadOf, links, certificate, content, parts });
}

/**
 * Begins the transfer of an offered state that is ahead and proves itself. An offer that a source makes in place of
 * pieces says that the state is gone there: once f + 1 of one committee say so, the transfer goes on with the newest of
 * theirs. A source that has not reached the state gets its certificate. A transfer for which nothing comes goes on with the
 * newest offer of anybody: who has the old state may be gone, and one former member would offer it for ever.
 */
export function receiveSnapshot(context: StepContext, from: Peer, offer: SnapshotOffer): void {
  const { state } = context;
  const { transfer } = state;
  if (transfer === undefined) {
    const offered = provenOffer(state, offer, state.checkpoints.last.header.number);
    if (offered !== undefined) startTransfer(context, offered, Trie.empty());
    return;
  }
  const request = transfer.sources.get(from);
  if (request === undefined && context.at >= transfer.grewAt + TRANSFER_MS) {
    const newest = provenOffer(state, offer, numberOf(transfer.target));
    if (newest !== undefined) startTransfer(context, newest, piecesInUse(state, transfer));
    return;
  }
  if (request === undefined || offer.insteadOf !== numberOf(transfer.target)) return;
  const { certificate, content } = transfer.target;
  const newer = provenOffer(state, offer, numberOf(transfer.target));
  // The validator that offered the target may show it to nobody else, and the others wait for this validator to decide it.
  if (newer === undefined && request.locations.length > 0)
    send(context, [from], { type: "consensus", body: certificate, contents: [content], reason: undefined });
  coverage(context, "state source changed");
  const sources = new Map(transfer.sources).set(from, { at: request.at, locations: [], newer });
  state.transfer = { ...transfer, sources };
  const next = nextTarget(transfer.target, sources);
  if (next === undefined) requestPieces(context, state.transfer);
  else startTransfer(context, next, piecesInUse(state, transfer));
}

/**
 * Returns the pieces that belong to the target so far. They are kept under the next one, although its roots are others:
 * what hangs below them is mostly the same, and shows once the new branches are here.
 */
function piecesInUse({ checkpoints }: ValidatorState, { target, pieces }: Transfer): Transfer["pieces"] {
  return Trie.of(assemble(checkpoints.last.state, target.parts, pieces).pieces);
}

/** Returns an offered state if it proves itself and is of a later chain link than that with this number. */
function provenOffer(state: ValidatorState, offer: SnapshotOffer, number: number): OfferedState | undefined {
  const { certificate, content, parts } = offer;
  if (!isChainContent(content) || content.value.header.number <= number) return undefined;
  // Requested in an epoch that this validator may have left by now.
  const links = offer.links.filter(({ head }) => head.epoch >= state.ledger.epoch);
  const proof = proofOf(state, { ...offer, links, content });
  if (proof === undefined || rootOfParts(proof.header, parts) !== content.value.header.stateRoot) return undefined;
  const { committee, header } = proof;
  const isClosing = header.epoch > committee.epoch;
  const next = state.environment.committeeOf(header.epoch, header.parameters.validators);
  const committees = isClosing ? [committee, next] : [committee];
  const holders = [...new Set(committees.flatMap(({ members }) => members))];
  return { certificate, content, links, parts, header, holders, committees };
}

function startTransfer(context: StepContext, target: OfferedState, pieces: Transfer["pieces"]): void {
  coverage(context, "state requested");
  context.state.transfer = {
    target,
    pieces,
    missing: Trie.empty(),
    sources: new Map(),
    grewAt: context.at,
  };
  continueTransfer(context);
}

/** Requests what is missing of the state, or installs it. Ends a transfer that decisions have overtaken. */
function continueTransfer(context: StepContext): void {
  const { state } = context;
  const { transfer, checkpoints } = state;
  if (transfer === undefined) return;
  if (numberOf(transfer.target) <= checkpoints.last.header.number) {
    endTransfer(context);
    return;
  }
  const { missing, roots } = assemble(checkpoints.last.state, transfer.target.parts, transfer.pieces);
  if (missing.length === 0) installState(context, transfer.target, roots);
  else requestPieces(context, { ...transfer, missing: Trie.of(missing) });
}

function endTransfer(context: StepContext): void {
  context.state.transfer = undefined;
  cancelTimer(context, { kind: "transfer" });
}

/** Asks other sources, since some are silent; ends a transfer for which each was asked in vain, so that another begins. */
export function changeSources(context: StepContext): void {
  const { state, at } = context;
  const { transfer } = state;
  if (transfer === undefined) return;
  coverage(context, "state source changed");
  const { target, grewAt } = transfer;
  const rounds = Math.ceil(target.holders.length / state.environment.rules.validator.sourcesAtOnce(target));
  if (at >= grewAt + (rounds + 1) * TRANSFER_MS) endTransfer(context);
  else continueTransfer(context);
}

/**
 * Has as many sources at work as an honest one takes. Each gets locations that nobody else was asked for; once there are
 * none, those that others still owe, so that a slow source delays nothing.
 */
function requestPieces(context: StepContext, transfer: Transfer): void {
  const { state, at } = context;
  const { target, missing } = transfer;
  const sources = new Map(transfer.sources);
  const isRecent = (source: SourceRequest | undefined): boolean => source !== undefined && at < source.at + TRANSFER_MS;
  const idle = target.holders
    .filter((peer) => !state.environment.keys.includes(peer) && !isRecent(sources.get(peer)))
    .sort((a, b) => (sources.get(a)?.at ?? -1) - (sources.get(b)?.at ?? -1));
  for (const peer of idle) {
    const owing = [...sources.values()].filter((source) => source.locations.length > 0 && isRecent(source));
    if (owing.length >= state.environment.rules.validator.sourcesAtOnce(target)) break;
    const owed = new Set(owing.flatMap((source) => source.locations));
    const keys = missing.entries().map(([key]) => key);
    const free = keys.filter((key) => !owed.has(key));
    const locations = (free.length > 0 ? free : keys).slice(0, PIECES_REQUESTED);
    sources.set(peer, { at, locations, newer: undefined });
    const places = locations.map(locationOf);
    const { number, root } = referenceOf(target);
    send(context, [peer], { type: "stateRequest", epoch: state.ledger.epoch, number, root, places });
  }
  state.transfer = { ...transfer, sources };
  const oldest = Math.min(at, ...[...sources.values()].filter(isRecent).map((source) => source.at));
  setTimer(context, { kind: "transfer" }, oldest + TRANSFER_MS - at);
}

/** Number and state root of an offered state. */
function referenceOf({ content }: OfferedState): Pick<StatePieces, "number" | "root"> {
  const { number, stateRoot: root } = content.value.header;
  return { number, root };
}

/** Responds with pieces of a state that is still here, else with an offer of the present one. */
export function serveState(context: StepContext, from: Peer, { epoch, number, root, places }: StateRequest): void {
  if (!mayServe(context, from)) return;
  const base = context.state.checkpoints.states.get(number);
  if (base === undefined || stateRoot(base) !== root) {
    offerSnapshot(context, from, epoch, number);
    return;
  }
  const pieces = places.flatMap((location) => piecesAt(base, location));
  serveAnswer(context, from, { type: "statePieces", number, root, pieces });
}

/**
 * Stores pieces that prove themselves. A piece counts from any sender; a source that sends none of those that it was
 * asked for gives way to another.
 */
export function receivePieces(context: StepContext, from: Peer, { number, root, pieces }: StatePieces): void {
  const { state } = context;
  const { transfer } = state;
  if (transfer === undefined) return;
  const target = referenceOf(transfer.target);
  if (target.number !== number || target.root !== root) return;
  let { missing, pieces: subtrees } = transfer;
  for (const { place, piece } of pieces) {
    const key = locationKey(place);
    const hash = missing.get(key);
    if (hash === undefined) continue;
    const subtree = state.environment.rules.validator.provenPiece(state.environment, place.part, piece, hash);
    if (subtree === undefined) {
      report(context, from, "false state", slotKey(transfer.target.certificate.slot));
      break;
    }
    subtrees = subtrees.set(hash, subtree);
    missing = missing.delete(key);
    if (piece.type === "branch") missing = missing.set(`${key}l`, piece.left).set(`${key}r`, piece.right);
  }
  const request = transfer.sources.get(from);
  if (subtrees === transfer.pieces && request === undefined) return;
  const sources = new Map(transfer.sources);
  // Pieces that others have sent meanwhile count for the source, too.
  if (request?.locations.some((key) => !missing.has(key))) sources.delete(from);
  else if (request !== undefined) {
    coverage(context, "state source changed");
    sources.set(from, { ...request, locations: [] });
  }
  const grewAt = subtrees === transfer.pieces ? transfer.grewAt : context.at;
  state.transfer = { ...transfer, pieces: subtrees, sources, grewAt };
  continueTransfer(context);
}

/**
 * Installs the checkpoint's state, durable first. Own records above it are applied again, those that the checkpoint
 * replaces are dropped, and pending submissions of used nonces have an outcome unknown here, unless they still wait for
 * the slot of their effect.
 */
function installState(
  context: StepContext,
  { certificate, content, links, header }: OfferedState,
  roots: Assembly["roots"],
): void {
  const { state, outputs, agenda } = context;
  const before = state.ledger.epoch;
  endTransfer(context);
  const ledger = assembledState(state.environment.genesis, header, roots);
  const fault = typeof ledger === "string" ? ledger : stateFault(ledger);
  if (typeof ledger === "string" || fault !== undefined) {
    halt(context, certificate.slot, `the state that it certifies is none: ${fault}`);
    return;
  }
  for (const link of links) keepLink(context, link);
  resetToChainLink(state, context.at, content.value, ledger);
  keepContent(state, content);
  // The chain link was decided in an epoch that may be another one than this validator was in.
  setRecord(state, decidedRecord(newSlot(certificate.slot, certificate.epoch), certificate));
  persist(context, certificate.slot);
  outputs.push({ type: "persist", key: SNAPSHOT_KEY, record: { of: "snapshot", certificate, content, state: ledger } });
  coverage(context, "state installed");
  outputs.push({ type: "event", event: { type: "joined", certificate, content, state: ledger } });
  const isLater = ledger.epoch > before;
  if (isLater) clearEpochState(context);
  dropReplacedSlots(context);
  for (const { id, account, nonce } of state.mempool.pending.values())
    if (nonce < accountOf(ledger, account).nonce && !ledger.authorisedKeys.has(id))
      answerLast(context, id, { status: "settled" });
  if (isLater) voidPending(context, before);
  dropReplaced(context);
  state.sync.log.clear();
  deriveState(context);
  for (const { slot, decided } of state.slots.records.values())
    if (decided !== undefined) agenda.push({ do: "apply", slot });
  openDueSlots(context);
  for (const { account: address } of state.mempool.pending.values()) agenda.push({ do: "advance", address });
  agenda.push({ do: "judgeAgain", prefix: "" }, { do: "checkpoint" });
  scheduleSync(context, 0);
}

type LinkProof = Readonly<{ committee: Committee; header: StateHeader }>;

/**
 * Returns the committee that decided an offered chain link and the head of the state after it, if the epoch links prove
 * that committee; `undefined` if any check fails.
 */
export function proofOf(
  { environment, ledger }: Pick<ValidatorState, "environment" | "ledger">,
  { links, certificate, content }: SnapshotOffer & { readonly content: ChainContent },
): LinkProof | undefined {
  const { hashes, rules, authenticator } = environment;
  const { slot } = certificate;
  if (certificate.type !== "finality" || hashes.value(content.value) !== certificate.value) return undefined;
  const isClosing = content.value.type === "closing";
  if (isClosing && links.at(-1)?.certificate.value !== certificate.value) return undefined;
  const standing = followLinks(environment, headerOf(ledger), links);
  // The committee of an epoch decides its closing. The value is the last link's; its seals may differ, and this validator
  // will send them to others.
  const decider = isClosing ? followLinks(environment, headerOf(ledger), links.slice(0, -1)) : standing;
  if (standing === undefined || decider === undefined) return undefined;
  const { committee } = decider;
  const isItsSlot = isClosing
    ? slot.kind === "epoch"
    : slot.kind === "checkpoint" && slot.number === content.value.header.number;
  if (!isItsSlot || rules.consensus.certificateFault(committee, authenticator, certificate) !== undefined)
    return undefined;
  const view = { environment: { ...environment, committee }, ledger };
  return rules.validator.contentFault(view, content) === undefined ? { committee, header: standing.header } : undefined;
}

function followLinks(environment: Environment, from: StateHeader, links: readonly EpochLink[]): LinkProof | undefined {
  const { authenticator, committeeOf, rules } = environment;
  let header = from;
  for (const { certificate, head, listedRoot } of links) {
    const committee = committeeOf(header.epoch, header.parameters.validators);
    const { slot } = certificate;
    const isNext =
      certificate.type === "finality" &&
      slot.kind === "epoch" &&
      slot.epoch === header.epoch &&
      head.epoch === header.epoch;
    if (!isNext || certificate.value !== closingHash(head, listedRoot)) return undefined;
    if (parametersFault(head.next) !== undefined) return undefined;
    if (rules.consensus.certificateFault(committee, authenticator, certificate) !== undefined) return undefined;
    header = {
      ...header,
      epoch: (head.epoch + 1) as typeof head.epoch,
      opened: head.header.number,
      parameters: head.next,
    };
  }
  return { committee: committeeOf(header.epoch, header.parameters.validators), header };
}

function headerOf({ chainId, operator, listLimit, policies, epoch, opened, parameters }: StateHeader): StateHeader {
  return { chainId, operator, listLimit, policies, epoch, opened, parameters };
}
