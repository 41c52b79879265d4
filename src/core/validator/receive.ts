/** Handling of messages from peers, or from itself by loopback. Accepts only content that proves itself. */

import { unreachable } from "../base/assert.ts";
import { paddedNumber, type Slot, slotKey } from "../base/slot.ts";
import { receiveBallot, receiveFinality, receiveLock } from "../consensus/agreement.ts";
import type { AnyCertificate } from "../consensus/certificate.ts";
import type { Commit, ConsensusMessage, LockCertificate, Proposal, Vote } from "../consensus/message.ts";
import { receiveProposal, receiveRoundChange } from "../consensus/round-change.ts";
import { roundValueIn } from "../consensus/slot-state.ts";
import { accountOf } from "../ledger/state.ts";
import { type Content, isChainContent } from "./content.ts";
import { receiveCause, receiveClose } from "./epochs/closing.ts";
import { charge, isSigned } from "./mempool/budget.ts";
import { addPending } from "./mempool/pending.ts";
import type { ConsensusEnvelope, Decisions, Disclosure, Peer, PeerMessage } from "./message.ts";
import { voteOnProposal } from "./propose.ts";
import { isBeyondNext, isForeignEpoch, isNext, isSettled } from "./slot-position.ts";
import { burnContent, noteBurnConflict, receiveOffer } from "./slots/relay.ts";
import { deriveReasons, receiveDisclosedReason, receiveReason } from "./slots/round-change-reasons.ts";
import { onSlot, receiveContent } from "./slots/slots.ts";
import { slotState, type ValidatorState } from "./state.ts";
import { coverage, report, type StepContext, sign } from "./step-context.ts";
import {
  decisionOf,
  dropMissingContent,
  notifyBehind,
  receiveStatus,
  requestClosing,
  requestContent,
  requestMissing,
  sendCheckpoint,
  serveAnswer,
  serveFetch,
} from "./sync/sync.ts";
import { receivePieces, receiveSnapshot, serveState } from "./transfer/state-transfer.ts";

type Receive<M> = (context: StepContext, from: Peer, message: M) => void;

const RECEIVE: { readonly [T in PeerMessage["type"]]: Receive<Extract<PeerMessage, { readonly type: T }>> } = {
  consensus: receiveEnvelope,
  offer: (context, from, offer) => {
    if (!answerSettled(context, from, offer.slot)) receiveOffer(context, from, offer);
  },
  disclosure: receiveDisclosure,
  fetch: serveFetch,
  decisions: receiveDecisions,
  status: receiveStatus,
  snapshot: receiveSnapshot,
  stateRequest: serveState,
  statePieces: receivePieces,
  // Not well-formed here: it says nothing.
  opaque: () => undefined,
};

/** Handles a message of any kind. One that no honest validator writes says nothing. */
export function receive(context: StepContext, from: Peer, message: PeerMessage): void {
  if (!context.state.environment.rules.validator.isWellFormed(message)) {
    coverage(context, "malformed message dropped");
    return;
  }
  (RECEIVE[message.type] as Receive<PeerMessage>)(context, from, message);
}

function receiveDisclosure(context: StepContext, from: Peer, { slot, reason }: Disclosure): void {
  if (reason.kind === "closing") receiveCause(context, reason.cause);
  else if (!answerSettled(context, from, slot)) receiveDisclosedReason(context, from, slot, reason);
}

/** Responds to any message of a slot with its finality certificate, if it is here (protocol 3.1). */
function answerDecided(context: StepContext, from: Peer, slot: Slot): boolean {
  const { state } = context;
  const decision = decisionOf(state, slot);
  if (decision === undefined) return false;
  serveAnswer(context, from, { type: "decisions", decided: [decision], contents: [] });
  return true;
}

/** Responds with the checkpoint that replaces a pruned slot: nothing is signed in it again. */
function answerPruned(context: StepContext, from: Peer, slot: Slot): boolean {
  const { state } = context;
  if (!state.environment.rules.validator.isPruned(state, slot)) return false;
  sendCheckpoint(context, from);
  return true;
}

/** Responds with the result of a finished slot. Returns true if that is the whole response. */
function answerSettled(context: StepContext, from: Peer, slot: Slot): boolean {
  return answerDecided(context, from, slot) || answerPruned(context, from, slot);
}

