/** Campaign over many seeds: pure, and run in slices of a few events, so that the caller can stop it inside a run. */
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "./seed-run.ts";
import type { SeedSource } from "./seeds.ts";
import { countsOf, type FailureClass, Tally } from "./tally.ts";

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
