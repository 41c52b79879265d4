/** What is judged alike of a checkpoint and of a closing: its place after its base, its plain members, its roots (protocol 6.1, 6.3). */
import type { Verdict } from "../../base/refusal.ts";
import { type Listed, slotKey } from "../../base/slot.ts";
import { closingOf } from "../../ledger/checkpoint.ts";
import { EXTRA_DATA_BYTES } from "../../ledger/limits.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { longText } from "../../ledger/texts.ts";
import { refuse, wait } from "../../ledger/verdict.ts";
import { sizeOf } from "../checkpoints/checkpoint-content.ts";
import type { ChainContent } from "../slots/content.ts";
import type { Checkpointed, View } from "../slots/grounds.ts";

/** The link that another one builds on. */
export type LinkBase = Pick<Checkpointed, "hash" | "header" | "state">;

/** Whether it names its base, and a time that is not before `earliest`, in seconds. */
export function placeFault(base: LinkBase, earliest: number, { value }: ChainContent): string | undefined {
  const { parentHash, timestamp } = value.header;
  if (parentHash !== base.hash) return `parent ${parentHash}, expected ${base.hash}`;
  return timestamp < earliest ? `timestamp ${timestamp}, expected at least ${earliest}` : undefined;
}

/** Whether its extra data is bounded, and its size that of the copies which it shows. */
export function plainFault({ environment }: View, { value, operations }: ChainContent): string | undefined {
  const { extraData, size: claimed } = value.header;
  const extra = longText("extra data", extraData, EXTRA_DATA_BYTES);
  if (extra !== undefined && "reason" in extra) return `extra data ${extra.reason}`;
  const size = sizeOf(operations, environment.hashes.copy);
  return claimed === size ? undefined : `size ${claimed}, expected ${size}`;
}

/** Every root is found again from the base's state. */
export function rootsFault(
  { environment }: View,
  base: LinkBase,
  { value, operations }: ChainContent,
): string | undefined {
  const replayed = environment.hashes.replay(base.state, value.listed, operations, closingOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of ["stateRoot", "transactionsRoot", "receiptsRoot"] as const) {
    const [claimed, found] = [value.header[name], replayed.roots[name]];
    if (claimed !== found) return `${name} ${claimed}, expected ${found}`;
  }
  return undefined;
}

/** The state after a link, or why replaying it on `base` does not lead to the state that it names. Cost: O(list), once. */
export function stateAfter(
  { hashes }: Pick<View["environment"], "hashes">,
  base: LedgerState,
  { value, operations }: ChainContent,
): LedgerState | string {
  const replayed = hashes.replay(base, value.listed, operations, closingOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  const [claimed, found] = [value.header.stateRoot, replayed.roots.stateRoot];
  return claimed === found ? replayed.state : `stateRoot ${claimed}, expected ${found}`;
}

/** Why a list contradicts what is decided here: one of its slots was decided for another value. */
export function rivalFault({ slots, environment }: Known, listed: readonly Listed[]): string | undefined {
  for (const { slot, value } of listed) {
    const decided = slots.get(slotKey(slot))?.decided;
    if (decided !== undefined && decided.value !== environment.hashes.value(value))
      return `${slotKey(slot)} was decided for another value`;
  }
  return undefined;
}

type Known = Pick<View, "slots"> & { readonly environment: Pick<View["environment"], "hashes"> };

/** A link that follows from nothing here. */
export function refused(reason: string): Verdict {
  return refuse({ code: "validation_proposal", reason });
}

/** A link that cannot be judged yet. */
export function waitFor(reason: string): Verdict {
  return wait({ code: "validation_proposal", reason });
}
