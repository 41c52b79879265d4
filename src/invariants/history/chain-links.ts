/** Checkpoint chain, followed from a link to its ancestors through the known contents (protocol 6.1). */
import type { Hash } from "../../core/base/ids.ts";
import { type CheckpointValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import type { Contents } from "./content.ts";

/** Checkpoint with its hash. */
export interface ChainLink {
  readonly hash: Hash;
  readonly value: CheckpointValue;
}

export interface ChainLinks {
  /** Highest first. */
  readonly links: readonly ChainLink[];
  /** True if they lead to the link that opened the epoch; otherwise an ancestor is unknown. */
  readonly isWhole: boolean;
}

/**
 * Returns the checkpoints of one epoch from checkpoint `number` down to the first one after the link that opened it.
 */
export function ancestors(contents: Contents, hash: Hash, number: number, opened: number): ChainLinks {
  const links: ChainLink[] = [];
  let next = hash;
  for (let at = number; at > opened; at--) {
    const value = contents.get(next)?.value;
    if (value?.type !== "checkpoint" || value.header.number !== at) return { links, isWhole: false };
    links.push({ hash: next, value });
    next = value.header.parentHash;
  }
  return { links, isWhole: true };
}

/** Returns the slots that these checkpoints list. */
export function slotsListed({ links }: ChainLinks): ReadonlySet<SlotKey> {
  return new Set(links.flatMap(({ value }) => value.listed.map(({ slot }) => slotKey(slot))));
}
