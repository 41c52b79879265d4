/** Seeds of a campaign, and the sources that yield them. */
import type { RunCounts } from "./tally.ts";

/** Source of a campaign's seeds. */
export interface SeedSource {
  /** Returns the next seed; "later" if it depends on unreported runs; `undefined` after the last. */
  readonly take: () => string | "later" | undefined;
  /** Reports a finished run, in the order in which seeds were taken. */
  readonly onRun: (run: RunCounts) => void;
}

/** Returns the seeds in order, independent of the results. */
export function consecutiveSeeds(seeds: readonly string[]): SeedSource {
  let next = 0;
  return { take: () => seeds[next++], onRun: () => undefined };
}

/** The `index`-th of `count` parts of a campaign, from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const ALL_SEEDS: Shard = { index: 1, count: 1 };

/** Returns every `count`-th seed from `first` on; the shards together cover each seed once. */
export function seedsOf(first: bigint, count: number, shard: Shard): readonly string[] {
  const seeds: string[] = [];
  for (let at = shard.index - 1; at < count; at += shard.count) seeds.push(String(first + BigInt(at)));
  return seeds;
}
