/**
 * Check that decides if this validator votes for a checkpoint: recomputes every root from the parent's state; and the
 * checks that closings share (protocol 6.1, 6.3).
 */

import type { CheckpointPolicy } from "../../base/epoch.ts";
import type { Millis } from "../../base/ids.ts";
import { ACCEPT, type CheckResult, refuseProposal, wait } from "../../base/refusal.ts";
import {
  type ChainSlot,
  type ChainValue,
  type CheckpointSlot,
  chainSlotOf,
  type LedgerSlot,
  type ListedDecision,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import { closingTransitionOf } from "../../ledger/checkpoint.ts";
import { isPastEpochEnd } from "../../ledger/epoch.ts";
import { textTooLong } from "../../ledger/field-rules.ts";
import { EXTRA_DATA_BYTES } from "../../ledger/limits.ts";
import { type LedgerState, nextOf } from "../../ledger/state.ts";
import { type ChainContent, type CheckpointContent, type Content, isCheckpoint, sizeOf } from "../content.ts";
import type { DecisionInputs, DecisionView } from "../decision-inputs.ts";
import { CLOCK_AHEAD_MS } from "../limits.ts";
import type { AppliedChainLink } from "../sub-states.ts";

/** Chain link that another one builds on. */
export type ChainBase = Pick<AppliedChainLink, "hash" | "header" | "state">;

/** Requires the hash of its base, and a time that is not before `earliest`, in seconds. */
export function positionFault(base: ChainBase, earliest: number, { value }: ChainContent): string | undefined {
  const { parentHash, timestamp } = value.header;
  if (parentHash !== base.hash) return `parent ${parentHash}, expected ${base.hash}`;
  return timestamp < earliest ? `timestamp ${timestamp}, expected at least ${earliest}` : undefined;
}

/**
 * Requires of a decided chain link that it belongs in its slot and follows `base`. A Byzantine quorum can decide in one
 * slot the value of another.
 */
export function successionFault(slot: ChainSlot, base: ChainBase, { value }: ChainContent): string | undefined {
  const [decided, own] = [slotKey(slot), slotKey(chainSlotOf(value))];
  if (own !== decided) return `${decided} decides the value of ${own}`;
  const { number, parentHash } = value.header;
  return number === base.header.number + 1 && parentHash === base.hash
    ? undefined
    : `chain link ${number} does not follow chain link ${base.header.number}`;
}

/** Requires bounded extra data, and the size of the copies which it shows. */
export function chainHeaderFault(
  { environment }: DecisionView,
  { value, operations }: ChainContent,
): string | undefined {
  const { extraData, size: claimed } = value.header;
  const extra = textTooLong("extra data", extraData, EXTRA_DATA_BYTES);
  if (extra !== undefined && "reason" in extra) return `extra data ${extra.reason}`;
  const size = sizeOf(operations, environment.hashes.copy);
  return claimed === size ? undefined : `size ${claimed}, expected ${size}`;
}

/** Recomputes every root from the base's state. */
export function rootsFault({ environment }: DecisionView, base: ChainBase, content: ChainContent): string | undefined {
  const after = stateAfter(environment, base.state, content, ["stateRoot", "transactionsRoot", "receiptsRoot"]);
  return typeof after === "string" ? after : undefined;
}

/**
 * Returns the state after a chain link, or why replaying it on `base` does not lead to the roots that it names, of
 * these. Cost: O(list), once.
 */
export function stateAfter(
  { hashes }: Pick<DecisionInputs, "hashes">,
  base: LedgerState,
  { value, operations }: ChainContent,
  roots: readonly ("stateRoot" | "transactionsRoot" | "receiptsRoot")[] = ["stateRoot"],
): LedgerState | string {
  const replayed = hashes.replay(base, value.listed, operations, closingTransitionOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of roots) {
    const [claimed, found] = [value.header[name], replayed.roots[name]];
    if (claimed !== found) return `${name} ${claimed}, expected ${found}`;
  }
  return replayed.state;
}

/** Returns why a list contradicts a decision here: one of its slots was decided for another value. */
export function conflictFault(
  { slots: { records: slots }, environment }: ConflictInputs,
  listed: readonly ListedDecision[],
): string | undefined {
  for (const { slot, value } of listed) {
    const decided = slots.get(slotKey(slot))?.decided;
    if (decided !== undefined && decided.value !== environment.hashes.value(value))
      return `${slotKey(slot)} was decided for another value`;
  }
  return undefined;
}

type ConflictInputs = Pick<DecisionView, "slots"> & { readonly environment: Pick<DecisionInputs, "hashes"> };

/** Waits with a value that cannot be checked yet. */
export function waitWithProposal(reason: string): CheckResult {
  return wait({ code: "validation_proposal", reason });
}

/** Returns the check result for a checkpoint of the next number whose content proves itself. */
export function checkCheckpoint(
  state: DecisionView,
  clock: Millis,
  slot: CheckpointSlot,
  content: Content,
): CheckResult {
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || !isCheckpoint(content)) return refuseProposal("this slot decides no such value");
  const { header, listed } = content.value;
  if (header.number !== slot.number) return refuseProposal(`number ${header.number}, expected ${slot.number}`);
  if (isPastEpochEnd(state.ledger, header.number))
    return refuseProposal(`the epoch ends before checkpoint ${header.number}`);
  const fault = headerFault(state, policy, content) ?? listedFault(state, listed);
  if (fault !== undefined) return refuseProposal(fault);
  if (missingSlots(state, content).length > 0) return waitWithProposal("decisions that it lists are not here");
  const rooted = rootsFault(state, state.checkpoints.last, content);
  if (rooted !== undefined) return refuseProposal(rooted);
  return isAheadOfClock(clock, state.checkpoints.last, content.value)
    ? waitWithProposal("its timestamp is ahead of this clock")
    : ACCEPT;
}

/** Returns the listed slots without a decision here, without which it does not vote (protocol 6.1). */
export function missingSlots(state: DecisionView, { value }: CheckpointContent): readonly LedgerSlot[] {
  return value.listed
    .map(({ slot }) => slot)
    .filter((slot) => state.slots.records.get(slotKey(slot))?.decided === undefined);
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
export function clockDelay(clock: Millis, { header }: Pick<ChainBase, "header">): number {
  return header.timestamp * 1_000 - CLOCK_AHEAD_MS - clock;
}

function headerFault(state: DecisionView, policy: CheckpointPolicy, content: CheckpointContent): string | undefined {
  const { listed } = content.value;
  const parent = state.checkpoints.last;
  const fault = positionFault(parent, parent.header.timestamp + policy.periodSeconds, content);
  if (fault !== undefined) return fault;
  if (listed.length > policy.limit) return `${listed.length} slots, expected at most ${policy.limit}`;
  if (listed.length === 0 && !policy.empty) return "it lists nothing";
  return chainHeaderFault(state, content);
}

/** Rejects a slot that an earlier checkpoint lists, or with another value than was decided. */
function listedFault(state: DecisionView, listed: readonly ListedDecision[]): string | undefined {
  const earlier = listed.find(({ slot }) => slotNumber(slot) < nextOf(state.checkpoints.last.state, slot));
  return earlier === undefined ? conflictFault(state, listed) : `${slotKey(earlier.slot)} was listed before`;
}
