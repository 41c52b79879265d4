/** Campaign over many seeds: pure, and run in slices of a few events, so that the caller can stop it inside a run. */
import type { Interruptible } from "../../run/interruptible.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "./seed-run.ts";
import type { SeedSource } from "./seeds.ts";
import { countsOf, type FailureClass, Tally } from "./tally.ts";

export interface CampaignPlan {
  readonly generator: GeneratorOptions;
  readonly seeds: SeedSource;
  /** Called before each seed and between slices; the campaign stops if it returns false. */
  readonly goesOn?: () => boolean;
  /** Failing runs after which it ends; `undefined`: no limit. */
  readonly stopAfter: number | undefined;
  /** Called with each run, and with its failure class if it failed. */
  readonly onCounts?: (run: SeedRun, failure: FailureClass | undefined) => void;
}

/** Runs a campaign. A run stopped inside counts as unfinished, neither passed nor failed. */
export function* campaign({
  generator: worlds,
  seeds,
  goesOn,
  stopAfter,
  onCounts: heard,
}: CampaignPlan): Interruptible<Tally> {
  const tally = new Tally();
  for (;;) {
    const seed = goesOn?.() === false ? undefined : seeds.take();
    if (seed === undefined || (yield)) return tally;
    const run = runSeed(seed, worlds);
    let slice = run.next();
    while (slice.done !== true) {
      if ((yield) || goesOn?.() === false) {
        tally.addUnfinished(seed);
        return tally;
      }
      slice = run.next(false);
    }
    const counted = countsOf(slice.value);
    seeds.onRun(counted);
    const failure = tally.add(counted);
    heard?.(slice.value, failure);
    if (isOver(tally, stopAfter)) return tally;
  }
}

/** Returns true if the requested number of failures is reached. */
export function isOver({ failed }: Tally, stopAfter: number | undefined): boolean {
  return stopAfter !== undefined && failed >= stopAfter;
}
