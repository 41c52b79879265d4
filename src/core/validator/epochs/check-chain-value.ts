/** Checks that checkpoints and closings share: position after the base, plain members, roots (protocol 6.1, 6.3). */
import type { CheckResult } from "../../base/refusal.ts";
import { type ChainSlot, chainSlotOf, type Listed, slotKey } from "../../base/slot.ts";
import { refuse, wait } from "../../ledger/check-result.ts";
import { closingTransitionOf } from "../../ledger/checkpoint.ts";
import { EXTRA_DATA_BYTES } from "../../ledger/limits.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { textTooLong } from "../../ledger/text-rules.ts";
import { sizeOf } from "../checkpoints/checkpoint-content.ts";
import type { ChainContent } from "../slots/content.ts";
import type { Checkpointed, DecisionView } from "../slots/decision-inputs.ts";

/** Chain link that another one builds on. */
export type ChainBase = Pick<Checkpointed, "hash" | "header" | "state">;

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
export function rootsFault(
  { environment }: DecisionView,
  base: ChainBase,
  { value, operations }: ChainContent,
): string | undefined {
  const replayed = environment.hashes.replay(base.state, value.listed, operations, closingTransitionOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of ["stateRoot", "transactionsRoot", "receiptsRoot"] as const) {
    const [claimed, found] = [value.header[name], replayed.roots[name]];
    if (claimed !== found) return `${name} ${claimed}, expected ${found}`;
  }
  return undefined;
}

/**
 * Returns the state after a chain link, or why replaying it on `base` does not lead to the state that it names. Cost:
 * O(list), once.
 */
export function stateAfter(
  { hashes }: Pick<DecisionView["environment"], "hashes">,
  base: LedgerState,
  { value, operations }: ChainContent,
): LedgerState | string {
  const replayed = hashes.replay(base, value.listed, operations, closingTransitionOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  const [claimed, found] = [value.header.stateRoot, replayed.roots.stateRoot];
  return claimed === found ? replayed.state : `stateRoot ${claimed}, expected ${found}`;
}

/** Returns why a list contradicts a decision here: one of its slots was decided for another value. */
export function conflictFault({ slots, environment }: Known, listed: readonly Listed[]): string | undefined {
  for (const { slot, value } of listed) {
    const decided = slots.get(slotKey(slot))?.decided;
    if (decided !== undefined && decided.value !== environment.hashes.value(value))
      return `${slotKey(slot)} was decided for another value`;
  }
  return undefined;
}

type Known = Pick<DecisionView, "slots"> & { readonly environment: Pick<DecisionView["environment"], "hashes"> };

/** Refuses a chain link that does not follow from this validator's state. */
export function refusedFor(reason: string): CheckResult {
  return refuse({ code: "validation_proposal", reason });
}

/** Waits with a chain link that cannot be checked yet. */
export function waiting(reason: string): CheckResult {
  return wait({ code: "validation_proposal", reason });
}