function receiveEnvelope(context: StepContext, from: Peer, carried: ConsensusEnvelope): void {
  const { state } = context;
  const { body, contents, reason } = carried;
  const { slot } = body;
  const { epoch } = state.ledger;
  if (body.epoch !== epoch) {
    if (body.epoch > epoch) requestClosing(context, from);
    else {
      coverage(context, "message from an earlier epoch");
      notifyBehind(context, from);
    }
    return;
  }
  if (isForeignEpoch(body)) {
    report(context, from, "wrong epoch", slotKey(slot));
    return;
  }
  if (!isWelcome(context, carried)) return;
  const asks = body.type !== "vote" && body.type !== "commit" && body.type !== "finality";
  if (asks && answerDecided(context, from, slot)) return;
  if (answerPruned(context, from, slot)) return;
  // It is evidence only, and its content is nothing to keep.
  if (contradictsDecision(state, body)) {
    receiveBody(context, from, body);
    return;
  }
  for (const content of contents) if (namesContent(state, body, content)) receiveContent(context, from, slot, content);
  if (isBeyondNext(state, slot) && from !== state.environment.self) requestMissing(context, from, slot);
  receiveBody(context, from, body);
  if (body.type === "vote") learnFromVote(context, slot, contents);
  if (reason?.kind === "closing") receiveCause(context, reason.cause);
  else if (reason !== undefined) {
    // A round change that no member has signed is not in the record.
    const hasMemberLeft = body.type === "roundChange" && slotState(context.state, slot).highest.has(body.signer);
    receiveReason(context, slot, reason, from, hasMemberLeft);
  }
}

/**
 * Returns true if a message is about the value of a content, its own or of a certificate that it carries: no other comes. A
 * content of the chain has no bound and is charged to nobody, so its certificate or its proposal has to hold.
 */
function namesContent(state: ValidatorState, body: ConsensusMessage, content: Content): boolean {
  const hash = state.environment.hashes.value(content.value);
  const isChain = isChainContent(content);
  if (body.type === "proposal") return body.value === hash && (!isChain || isFirstProposal(state, body));
  if (body.type === "vote" || body.type === "commit") return body.value === hash && !isChain;
  const holds = (certificate: AnyCertificate | undefined): boolean =>
    certificate?.value === hash && (!isChain || isProvenCertificate(state, certificate));
  if (body.type === "close") return body.claims.some(holds);
  return holds(body.type === "roundChange" ? body.lock : body);
}

/** Returns true for the first justified proposal of a round that is not over, in the next slot of its sequence. */
function isFirstProposal(state: ValidatorState, proposal: Proposal): boolean {
  const { rules, committee, authenticator } = state.environment;
  const { round, proposals, decided } = slotState(state, proposal.slot);
  if (!isNext(state, proposal.slot) || decided !== undefined || proposal.round < round) return false;
  if ((proposals.get(paddedNumber(proposal.round)) ?? proposal).value !== proposal.value) return false;
  return rules.consensus.proposalFault({ committee, authenticator, rules: rules.consensus }, proposal) === undefined;
}

function isProvenCertificate({ environment }: ValidatorState, certificate: AnyCertificate): boolean {
  const { rules, committee, authenticator } = environment;
  return rules.consensus.certificateFault(committee, authenticator, certificate) === undefined;
}

/**
 * Votes and commits respond to a request of this validator, which has signed in the slot, or contradict its decision;
 * other messages open a record within the budget of their sender (protocol 3.4, 9.2).
 */
function isWelcome(context: StepContext, { body }: ConsensusEnvelope): boolean {
  const key = slotKey(body.slot);
  const record = context.state.slots.records.get(key);
  if (body.type === "vote" || body.type === "commit")
    return record !== undefined && (isSigned(record) || contradictsDecision(context.state, body));
  if (body.type === "finality" || body.type === "close" || record !== undefined) return true;
  return charge(context, { of: "record", slot: key });
}

/** Returns true for a vote or commit for another value than the one that its slot has decided. */
function contradictsDecision({ slots }: ValidatorState, body: ConsensusMessage): boolean {
  if (body.type !== "vote" && body.type !== "commit") return false;
  const decided = slots.records.get(slotKey(body.slot))?.decided;
  return decided !== undefined && decided.value !== body.value;
}

