/** When a checkpoint is due, and what an honest proposer lists (protocol 6.1). */
import { assert, present } from "../../base/assert.ts";
import type { CheckpointPolicy } from "../../base/checkpoint.ts";
import type { CheckpointNumber, Millis, Round } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import { type ChainSlot, type CheckpointSlot, type CheckpointValue, type Listed, slotKey } from "../../base/slot.ts";
import { changeRound } from "../../consensus/round-change.ts";
import { isBeyond } from "../../ledger/epoch.ts";
import type { Turn } from "../agenda.ts";
import { epochSlot } from "../epochs/closing-rules.ts";
import { CHECKPOINT_ROUND_MS, CLOCK_AHEAD_MS, CLOCK_LOOK_MS } from "../limits.ts";
import { type Content, isLedgerContent } from "../slots/content.ts";
import { isNextHere } from "../slots/place.ts";
import { onSlot, slotState } from "../slots/slots.ts";
import { mark, setTimer } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { copiesOf, sizeOf } from "./checkpoint-content.ts";

/** The slot of the next checkpoint. */
export function nextCheckpoint({ checkpoint }: ValidatorState): CheckpointSlot {
  return { kind: "checkpoint", number: (checkpoint.header.number + 1) as CheckpointNumber };
}

/**
 * Something was applied, or time has passed: proposes the next checkpoint where one is due, gives its proposer a bounded
 * time, or sets the timer for when it will be due.
 */
export function openCheckpoint(turn: Turn): void {
  const { state } = turn;
  const { checkpoints: policy } = state.ledger.parameters;
  const slot = nextCheckpoint(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    turn.agenda.push({ do: "apply", slot });
    return;
  }
  if (state.closed !== undefined || slotState(state, epochSlot(state)).decided !== undefined) {
    turn.agenda.push({ do: "closing" });
    return;
  }
  if (policy === undefined) return;
  if (isBeyond(state.ledger, slot.number)) {
    closeIfLast(turn);
    return;
  }
  if (!isDue(turn, policy)) {
    scheduleCheckpoint(turn, policy);
    return;
  }
  const key = slotKey(slot);
  const timer = `checkpoint ${key}`;
  if (current.round === 0 && !state.roundTimers.has(timer)) {
    state.roundTimers = state.roundTimers.set(timer, true);
    setTimer(turn, timer, CHECKPOINT_ROUND_MS);
  }
  const { rules, committee, self } = state.environment;
  if (current.round > 0 || current.proposed !== undefined) return;
  if (rules.consensus.proposerOf(committee, slot, 0 as Round) !== self) return;
  turn.agenda.push({ do: "propose", slot, round: 0 as Round, forced: undefined, justification: [] });
}

/** The epoch's last checkpoint is applied: its certificate is the cause to close (protocol 6.3). */
function closeIfLast(turn: Turn): void {
  const { state } = turn;
  const certificate = slotState(state, state.checkpoint.slot).decided;
  if (certificate !== undefined) turn.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
}

function isDue({ state, at, clock }: Turn, policy: CheckpointPolicy): boolean {
  const { log, checkpoint } = state;
  if (periodWait(state, clock, policy) > 0) return false;
  if (log.size >= policy.slots) return true;
  return at >= checkpoint.since + policy.intervalMs && (log.size > 0 || policy.empty);
}

/** How long until the earliest timestamp that the period allows is near enough for those who vote; at most 0 where it is. */
function periodWait({ checkpoint }: ValidatorState, clock: Millis, { periodSeconds }: CheckpointPolicy): number {
  if (periodSeconds === 0) return 0;
  return (checkpoint.header.timestamp + periodSeconds) * 1_000 - CLOCK_AHEAD_MS - clock;
}

/** What is listed nowhere keeps the world awake until it is; an empty checkpoint does not. */
function scheduleCheckpoint(turn: Turn, policy: CheckpointPolicy): void {
  const { state } = turn;
  if (state.log.size === 0 && !policy.empty) return;
  const name = `due ${slotKey(nextCheckpoint(state))}`;
  const isAwake = state.log.size > 0;
  const isFull = state.log.size >= policy.slots;
  if (state.roundTimers.has(name) && !(isAwake && state.log.size === 1) && !isFull) return;
  state.roundTimers = state.roundTimers.set(name, true);
  const interval = isFull ? 0 : state.checkpoint.since + policy.intervalMs - turn.at;
  const period = Math.min(periodWait(state, turn.clock, policy), CLOCK_LOOK_MS);
  setTimer(turn, name, Math.max(0, interval, period), !isAwake);
}

/** Round 0 ended without the link of the chain that is due: the next proposer's turn (protocol 3.2). */
export function endFirstRound(turn: Turn, slot: ChainSlot): void {
  const { state } = turn;
  const { round, decided } = slotState(state, slot);
  if (decided !== undefined || round > 0 || !isNextHere(state, slot)) return;
  if (slot.kind === "checkpoint") mark(turn, "checkpoint timed out");
  onSlot(turn, slot, state.environment.self, (context, transition) =>
    changeRound(context, transition, 1 as Round, "timeout"),
  );
}

/**
 * What this validator has applied and no checkpoint lists, oldest first and at most M: its order of application is one in
 * which everything is next, authorised and funded.
 */
export function checkpointContent(state: ValidatorState, clock: Millis): Content | undefined {
  const { hashes } = state.environment;
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || (state.log.size === 0 && !policy.empty)) return undefined;
  const listed: Listed[] = [];
  const operations: SignedOperation[] = [];
  for (const slot of state.log.values()) {
    if (listed.length === policy.limit) break;
    const { decided } = slotState(state, slot);
    const content = present(decided && state.contents.get(decided.value), `content of ${slotKey(slot)}`);
    assert(isLedgerContent(content), "the log holds slots that a ledger applies");
    listed.push({ slot, value: content.value, copies: copiesOf(content.operations, hashes.copy) });
    operations.push(...content.operations);
  }
  const { hash, header: parent, state: base } = state.checkpoint;
  const unrooted = {
    number: nextCheckpoint(state).number,
    parentHash: hash,
    timestamp: Math.max(Math.floor(clock / 1_000), parent.timestamp + policy.periodSeconds),
    size: sizeOf(operations, hashes.copy),
    extraData: "",
  };
  const replayed = hashes.replay(base, listed, operations);
  assert(replayed.outcome === "replayed", "an order of application does not replay");
  const value: CheckpointValue = { type: "checkpoint", header: { ...unrooted, ...replayed.roots }, listed };
  return { value, operations, certificates: [] };
}
