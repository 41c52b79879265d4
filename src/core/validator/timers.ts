/** Handlers of expired timers: retries, ends of rounds, ends of waits (protocol 3.1, 3.2, 4.2, 5). */

import type { Round } from "../base/ids.ts";
import { isRecovery, type OperationId } from "../base/operation.ts";
import { parseSlotKey, type Slot, slotKey } from "../base/slot.ts";
import { roundTimedOut } from "../consensus/agreement.ts";
import { changeRound } from "../consensus/round-change.ts";
import { roundValueIn } from "../consensus/slot-state.ts";
import { dueOperations } from "../ledger/authorised.ts";
import { accountOf } from "../ledger/state.ts";
import { sendClose } from "./epochs/closing.ts";
import { CANCELLATION_MS } from "./limits.ts";
import { finishRefused, operationsFor } from "./mempool/pending.ts";
import { isNext, isSettled, nextSlot } from "./slot-position.ts";
import { dropWaiting } from "./slots/relay.ts";
import { applyReasons, dropReasons } from "./slots/round-change-reasons.ts";
import { endRetries, endTimer, retry } from "./slots/slot-timers.ts";
import { onSlot, sendRoundChange } from "./slots/slots.ts";
import { slotState } from "./state.ts";
import { allPeers, coverage, type StepContext, send, setTimer, sign, wake } from "./step-context.ts";
import type { PendingSubmission } from "./sub-states.ts";
import { notifyBarred } from "./submit.ts";
import { sendStatus } from "./sync/sync.ts";
import { type Timer, type TimerOf, timerOf } from "./timer.ts";
import { changeSources } from "./transfer/state-transfer.ts";

type TimerHandlers = { readonly [K in Timer["kind"]]: (context: StepContext, timer: TimerOf<K>) => void };

const HANDLERS: TimerHandlers = {
  sync: sendStatus,
  retry: (context, { slot }) => retrySubmissions(context, parseSlotKey(slot)),
  round: endRound,
  token: endFirstRound,
  transfer: changeSources,
  checkpoint: (context, timer) => {
    endFirstRound(context, timer);
    context.agenda.push({ do: "checkpoint" });
  },
  due: ({ state, agenda }, timer) => {
    endTimer(state, timer);
    agenda.push({ do: "checkpoint" });
  },
  judge: (context, { slot }) => void context.agenda.push({ do: "judgeAgain", prefix: slot }),
  closing: endFirstRound,
  evidence: (context, timer) => {
    endTimer(context.state, timer);
    applyReasons(context, parseSlotKey(timer.slot), true);
  },
  burn: (context, { account }) => void context.agenda.push({ do: "advance", address: account }),
  turn: (context, { account }) => wake(context, account),
  cancel: (context, { id }) => endSkip(context, id),
  wait: ({ state }, { waiting }) => dropWaiting(state, waiting),
};

/** Handles an expired timer of this validator. @throws AssertionError for a name that it never sets. */
export function onTimer(context: StepContext, name: string): void {
  const timer = timerOf(name);
  (HANDLERS[timer.kind] as (context: StepContext, timer: Timer) => void)(context, timer);
}

/**
 * Ends a round >= 1 without a decision (protocol 3.2). A timer may outlive the record of its slot, since it is
 * cancelled only after the write that replaced the record; a fresh record would contradict what was signed (protocol
 * 6.2).
 */
function endRound(context: StepContext, timer: TimerOf<"round">): void {
  const { state } = context;
  const slot = parseSlotKey(timer.slot);
  endTimer(state, timer);
  if (state.environment.rules.validator.isPruned(state, slot)) return;
  onSlot(context, slot, state.environment.self, roundTimedOut, timer.round);
}

/** Ends round 0 of a token or chain slot without the due decision: the next proposer follows (protocol 3.2). */
function endFirstRound(context: StepContext, timer: TimerOf<"token" | "checkpoint" | "closing">): void {
  const { state } = context;
  const slot = parseSlotKey(timer.slot);
  endTimer(state, timer);
  const { round, decided } = slotState(state, slot);
  // The timer may outlive the record of its slot, and a fresh one would contradict what was signed there (protocol
  // 6.2).
  if (decided !== undefined || round > 0 || !isNext(state, slot)) return;
  if (slot.kind === "token") {
    if (dueOperations(state.ledger, slot).length === 0) return;
    coverage(context, "round change by due operation");
  }
  if (slot.kind === "checkpoint") coverage(context, "checkpoint timed out");
  onSlot(context, slot, state.environment.self, changeRound, 1 as Round, "timeout");
}

/** Refuses, after a bounded time, a cancellation or recovery that finds nothing to skip. */
function endSkip(context: StepContext, id: OperationId): void {
  const pending = context.state.mempool.pending.get(id);
  if (pending === undefined) return;
  if (isRecovery(pending.submission)) endRecovery(context, pending);
  else endCancellation(context, pending);
}

