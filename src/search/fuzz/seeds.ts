/** Which seeds a campaign runs, and which of them a shard of it. */
import type { Counted } from "./tally.ts";

/** Where a campaign gets its seeds from. */
export interface SeedSource {
  /** The next one; "later" where it depends on runs that are not told yet; `undefined` after the last. */
  readonly take: () => string | "later" | undefined;
  /** A run has come to its end. In the order in which their seeds were taken. */
  readonly told: (run: Counted) => void;
}

/** Seeds one after the other, whatever comes of them. */
export function inTurn(seeds: readonly string[]): SeedSource {
  let next = 0;
  return { take: () => seeds[next++], told: () => undefined };
}

/** A part of a campaign: the `index`-th of `count`, from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const WHOLE: Shard = { index: 1, count: 1 };

/** The seeds from `first` on, of which a shard takes every `count`-th. All shards together take each once. */
export function seedsOf(first: bigint, count: number, shard: Shard): readonly string[] {
  const seeds: string[] = [];
  for (let at = shard.index - 1; at < count; at += shard.count) seeds.push(String(first + BigInt(at)));
  return seeds;
}
