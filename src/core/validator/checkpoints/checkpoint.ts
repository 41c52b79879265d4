/** Due times of checkpoints, and the slots that an honest proposer lists (protocol 6.1). */

import { assert, requireDefined } from "../../base/assert.ts";
import type { CheckpointPolicy, EpochParameters } from "../../base/epoch.ts";
import type { CheckpointNumber, Millis } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import { type CheckpointHeader, type CheckpointSlot, type ListedDecision, slotKey } from "../../base/slot.ts";
import { isPastEpochEnd } from "../../ledger/epoch.ts";
import { type Content, copiesOf, isLedgerContent, sizeOf } from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";
import { CHECKPOINT_ROUND_MS, CLOCK_POLL_MS } from "../limits.ts";
import { epochSlot } from "../slot-position.ts";
import { resetTimer, startTimer } from "../slots/slot-timers.ts";
import { firstProposal } from "../slots/slots.ts";
import { slotState, type ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import { type Timer, timerName } from "../timer.ts";
import { type ChainBase, clockDelay } from "./check-checkpoint.ts";

/** Returns the slot of the next checkpoint. */
export function nextCheckpoint({ checkpoints: { last: checkpoint } }: ValidatorState): CheckpointSlot {
  return { kind: "checkpoint", number: (checkpoint.header.number + 1) as CheckpointNumber };
}

/**
 * Proposes the next checkpoint if one is due, starts the timer of its proposer, or sets the timer for its due time.
 * Called after an application or a timer.
 */
export function openCheckpoint(context: StepContext): void {
  const { state } = context;
  const { checkpoints: policy } = state.ledger.parameters;
  const slot = nextCheckpoint(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  if (state.epochs.closed !== undefined || slotState(state, epochSlot(state)).decided !== undefined) {
    context.agenda.push({ do: "closing" });
    return;
  }
  if (policy === undefined) return;
  if (isPastEpochEnd(state.ledger, slot.number)) {
    closeIfLast(context);
    return;
  }
  if (!isDue(context, policy)) {
    scheduleCheckpoint(context, policy);
    return;
  }
  const key = slotKey(slot);
  if (current.round === 0) startTimer(context, { kind: "checkpoint", slot: key }, CHECKPOINT_ROUND_MS);
  const task = firstProposal(state, slot);
  if (task !== undefined) context.agenda.push(task);
}

/** The epoch's last checkpoint is applied: its certificate is the cause to close (protocol 6.3). */
function closeIfLast(context: StepContext): void {
  const { state } = context;
  const certificate = slotState(state, state.checkpoints.last.slot).decided;
  if (certificate !== undefined) context.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
}

function isDue({ state, at, clock }: StepContext, policy: CheckpointPolicy): boolean {
  const { log } = state.sync;
  if (periodWait(state, clock, policy) > 0) return false;
  if (log.size >= policy.slots) return true;
  return at >= state.checkpoints.last.since + policy.intervalMs && (log.size > 0 || policy.empty);
}

/**
 * Returns the milliseconds until the earliest timestamp that the period allows is acceptable to voters; at most 0 if it
 * is now.
 */
function periodWait({ checkpoints }: ValidatorState, clock: Millis, { periodSeconds }: CheckpointPolicy): number {
  return periodSeconds === 0 ? 0 : clockDelay(clock, checkpoints.last) + periodSeconds * 1_000;
}

/** A slot that no checkpoint lists keeps the world awake until one does; an empty checkpoint does not. */
function scheduleCheckpoint(context: StepContext, policy: CheckpointPolicy): void {
  const { state } = context;
  if (state.sync.log.size === 0 && !policy.empty) return;
  const timer: Timer = { kind: "due", slot: slotKey(nextCheckpoint(state)) };
  const isAwake = state.sync.log.size > 0;
  const isFull = state.sync.log.size >= policy.slots;
  if (state.slots.timers.has(timerName(timer)) && !(isAwake && state.sync.log.size === 1) && !isFull) return;
  const interval = isFull ? 0 : state.checkpoints.last.since + policy.intervalMs - context.at;
  const period = Math.min(periodWait(state, context.clock, policy), CLOCK_POLL_MS);
  resetTimer(context, timer, Math.max(0, interval, period), !isAwake);
}

/**
 * Returns the applied slots that no checkpoint lists, oldest first and at most M: in its order of application each is
 * next, authorised and funded.
 */
export function checkpointContent(state: ValidatorState, clock: Millis): Content | undefined {
  const { hashes } = state.environment;
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || (state.sync.log.size === 0 && !policy.empty)) return undefined;
  const listed: ListedDecision[] = [];
  const operations: SignedOperation[] = [];
  for (const slot of state.sync.log.values()) {
    if (listed.length === policy.limit) break;
    const { decided } = slotState(state, slot);
    const content = requireDefined(decided && state.slots.contents.get(decided.value), `content of ${slotKey(slot)}`);
    assert(isLedgerContent(content), "the log holds slots that a ledger applies");
    listed.push({ slot, value: content.value, copies: copiesOf(content.operations, hashes.copy) });
    operations.push(...content.operations);
  }
  const { last } = state.checkpoints;
  const timestamp = Math.max(Math.floor(clock / 1_000), last.header.timestamp + policy.periodSeconds);
  const header = buildHeader(state.environment, last, { listed, operations }, timestamp);
  return { value: { type: "checkpoint", header, listed }, operations, certificates: [] };
}

/**
 * Returns the header of a chain link on `base` with slots in an order in which they were applied (protocol 6.1). `next`:
 * the parameters to which a closing leads (protocol 6.3).
 */
export function buildHeader(
  { hashes }: Pick<DecisionInputs, "hashes">,
  base: ChainBase,
  { listed, operations }: Readonly<{ listed: readonly ListedDecision[]; operations: readonly SignedOperation[] }>,
  timestamp: number,
  next?: EpochParameters,
): CheckpointHeader {
  const number = (base.header.number + 1) as CheckpointNumber;
  const replayed = hashes.replay(base.state, listed, operations, next && { number, next });
  assert(replayed.outcome === "replayed", "an order in which each slot was applied does not replay");
  const size = sizeOf(operations, hashes.copy);
  return { number, parentHash: base.hash, ...replayed.roots, timestamp, size, extraData: "" };
}
