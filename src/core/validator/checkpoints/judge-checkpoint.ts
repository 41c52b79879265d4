/** May this validator vote for this checkpoint? Every root is found again from the parent's state (protocol 6.1). */
import type { CheckpointPolicy } from "../../base/checkpoint.ts";
import type { Millis } from "../../base/ids.ts";
import type { Verdict } from "../../base/refusal.ts";
import {
  type ChainValue,
  type CheckpointSlot,
  type LedgerSlot,
  type Listed,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { isBeyond } from "../../ledger/epoch.ts";
import { nextOf } from "../../ledger/state.ts";
import { ACCEPT } from "../../ledger/verdict.ts";
import {
  type LinkBase,
  placeFault,
  plainFault,
  refused,
  rivalFault,
  rootsFault,
  waitFor,
} from "../epochs/judge-link.ts";
import { CLOCK_AHEAD_MS } from "../limits.ts";
import { type CheckpointContent, type Content, isCheckpoint } from "../slots/content.ts";
import type { View } from "../slots/grounds.ts";

/** The verdict on a checkpoint, its content proved, for the next number. */
export function judgeCheckpoint(state: View, clock: Millis, slot: CheckpointSlot, content: Content): Verdict {
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || !isCheckpoint(content)) return refused("this slot decides no such value");
  const { header, listed } = content.value;
  if (header.number !== slot.number) return refused(`number ${header.number}, expected ${slot.number}`);
  if (isBeyond(state.ledger, header.number)) return refused(`the epoch ends before checkpoint ${header.number}`);
  const fault = headerFault(state, policy, content) ?? listedFault(state, listed);
  if (fault !== undefined) return refused(fault);
  if (lackingOf(state, content).length > 0) return waitFor("decisions that it lists are not here");
  const rooted = rootsFault(state, state.checkpoint, content);
  if (rooted !== undefined) return refused(rooted);
  return isAheadOfClock(clock, state.checkpoint, content.value)
    ? waitFor("its timestamp is ahead of this clock")
    : ACCEPT;
}

/** Listed slots of which this validator has seen no decision: it asks for them, and does not vote before (protocol 6.1). */
export function lackingOf(state: View, { value }: CheckpointContent): readonly LedgerSlot[] {
  return value.listed.map(({ slot }) => slot).filter((slot) => state.slots.get(slotKey(slot))?.decided === undefined);
}

/**
 * Whether a voter waits for its clock before it accepts a timestamp: beyond the later of its clock plus 5 s and the time of
 * the base. A link never has an earlier time than its base, so a clock that was set back delays no closing; between two
 * checkpoints the period holds, by the clocks of those who vote (protocol 6.1).
 */
export function isAheadOfClock(clock: Millis, base: Pick<LinkBase, "header">, value: ChainValue): boolean {
  return value.header.timestamp > base.header.timestamp && clockWait(clock, value) > 0;
}

/** How long until a timestamp is near enough to this validator's clock, in milliseconds; at most 0 where it is. */
export function clockWait(clock: Millis, { header }: ChainValue): number {
  return header.timestamp * 1_000 - CLOCK_AHEAD_MS - clock;
}

function headerFault(state: View, policy: CheckpointPolicy, content: CheckpointContent): string | undefined {
  const { listed } = content.value;
  const parent = state.checkpoint;
  const fault = placeFault(parent, parent.header.timestamp + policy.periodSeconds, content);
  if (fault !== undefined) return fault;
  if (listed.length > policy.limit) return `${listed.length} slots, expected at most ${policy.limit}`;
  if (listed.length === 0 && !policy.empty) return "it lists nothing";
  return plainFault(state, content);
}

/** A slot that an earlier checkpoint lists, or one with another value than was decided. */
function listedFault(state: View, listed: readonly Listed[]): string | undefined {
  const earlier = listed.find(({ slot }) => slotNumber(slot) < nextOf(state.checkpoint.state, slot));
  return earlier === undefined ? rivalFault(state, listed) : `${slotKey(earlier.slot)} was listed before`;
}
