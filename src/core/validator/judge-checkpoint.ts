/** May this validator vote for this checkpoint? Every root is found again from the parent's state (design 6). */
import type { CheckpointPolicy } from "../base/checkpoint.ts";
import type { Millis } from "../base/ids.ts";
import type { Verdict } from "../base/refusal.ts";
import {
  type ChainValue,
  type CheckpointSlot,
  type LedgerSlot,
  type Listed,
  slotKey,
  slotNumber,
} from "../base/slot.ts";
import { isBeyond } from "../ledger/epoch.ts";
import { EXTRA_DATA_BYTES } from "../ledger/limits.ts";
import { nextOf } from "../ledger/state.ts";
import { longText } from "../ledger/texts.ts";
import { ACCEPT, refuse, wait } from "../ledger/verdict.ts";
import { sizeOf } from "./checkpoint-content.ts";
import { type CheckpointContent, type Content, isCheckpoint } from "./content.ts";
import type { View } from "./grounds.ts";
import { CLOCK_AHEAD_MS } from "./limits.ts";

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
  const rooted = rootsFault(state, content);
  if (rooted !== undefined) return refused(rooted);
  return clockWait(clock, content.value) > 0 ? waitFor("its timestamp is ahead of this clock") : ACCEPT;
}

/** Listed slots of which this validator has seen no decision: it asks for them, and does not vote before (design 6). */
export function lackingOf(state: View, { value }: CheckpointContent): readonly LedgerSlot[] {
  return value.listed.map(({ slot }) => slot).filter((slot) => state.slots.get(slotKey(slot))?.decided === undefined);
}

/** How long until a timestamp is near enough to this validator's clock, in milliseconds; at most 0 where it is. */
export function clockWait(clock: Millis, { header }: ChainValue): number {
  return header.timestamp * 1_000 - CLOCK_AHEAD_MS - clock;
}

function headerFault(
  state: View,
  policy: CheckpointPolicy,
  { value, operations }: CheckpointContent,
): string | undefined {
  const { header, listed } = value;
  const parent = state.checkpoint;
  if (header.parentHash !== parent.hash) return `parent ${header.parentHash}, expected ${parent.hash}`;
  const earliest = parent.header.timestamp + policy.periodSeconds;
  if (header.timestamp < earliest) return `timestamp ${header.timestamp}, expected at least ${earliest}`;
  if (listed.length > policy.limit) return `${listed.length} slots, expected at most ${policy.limit}`;
  if (listed.length === 0 && !policy.empty) return "it lists nothing";
  const extra = longText("extra data", header.extraData, EXTRA_DATA_BYTES);
  if (extra !== undefined && "reason" in extra) return `extra data ${extra.reason}`;
  const size = sizeOf(operations, state.environment.hashes.copy);
  return header.size === size ? undefined : `size ${header.size}, expected ${size}`;
}

/** A slot that an earlier checkpoint lists, or one with another value than was decided. */
function listedFault(state: View, listed: readonly Listed[]): string | undefined {
  for (const { slot, value } of listed) {
    if (slotNumber(slot) < nextOf(state.checkpoint.state, slot)) return `${slotKey(slot)} was listed before`;
    const decided = state.slots.get(slotKey(slot))?.decided;
    if (decided !== undefined && decided.value !== state.environment.hashes.value(value))
      return `${slotKey(slot)} was decided for another value`;
  }
  return undefined;
}

function rootsFault(state: View, content: CheckpointContent): string | undefined {
  const { value, operations } = content;
  const replayed = state.environment.hashes.replay(state.checkpoint.state, value.listed, operations);
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of ["stateRoot", "transactionsRoot", "receiptsRoot"] as const) {
    const [claimed, found] = [value.header[name], replayed.roots[name]];
    if (claimed !== found) return `${name} ${claimed}, expected ${found}`;
  }
  return undefined;
}

function refused(reason: string): Verdict {
  return refuse({ code: "validation_proposal", reason });
}

function waitFor(reason: string): Verdict {
  return wait({ code: "validation_proposal", reason });
}
