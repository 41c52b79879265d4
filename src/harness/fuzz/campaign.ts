/** Many seeds, one after the other: pure, and a few events at a time, so that whoever runs it can stop it. */
import type { Sliced } from "../phases.ts";
import { runSeed, type SeedRun, type Worlds } from "./seed-run.ts";
import { countedOf, type FailureClass, Tally } from "./tally.ts";

export interface CampaignPlan {
  readonly worlds: Worlds;
  /** In the order in which they are run and counted. */
  readonly seeds: Iterable<string>;
  /** Failing runs after which it ends; `undefined`: none. */
  readonly stopAfter: number | undefined;
  /** Told of each run, and of the class that it falls into where it failed. */
  readonly heard?: (run: SeedRun, failure: FailureClass | undefined) => void;
}

/** Runs a campaign. The run in which it is stopped does not count. */
export function* campaign({ worlds, seeds, stopAfter, heard }: CampaignPlan): Sliced<Tally> {
  const tally = new Tally();
  for (const seed of seeds) {
    if (yield) return tally;
    const run = runSeed(seed, worlds);
    let slice = run.next();
    while (slice.done !== true) {
      if (yield) return tally;
      slice = run.next(false);
    }
    const { place, result } = slice.value;
    heard?.(slice.value, tally.add(countedOf(seed, place, result)));
    if (isOver(tally, stopAfter)) break;
  }
  return tally;
}

/** Whether a campaign has found as many failures as it was asked for. */
export function isOver({ failed }: Tally, stopAfter: number | undefined): boolean {
  return stopAfter !== undefined && failed >= stopAfter;
}
