/** Timers by name: asking again, giving up a round, ending a wait (protocol 3.1, 3.2, 4.2, 5). */
import { AssertionError, assert } from "../base/assert.ts";
import { type Address, type Round, toAddress } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import { parseSlotKey, type Slot, slotKey } from "../base/slot.ts";
import { roundTimedOut } from "../consensus/agreement.ts";
import { changeRound, proposeIfDue } from "../consensus/round-change.ts";
import { castIn } from "../consensus/slot-state.ts";
import { dueFor } from "../ledger/state.ts";
import type { Turn } from "./agenda.ts";
import { endFirstRound } from "./checkpoints/checkpoint.ts";
import { sayClose } from "./epochs/close-epoch.ts";
import { isOpen } from "./epochs/closing-rules.ts";
import { tellBarred } from "./mempool/bar.ts";
import { nonceOf } from "./mempool/pending.ts";
import type { Content } from "./slots/content.ts";
import { endUnshown } from "./slots/endings.ts";
import { isSettled } from "./slots/place.ts";
import { repeatProposal } from "./slots/propose.ts";
import { burnContent, warrantOf } from "./slots/relay.ts";
import { actOnReasons, dropCancellation, keepReason, nextSlot } from "./slots/rounds.ts";
import { onSlot, sayRoundChange, slotState, tryAgain } from "./slots/slots.ts";
import { everyone, mark, send, sign } from "./speak.ts";
import { changeSource } from "./sync/join.ts";
import { compareWithPeer } from "./sync/sync.ts";

/** A timer that this validator set has run out. @throws AssertionError for a name that it never sets. */
export function onTimer(turn: Turn, name: string): void {
  const [kind, subject = "", detail = ""] = name.split(" ");
  switch (kind) {
    case "sync":
      compareWithPeer(turn);
      return;
    case "retry":
      askAgain(turn, parseSlotKey(subject));
      return;
    case "round":
      endRound(turn, name, parseSlotKey(subject), Number(detail) as Round);
      return;
    case "token":
      endTokenRound(turn, name, parseSlotKey(subject));
      return;
    case "transfer":
      changeSource(turn);
      return;
    case "checkpoint":
    case "due":
      endCheckpointTimer(turn, kind, name, parseSlotKey(subject));
      return;
    case "judge":
      turn.agenda.push({ do: "judgeAgain", prefix: subject });
      return;
    case "closing": {
      const slot = parseSlotKey(subject);
      assert(slot.kind === "epoch", `timer ${name} is of no epoch`);
      turn.state.roundTimers = turn.state.roundTimers.delete(name);
      endFirstRound(turn, slot);
      return;
    }
    case "evidence":
      actOnReasons(turn, nextSlot(turn.state, toAddress(subject)));
      return;
    case "burn":
      turn.agenda.push({ do: "advance", address: toAddress(subject) });
      return;
    case "turn":
      endOwnersTurn(turn, toAddress(subject));
      return;
    case "cancel":
      endCancellation(turn, subject as OperationId);
      return;
    case "wait":
      turn.state.waiting = turn.state.waiting.delete(`${subject} ${detail}`);
      return;
    default:
      throw new AssertionError(`timer ${name} was never set`);
  }
}

/**
 * A round >= 1 ended without a decision (protocol 3.2). A timer may outlive the record of its slot, since it is cancelled only
 * after the disk has taken what let go of the record; a fresh record would deny what was signed (protocol 6.2).
 */
function endRound(turn: Turn, name: string, slot: Slot, round: Round): void {
  turn.state.roundTimers = turn.state.roundTimers.delete(name);
  if (turn.state.environment.rules.validator.isGone(turn.state, slot)) return;
  onSlot(turn, slot, turn.state.environment.self, (context, transition) => roundTimedOut(context, transition, round));
}

/** Round 0 of a token slot ended without a decision: the round change shows what is due (protocol 3.2). */
function endTokenRound(turn: Turn, name: string, slot: Slot): void {
  const { state } = turn;
  state.roundTimers = state.roundTimers.delete(name);
  const { round, decided } = slotState(state, slot);
  // The timer may outlive the record of its slot, and a fresh one would deny what was said there (protocol 6.2).
  if (slot.kind !== "token" || isSettled(state, slot) || decided !== undefined || round > 0) return;
  const [entry] = dueFor(state.ledger, slot);
  const certificate = entry && warrantOf(state, entry);
  if (entry === undefined || certificate === undefined) return;
  const content: Content = {
    value: { type: "list", ids: [entry.id] },
    operations: [entry.signed],
    certificates: [certificate],
  };
  keepReason(state, slot, { kind: "due", content });
  mark(turn, "round change by due operation");
  onSlot(turn, slot, state.environment.self, (context, transition) =>
    changeRound(context, transition, 1 as Round, "reason"),
  );
}

