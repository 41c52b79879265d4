/** Timers by name: retries, ends of rounds, ends of waits (protocol 3.1, 3.2, 4.2, 5). */
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

/** Handles an expired timer of this validator. @throws AssertionError for a name that it never sets. */
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
 * Ends a round >= 1 without a decision (protocol 3.2). A timer may outlive the record of its slot, since it is
 * cancelled only after the write that replaced the record; a fresh record would contradict what was signed (protocol
 * 6.2).
 */
function endRound(turn: Turn, name: string, slot: Slot, round: Round): void {
  turn.state.roundTimers = turn.state.roundTimers.delete(name);
  if (turn.state.environment.rules.validator.isGone(turn.state, slot)) return;
  onSlot(turn, slot, turn.state.environment.self, (context, transition) => roundTimedOut(context, transition, round));
}

/** Ends round 0 of a token slot without a decision: the round change discloses what is due (protocol 3.2). */
function endTokenRound(turn: Turn, name: string, slot: Slot): void {
  const { state } = turn;
  state.roundTimers = state.roundTimers.delete(name);
  const { round, decided } = slotState(state, slot);
  // The timer may outlive the record of its slot, and a fresh one would contradict what was signed there (protocol
  // 6.2).
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

/** Handles a due checkpoint, or one whose proposer was silent (protocol 6.1). */
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
 * Refuses, after a bounded time, a cancellation that has nothing to pair with or may not start a round change (protocol
 * 4.2). A disclosed one stays: it may still take effect.
 */
function endCancellation(turn: Turn, id: OperationId): void {
  const { state } = turn;
  const known = state.pending.get(id);
  if (known === undefined || known.shown) return;
  const { account, nonce } = nonceOf(known.submission);
  dropCancellation(state, nextSlot(state, account), id);
  endUnshown(turn, id, { code: "business_nothing_to_cancel", nonce });
}

/**
 * Retries a slot without a timely decision: the relay requests again, or a voter takes the relay over (protocol 3.1).
 */
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

/** Offers its own vote's value of round 0, so that this validator collects the votes now; else what is pending. */
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
  // This validator also relays a burn that became due meanwhile.
  if (due !== undefined && burnContent(state, slot.address, due) !== undefined)
    turn.agenda.push({ do: "advance", address: slot.address });
}

/** Resends the same vote to the round's proposer. */
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

/** Resends a proposal, or retries one that was impossible when its round began. */
export function proposeAgain(turn: Turn, slot: Slot): void {
  repeatProposal(turn, slot);
  if (slot.kind === "epoch") turn.agenda.push({ do: "closing" });
  onSlot(turn, slot, turn.state.environment.self, (context, transition) => proposeIfDue(context, transition));
}
