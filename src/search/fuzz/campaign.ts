/** Many seeds, one after the other: pure, and a few events at a time, so that its caller can stop it inside a world. */
import type { Sliced } from "../../run/sliced.ts";
import { runSeed, type SeedRun, type Worlds } from "./seed-run.ts";
import type { SeedSource } from "./seeds.ts";
import { countedOf, type FailureClass, Tally } from "./tally.ts";

export interface CampaignPlan {
  readonly worlds: Worlds;
  readonly seeds: SeedSource;
  /** Asked before each seed and between the slices of its run: whether the campaign goes on. */
  readonly goesOn?: () => boolean;
  /** Failing runs after which it ends; `undefined`: none. */
  readonly stopAfter: number | undefined;
  /** Told of each run, and of the class that it falls into where it failed. */
  readonly heard?: (run: SeedRun, failure: FailureClass | undefined) => void;
}

/** Runs a campaign. The run in which it is stopped counts neither as passed nor as failed: it is unfinished. */
export function* campaign({ worlds, seeds, goesOn, stopAfter, heard }: CampaignPlan): Sliced<Tally> {
  const tally = new Tally();
  for (;;) {
    const seed = goesOn?.() === false ? undefined : seeds.take();
    if (seed === undefined || (yield)) return tally;
    const run = runSeed(seed, worlds);
    let slice = run.next();
    while (slice.done !== true) {
      if ((yield) || goesOn?.() === false) {
        tally.leave(seed);
        return tally;
      }
      slice = run.next(false);
    }
    const counted = countedOf(slice.value);
    seeds.told(counted);
    const failure = tally.add(counted);
    heard?.(slice.value, failure);
    if (isOver(tally, stopAfter)) return tally;
  }
}

/** Whether a campaign has found as many failures as it was asked for. */
export function isOver({ failed }: Tally, stopAfter: number | undefined): boolean {
  return stopAfter !== undefined && failed >= stopAfter;
}
