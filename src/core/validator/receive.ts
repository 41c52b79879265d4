/** A message from a peer, or one's own by loopback. Nothing in it is believed that does not prove itself. */
import { unreachable } from "../base/assert.ts";
import { type Slot, slotKey } from "../base/slot.ts";
import { takeBallot, takeFinality, takeLock } from "../consensus/agreement.ts";
import type { Commit, ConsensusMessage, LockCertificate, Proposal, RoundChange, Vote } from "../consensus/message.ts";
import { takeProposal, takeRoundChange } from "../consensus/round-change.ts";
import { castIn } from "../consensus/slot-state.ts";
import { accountOf } from "../ledger/state.ts";
import type { Turn } from "./agenda.ts";
import { takeEpochAnswer, takeEpochQuestion } from "./epochs/abstain.ts";
import { takeCause, takeClose } from "./epochs/close-epoch.ts";
import { OPEN_SLOTS } from "./limits.ts";
import { keep } from "./mempool/pending.ts";
import { takeShown } from "./mempool/submit.ts";
import type { Carried, Peer, PeerMessage } from "./message.ts";
import { takeContent } from "./slots/contents.ts";
import { isAhead, isMisplaced } from "./slots/place.ts";
import { voteOnProposal } from "./slots/propose.ts";
import { burnContent, findBurnConflict, takeOffer } from "./slots/relay.ts";
import { findReasons, takeReason, takeShownReason } from "./slots/rounds.ts";
import { onSlot, slotState } from "./slots/slots.ts";
import { provesItself } from "./slots/welcome.ts";
import { mark, report, send, sign } from "./speak.ts";
import { takePieces, takeSnapshot, takeStateRequest } from "./sync/join.ts";
import {
  askFor,
  askForClosing,
  decisionOf,
  takeDecisions,
  takeFetch,
  takeLogPage,
  takeLogRequest,
  takeStatus,
  tellCheckpoint,
  tellEpoch,
  wantContent,
} from "./sync/sync.ts";

/** Takes a message of any kind. */
export function receive(turn: Turn, from: Peer, message: PeerMessage): void {
  switch (message.type) {
    case "consensus":
      takeCarried(turn, from, message);
      return;
    case "offer":
      if (!answerSettled(turn, from, message.slot)) takeOffer(turn, from, message);
      return;
    case "shown":
      takeShown(turn, message.recovery);
      return;
    case "fetch":
      takeFetch(turn, from, message);
      return;
    case "decisions":
      takeDecisions(turn, from, message);
      return;
    case "status":
      takeStatus(turn, from, message);
      return;
    case "logRequest":
      takeLogRequest(turn, from, message);
      return;
    case "logPage":
      takeLogPage(turn, from, message);
      return;
    case "snapshot":
      takeSnapshot(turn, from, message);
      return;
    case "stateRequest":
      takeStateRequest(turn, from, message);
      return;
    case "statePieces":
      takePieces(turn, from, message);
      return;
    case "cause":
      takeCause(turn, message.cause);
      return;
    case "reason":
      if (!answerSettled(turn, from, message.slot)) takeShownReason(turn, from, message);
      return;
    case "epochQuestion":
      takeEpochQuestion(turn, from, message);
      return;
    case "epochAnswer":
      takeEpochAnswer(turn, from, message);
      return;
    default:
      unreachable(message);
  }
}

/** Whoever holds a finality certificate answers any message of its slot with it (protocol 3.1). */
function answerDecided(turn: Turn, from: Peer, slot: Slot): boolean {
  const { state } = turn;
  const decision = decisionOf(state, slot);
  if (decision === undefined) return false;
  if (from !== state.environment.self) send(turn, [from], { type: "decisions", decided: [decision], contents: [] });
  return true;
}

/** Nothing is said again in a slot for which a checkpoint stands: whoever speaks of it takes the checkpoint. */
function answerGone(turn: Turn, from: Peer, slot: Slot): boolean {
  const { state } = turn;
  if (!state.environment.rules.validator.isGone(state, slot)) return false;
  tellCheckpoint(turn, from);
  return true;
}

/** Whether nothing more is to be said in a slot than what it has come to: then that is said. */
function answerSettled(turn: Turn, from: Peer, slot: Slot): boolean {
  return answerDecided(turn, from, slot) || answerGone(turn, from, slot);
}

function takeCarried(turn: Turn, from: Peer, carried: Carried): void {
  const { state } = turn;
  const { body, contents, reason } = carried;
  const { slot } = body;
  const { epoch } = state.ledger;
  if (body.epoch !== epoch) {
    if (body.epoch > epoch) askForClosing(turn, from);
    else {
      mark(turn, "earlier epoch");
      tellEpoch(turn, from);
    }
    return;
  }
  if (isMisplaced(body)) {
    report(turn, from, "wrong epoch", slotKey(slot));
    return;
  }
  if (!isWelcome(turn, carried)) return;
  const asks = body.type !== "vote" && body.type !== "commit" && body.type !== "finality";
  if (asks && answerDecided(turn, from, slot)) return;
  if (answerGone(turn, from, slot)) return;
  for (const content of contents) takeContent(turn, from, content);
  if (isAhead(state, slot) && from !== state.environment.self) askFor(turn, from, slot);
  takeBody(turn, from, body);
  if (body.type === "vote") learnFromVote(turn, slot, contents);
  if (reason !== undefined) takeReason(turn, slot, reason, from);
}

