/**
 * Check that decides if this validator votes for a checkpoint: recomputes every root from the parent's state (protocol
 * 6.1).
 */
import type { CheckpointPolicy } from "../../base/checkpoint.ts";
import type { Millis } from "../../base/ids.ts";
import type { CheckResult } from "../../base/refusal.ts";
import {
  type ChainValue,
  type CheckpointSlot,
  type LedgerSlot,
  type Listed,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { ACCEPT } from "../../ledger/check-result.ts";
import { isPastEpochEnd } from "../../ledger/epoch.ts";
import { nextOf } from "../../ledger/state.ts";
import {
  type ChainBase,
  chainHeaderFault,
  conflictFault,
  positionFault,
  refusedFor,
  rootsFault,
  waiting,
} from "../epochs/check-chain-value.ts";
import { CLOCK_AHEAD_MS } from "../limits.ts";
import { type CheckpointContent, type Content, isCheckpoint } from "../slots/content.ts";
import type { DecisionView } from "../slots/decision-inputs.ts";

/** Returns the check result for a checkpoint of the next number whose content proves itself. */
export function checkCheckpoint(
  state: DecisionView,
  clock: Millis,
  slot: CheckpointSlot,
  content: Content,
): CheckResult {
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || !isCheckpoint(content)) return refusedFor("this slot decides no such value");
  const { header, listed } = content.value;
  if (header.number !== slot.number) return refusedFor(`number ${header.number}, expected ${slot.number}`);
  if (isPastEpochEnd(state.ledger, header.number))
    return refusedFor(`the epoch ends before checkpoint ${header.number}`);
  const fault = headerFault(state, policy, content) ?? listedFault(state, listed);
  if (fault !== undefined) return refusedFor(fault);
  if (missingSlots(state, content).length > 0) return waiting("decisions that it lists are not here");
  const rooted = rootsFault(state, state.checkpoint, content);
  if (rooted !== undefined) return refusedFor(rooted);
  return isAheadOfClock(clock, state.checkpoint, content.value)
    ? waiting("its timestamp is ahead of this clock")
    : ACCEPT;
}

/**
 * Returns the listed slots without a decision here: the validator requests them, and does not vote before (protocol
 * 6.1).
 */
export function missingSlots(state: DecisionView, { value }: CheckpointContent): readonly LedgerSlot[] {
  return value.listed.map(({ slot }) => slot).filter((slot) => state.slots.get(slotKey(slot))?.decided === undefined);
}

/**
 * Returns true if a voter waits for its clock before it accepts a timestamp: beyond the later of its clock plus 5 s and
 * the time of the base. A chain link never has an earlier time than its base, so a clock that was set back delays no
 * closing; between two checkpoints the period holds, by the clocks of the voters (protocol 6.1).
 */
export function isAheadOfClock(clock: Millis, base: Pick<ChainBase, "header">, value: ChainValue): boolean {
  return value.header.timestamp > base.header.timestamp && clockDelay(clock, value) > 0;
}

/** Returns the milliseconds until a timestamp is near enough to this validator's clock; at most 0 if it is now. */
export function clockDelay(clock: Millis, { header }: ChainValue): number {
  return header.timestamp * 1_000 - CLOCK_AHEAD_MS - clock;
}

function headerFault(state: DecisionView, policy: CheckpointPolicy, content: CheckpointContent): string | undefined {
  const { listed } = content.value;
  const parent = state.checkpoint;
  const fault = positionFault(parent, parent.header.timestamp + policy.periodSeconds, content);
  if (fault !== undefined) return fault;
  if (listed.length > policy.limit) return `${listed.length} slots, expected at most ${policy.limit}`;
  if (listed.length === 0 && !policy.empty) return "it lists nothing";
  return chainHeaderFault(state, content);
}

/** Rejects a slot that an earlier checkpoint lists, or with another value than was decided. */
function listedFault(state: DecisionView, listed: readonly Listed[]): string | undefined {
  const earlier = listed.find(({ slot }) => slotNumber(slot) < nextOf(state.checkpoint.state, slot));
  return earlier === undefined ? conflictFault(state, listed) : `${slotKey(earlier.slot)} was listed before`;
}