/** A checkpoint is due, or its proposer was silent (protocol 6.1). */
function endCheckpointTimer(turn: Turn, kind: "checkpoint" | "due", name: string, slot: Slot): void {
  assert(slot.kind === "checkpoint", `timer ${name} is of no checkpoint`);
  turn.state.roundTimers = turn.state.roundTimers.delete(name);
  if (kind === "checkpoint") endFirstRound(turn, slot);
  turn.agenda.push({ do: "checkpoint" });
}

function endOwnersTurn(turn: Turn, address: Address): void {
  turn.agenda.push({ do: "judgeAgain", prefix: `account/${address}/` }, { do: "advance", address });
}

/**
 * A cancellation that found nothing to pair with, or no right to start a round change, is refused after a bounded time
 * (protocol 4.2). One that was shown stays: it may still take effect.
 */
function endCancellation(turn: Turn, id: OperationId): void {
  const { state } = turn;
  const known = state.pending.get(id);
  if (known === undefined || known.shown) return;
  const { account, nonce } = nonceOf(known.submission);
  dropCancellation(state, nextSlot(state, account), id);
  endUnshown(turn, id, { code: "business_nothing_to_cancel", nonce });
}

/** No decision in time: the relay asks again, or whoever has voted takes the relay over (protocol 3.1). */
function askAgain(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const key = slotKey(slot);
  const current = slotState(state, slot);
  if (current.decided !== undefined || isSettled(state, slot) || !isOpen(state, slot)) {
    state.retries = state.retries.delete(key);
    return;
  }
  if (tryAgain(turn, key) === 1 && current.round === 0 && current.votes.length > 0) mark(turn, "relay taken over");
  if (current.round === 0 && slot.kind === "account") {
    tellBarred(turn, slot.address);
    offerAgain(turn, slot);
  }
  if (slot.kind === "epoch") sayClose(turn);
  if (current.round > 0) sayRoundChange(turn, slot, everyone(turn));
  if (slot.kind !== "account" || current.round > 0) voteAgain(turn, slot);
  spreadLock(turn, slot);
  turn.agenda.push({ do: "proposeAgain", slot });
}

/** Offers what it voted for in round 0, so that this validator collects the votes now; else what is pending. */
function offerAgain(turn: Turn, slot: Slot & { kind: "account" }): void {
  const { state } = turn;
  const { self, others } = state.environment;
  const { votes, epoch } = slotState(state, slot);
  const cast = castIn(votes, 0 as Round);
  const content = cast === undefined ? undefined : state.contents.get(cast.value);
  if (cast === undefined || content === undefined) {
    turn.agenda.push({ do: "advance", address: slot.address });
    return;
  }
  sign(turn, [self], { type: "vote", epoch, slot, round: 0 as Round, value: cast.value });
  send(turn, others, { type: "offer", slot, content });
  const due = state.environment.rules.validator.nextBurn(state, slot);
  // A burn that became due meanwhile is this validator's to bring, too.
  if (due !== undefined && burnContent(state, slot.address, due) !== undefined)
    turn.agenda.push({ do: "advance", address: slot.address });
}

/** Sends the same vote to the round's proposer again. */
function voteAgain(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const { round, votes, epoch } = slotState(state, slot);
  const cast = castIn(votes, round);
  const { rules, committee } = state.environment;
  if (cast === undefined) return;
  sign(turn, [rules.consensus.proposerOf(committee, slot, round)], {
    type: "vote",
    epoch,
    slot,
    round,
    value: cast.value,
  });
}

/** Spreads the lock of the current round, so that this validator collects the commits now. */
function spreadLock(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const { round, commits, lock, epoch } = slotState(state, slot);
  const cast = castIn(commits, round);
  if (lock === undefined || lock.round !== round || cast === undefined) return;
  sign(turn, [state.environment.self], { type: "commit", epoch, slot, round, value: cast.value });
  send(turn, state.environment.others, { type: "consensus", body: lock, contents: [], reason: undefined });
}

/** A proposer sends its proposal again, or tries again where it could not propose when it was asked. */
export function proposeAgain(turn: Turn, slot: Slot): void {
  repeatProposal(turn, slot);
  if (slot.kind === "epoch") turn.agenda.push({ do: "closing" });
  onSlot(turn, slot, turn.state.environment.self, (context, transition) => proposeIfDue(context, transition));
}
