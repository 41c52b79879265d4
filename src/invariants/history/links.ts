/** Links of the checkpoint chain, followed from one to its parent by the contents that were seen (protocol 6.1). */
import type { Hash } from "../../core/base/ids.ts";
import { type CheckpointValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import type { Contents } from "./content.ts";

/** A checkpoint with its hash. */
export interface Linked {
  readonly hash: Hash;
  readonly value: CheckpointValue;
}

export interface Links {
  /** From the highest downwards. */
  readonly links: readonly Linked[];
  /** Whether they lead to the link that opened the epoch: else nothing says what one of them is. */
  readonly isWhole: boolean;
}

/** The checkpoints of one epoch from checkpoint `number` downwards, to the one above the link that opened it. */
export function linksDown(contents: Contents, hash: Hash, number: number, opened: number): Links {
  const links: Linked[] = [];
  let next = hash;
  for (let at = number; at > opened; at--) {
    const value = contents.get(next)?.value;
    if (value?.type !== "checkpoint" || value.header.number !== at) return { links, isWhole: false };
    links.push({ hash: next, value });
    next = value.header.parentHash;
  }
  return { links, isWhole: true };
}

/** Every slot that the checkpoints of these links list. */
export function slotsListed({ links }: Links): ReadonlySet<SlotKey> {
  return new Set(links.flatMap(({ value }) => value.listed.map(({ slot }) => slotKey(slot))));
}