/**
 * Votes and commits answer a question that this validator has put, and so has a record of; other messages open a
 * record only while there are not too many undecided ones, or where they prove that the slot is at work.
 */
function isWelcome(turn: Turn, carried: Carried): boolean {
  const { state } = turn;
  const { body } = carried;
  if (body.type === "finality" || body.type === "close" || state.slots.has(slotKey(body.slot))) return true;
  if (body.type === "vote" || body.type === "commit") return false;
  if (state.slots.size - state.log.size < OPEN_SLOTS || provesItself(state, carried)) return true;
  mark(turn, "queue full");
  return false;
}

function takeBody(turn: Turn, from: Peer, body: ConsensusMessage): void {
  const { state } = turn;
  const { self } = state.environment;
  switch (body.type) {
    case "vote":
    case "commit":
      onSlot(turn, body.slot, self, (context, transition) => takeBallot(context, transition, body as Vote | Commit));
      return;
    case "lock":
      takeLockFrom(turn, from, body);
      return;
    case "finality":
      onSlot(turn, body.slot, self, (context, transition) => takeFinality(context, transition, body, false));
      return;
    case "roundChange":
      takeRoundChangeFrom(turn, body);
      return;
    case "proposal":
      takeProposalFrom(turn, body);
      return;
    case "close":
      takeClose(turn, from, body);
      return;
    default:
      unreachable(body);
  }
}

function takeLockFrom(turn: Turn, from: Peer, lock: LockCertificate): void {
  const { state } = turn;
  const holdsContent = state.environment.rules.validator.holdsContent(state.contents, lock.value);
  const { rules } = state.environment;
  const known = slotState(state, lock.slot);
  const before = rules.consensus.mayRepeat(known, lock.round) ? castIn(known.commits, lock.round) : undefined;
  onSlot(turn, lock.slot, from, (context, transition) => takeLock(context, transition, lock, holdsContent));
  // protocol 3.1: requests are idempotent, whoever asks: the same commit again, never a new one.
  if (before?.value === lock.value && state.environment.rules.validator.isOpen(state, lock.slot)) {
    const { epoch, slot, round, value } = lock;
    mark(turn, "commit asked for again");
    sign(turn, [from], { type: "commit", epoch, slot, round, value });
  }
  const isTaken = slotState(state, lock.slot).lock?.value === lock.value;
  if (!holdsContent && isTaken) wantContent(turn, [from], lock.slot, lock.value);
}

function takeRoundChangeFrom(turn: Turn, change: RoundChange): void {
  onSlot(turn, change.slot, turn.state.environment.self, (context, transition) =>
    takeRoundChange(context, transition, change),
  );
}

function takeProposalFrom(turn: Turn, proposal: Proposal): void {
  const { slot } = proposal;
  const standing = onSlot(turn, slot, proposal.signer, (context, transition) =>
    takeProposal(context, transition, proposal),
  );
  if (standing === "ignored") return;
  const { votes, round, epoch } = slotState(turn.state, slot);
  const cast = castIn(votes, proposal.round);
  if (cast?.value === proposal.value && round === proposal.round) {
    sign(turn, [proposal.signer], { type: "vote", epoch, slot, round, value: cast.value });
    return;
  }
  voteOnProposal(turn, slot);
}

/** A vote for something else may show a conflict: of the owner with itself, or of a due burn with the slot's votes. */
function learnFromVote(turn: Turn, slot: Slot, contents: Carried["contents"]): void {
  const { state } = turn;
  if (slot.kind !== "account" || slotState(state, slot).decided !== undefined) return;
  if (slot.sequence !== accountOf(state.ledger, slot.address).sequence) return;
  for (const { value } of contents) {
    const [signed] = state.contents.get(state.environment.hashes.value(value))?.operations ?? [];
    if (value.type === "operation" && signed?.sender === slot.address) {
      mark(turn, "conflict told by a vote");
      keep(turn, signed, { shown: true, asked: false });
      findReasons(turn, slot.address);
    }
  }
  const due = state.environment.rules.validator.nextBurn(state, slot);
  const content = due === undefined ? undefined : burnContent(state, slot.address, due);
  if (content !== undefined) findBurnConflict(turn, slot, content);
}

/** A content arrived that slots waited for: commit on its lock, propose it, vote for it, apply it. */
export function revisit(turn: Turn, value: string): void {
  const { state } = turn;
  for (const [key, slot] of state.wanted.within(`${value} `)) {
    state.wanted = state.wanted.delete(key);
    const { lock, decided } = slotState(state, slot);
    if (decided !== undefined) {
      turn.agenda.push({ do: "apply", slot });
      continue;
    }
    if (lock?.value === value) takeLockFrom(turn, lock.seals[0]?.signer ?? state.environment.self, lock);
    voteOnProposal(turn, slot);
    turn.agenda.push({ do: "proposeAgain", slot });
  }
}
