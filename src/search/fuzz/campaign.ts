/** Campaign over many seeds: pure, and run in slices of a few events, so that the caller can stop it inside a run. */
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "./seed-run.ts";
import { countsOf, type FailureClass, type RunCounts, Tally } from "./tally.ts";

interface CampaignPlan {
  readonly generator: GeneratorOptions;
  readonly seeds: SeedSource;
  /** Called before each seed and between slices; the campaign stops if it returns false. */
  readonly goesOn?: () => boolean;
  /** Failing runs after which it ends; `undefined`: no limit. */
  readonly stopAfter: number | undefined;
  /** Called with each run, with its failure class if it failed, and with the counts so far. */
  readonly onCounts?: (run: SeedRun, failure: FailureClass | undefined, tally: Tally) => void;
}

/** Runs a campaign. A run stopped inside counts as unfinished, neither passed nor failed. */
export function* campaign({ generator, seeds, goesOn, stopAfter, onCounts }: CampaignPlan): Interruptible<Tally> {
  const tally = new Tally();
  for (;;) {
    const seed = goesOn?.() === false ? undefined : seeds.take();
    if (seed === undefined || (yield)) return tally;
    const run = yield* unlessStopped(runSeed(seed, generator), goesOn);
    if (run === undefined) {
      tally.addUnfinished(seed);
      return tally;
    }
    const counted = countsOf(run);
    seeds.onRun(counted);
    const failure = tally.add(counted);
    onCounts?.(run, failure, tally);
    if (isOver(tally, stopAfter)) return tally;
  }
}

/** Returns true if the requested number of failures is reached. */
export function isOver({ failed }: Tally, stopAfter: number | undefined): boolean {
  return stopAfter !== undefined && failed >= stopAfter;
}

/** Source of a campaign's seeds. */
export interface SeedSource {
  /** Returns the next seed; "later" if it depends on unreported runs; `undefined` after the last. */
  readonly take: () => string | "later" | undefined;
  /** Reports a finished run, in the order in which seeds were taken. */
  readonly onRun: (run: RunCounts) => void;
}

/** Returns the seeds in order, independent of the results. */
export function consecutive(seeds: readonly string[]): SeedSource {
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