function receiveBody(context: StepContext, from: Peer, body: ConsensusMessage): void {
  const { state } = context;
  const { self } = state.environment;
  switch (body.type) {
    case "vote":
    case "commit":
      onSlot(context, body.slot, self, receiveBallot, body as Vote | Commit);
      return;
    case "lock":
      receiveLockFrom(context, from, body);
      return;
    case "finality":
      onSlot(context, body.slot, self, receiveFinality, body, false);
      return;
    case "roundChange":
      onSlot(context, body.slot, self, receiveRoundChange, body);
      return;
    case "proposal":
      receiveProposalFrom(context, body);
      return;
    case "close":
      receiveClose(context, from, body);
      return;
    default:
      unreachable(body);
  }
}

function receiveLockFrom(context: StepContext, from: Peer, lock: LockCertificate): void {
  const { state } = context;
  const holdsContent = state.environment.rules.validator.hasContent(state.slots.contents, lock.value);
  const { rules } = state.environment;
  const record = slotState(state, lock.slot);
  const before = rules.consensus.mayRepeat(record, lock.round) ? roundValueIn(record.commits, lock.round) : undefined;
  onSlot(context, lock.slot, from, receiveLock, lock, holdsContent);
  // protocol 3.1: requests are idempotent for every sender: the same commit again, never a new one.
  if (before?.value === lock.value) {
    const { epoch, slot, round, value } = lock;
    coverage(context, "commit requested again");
    sign(context, [from], { type: "commit", epoch, slot, round, value });
  }
  const isTaken = slotState(state, lock.slot).lock?.value === lock.value;
  if (!holdsContent && isTaken) requestContent(context, [from], lock.slot, lock.value);
}

function receiveProposalFrom(context: StepContext, proposal: Proposal): void {
  const { slot } = proposal;
  const standing = onSlot(context, slot, proposal.signer, receiveProposal, proposal);
  if (standing === "ignored") return;
  const { votes, round, epoch } = slotState(context.state, slot);
  const cast = roundValueIn(votes, proposal.round);
  if (cast?.value === proposal.value && round === proposal.round) {
    sign(context, [proposal.signer], { type: "vote", epoch, slot, round, value: cast.value });
    return;
  }
  voteOnProposal(context, slot);
}

/** A vote for another value may reveal a conflict: of the owner with itself, or of a due burn with the slot's votes. */
function learnFromVote(context: StepContext, slot: Slot, contents: ConsensusEnvelope["contents"]): void {
  const { state } = context;
  if (slot.kind !== "account" || slotState(state, slot).decided !== undefined) return;
  if (slot.sequence !== accountOf(state.ledger, slot.address).sequence) return;
  for (const { value } of contents) {
    const [signed] = state.slots.contents.get(state.environment.hashes.value(value))?.operations ?? [];
    if (value.type === "operation" && signed?.sender === slot.address) {
      coverage(context, "conflict revealed by a vote");
      addPending(context, signed, { disclosed: true, isEntry: false });
      deriveReasons(context, slot.address);
    }
  }
  const due = state.environment.rules.validator.nextBurn(state, slot);
  if (due !== undefined) noteBurnConflict(context, slot, burnContent(state, slot.address, due));
}

/** Applies received decisions: each proves itself, from any sender. */
function receiveDecisions(context: StepContext, from: Peer, { decided, contents }: Decisions): void {
  const { sync, environment } = context.state;
  for (const content of contents) {
    // A content for which no slot waits is not kept.
    const [waiting] = sync.missingContents.entriesWithPrefix(`${environment.hashes.value(content.value)} `);
    if (waiting !== undefined) receiveContent(context, from, waiting[1], content);
  }
  for (const { certificate, content } of decided) {
    const { hashes } = context.state.environment;
    if (isSettled(context.state, certificate.slot) || certificate.value !== hashes.value(content.value)) continue;
    if (!isProvenCertificate(context.state, certificate)) continue;
    receiveContent(context, from, certificate.slot, content);
    onSlot(context, certificate.slot, context.state.environment.self, receiveFinality, certificate, false);
  }
}

/** Continues the slots that waited for a content: commits on its lock, proposes it, votes for it, applies it. */
export function recheckWaiting(context: StepContext, value: string): void {
  const { state } = context;
  for (const [key, slot] of state.sync.missingContents.entriesWithPrefix(`${value} `)) {
    dropMissingContent(state, key);
    const { lock, decided } = slotState(state, slot);
    if (decided !== undefined) {
      context.agenda.push({ do: "apply", slot });
      continue;
    }
    if (lock?.value === value) receiveLockFrom(context, lock.seals[0]?.signer ?? state.environment.self, lock);
    voteOnProposal(context, slot);
    context.agenda.push({ do: "proposeAgain", slot });
  }
}