/** A recovery frees an account that is blocked: nothing blocks one in whose slot nobody has voted, as far as is known. */
function endRecovery(context: StepContext, pending: PendingSubmission): void {
  const { state } = context;
  const { account, nonce } = pending;
  const slot = nextSlot(state, account);
  if (slotState(state, slot).round > 0 || state.environment.rules.validator.isUnderWay(state, slot)) {
    // A burn may still be decided in this slot, and leave nothing blocked in the next one.
    setTimer(context, { kind: "cancel", id: pending.id }, CANCELLATION_MS, true);
    return;
  }
  // No round is under way there: the proof recovers nothing.
  dropReasons(state, slotKey(slot), ({ kind }) => kind === "equivocation");
  finishRefused(context, pending, { code: "business_nothing_to_recover", nonce });
}

/**
 * Refuses, after a bounded time, a cancellation that has nothing to pair with or may not start a round change (protocol
 * 4.2). One that is shown with the operation that it cancels stays: it may still take effect. So does one behind earlier
 * nonces, or in a closed epoch, while that operation is pending here: the pair can be shown only when its turn comes.
 */
function endCancellation(context: StepContext, pending: PendingSubmission): void {
  const { state } = context;
  const { id, account, nonce, disclosed } = pending;
  const isPaired = operationsFor(state, account, nonce).length > 0;
  const mayBePaired = nonce > accountOf(state.ledger, account).nonce || state.epochs.closed !== undefined;
  if (isPaired && (disclosed || mayBePaired)) {
    setTimer(context, { kind: "cancel", id }, CANCELLATION_MS, true);
    return;
  }
  finishRefused(context, pending, { code: "business_nothing_to_cancel", nonce });
}

/** Retries a slot without a timely decision: the relay asks again, or a voter takes over (protocol 3.1). */
function retrySubmissions(context: StepContext, slot: Slot): void {
  const { state } = context;
  const key = slotKey(slot);
  const current = slotState(state, slot);
  if (
    current.decided !== undefined ||
    isSettled(state, slot) ||
    !state.environment.rules.validator.isOpen(state, slot)
  ) {
    endRetries(state, slot);
    return;
  }
  if (retry(context, key) === 1 && current.round === 0 && current.votes.length > 0)
    coverage(context, "relay taken over");
  if (current.round === 0 && slot.kind === "account") {
    notifyBarred(context, slot.address);
    resendOffer(context, slot);
  }
  if (slot.kind === "epoch") sendClose(context);
  if (current.round > 0) sendRoundChange(context, slot, allPeers(context));
  if (slot.kind !== "account" || current.round > 0) resendVote(context, slot);
  spreadLock(context, slot);
  context.agenda.push({ do: "proposeAgain", slot });
}

/** Offers its own vote's value of round 0, so that this validator collects the votes now; else what is pending. */
function resendOffer(context: StepContext, slot: Slot & { kind: "account" }): void {
  const { state } = context;
  const { self, peers } = state.environment;
  const { votes, epoch } = slotState(state, slot);
  const cast = roundValueIn(votes, 0 as Round);
  const content = cast === undefined ? undefined : state.slots.contents.get(cast.value);
  if (cast === undefined || content === undefined) {
    context.agenda.push({ do: "advance", address: slot.address });
    return;
  }
  sign(context, [self], { type: "vote", epoch, slot, round: 0 as Round, value: cast.value });
  send(context, peers, { type: "offer", slot, content });
  const due = state.environment.rules.validator.nextBurn(state, slot);
  // This validator also relays a burn that became due meanwhile.
  if (due !== undefined) context.agenda.push({ do: "advance", address: slot.address });
}

/** Resends the same vote to the round's proposer. */
function resendVote(context: StepContext, slot: Slot): void {
  const { state } = context;
  const { round, votes, epoch } = slotState(state, slot);
  const cast = roundValueIn(votes, round);
  const { rules, committee } = state.environment;
  if (cast === undefined) return;
  const proposer = rules.consensus.proposerOf(committee, slot, round);
  sign(context, [proposer], { type: "vote", epoch, slot, round, value: cast.value });
}

/** Spreads the lock of the current round, so that this validator collects the commits now. */
function spreadLock(context: StepContext, slot: Slot): void {
  const { state } = context;
  const { round, commits, lock, epoch } = slotState(state, slot);
  const cast = roundValueIn(commits, round);
  if (lock === undefined || lock.round !== round || cast === undefined) return;
  sign(context, [state.environment.self], { type: "commit", epoch, slot, round, value: cast.value });
  send(context, state.environment.peers, { type: "consensus", body: lock, contents: [], reason: undefined });
}
