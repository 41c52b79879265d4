/**
 * One seed of a campaign: its world, run and judged. The file of the world and the seed say everything: whatever else is
 * left to chance in a run is drawn from the seed by stable labels, so nothing more has to be saved to have it again.
 */
import { runInSlices } from "../../run/run.ts";
import type { Sliced } from "../../run/sliced.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { drawScenario } from "./draw.ts";
import { type Place, placeOf } from "./place.ts";
import type { ProfileName } from "./profile.ts";

/** What worlds a campaign draws. */
export interface Worlds {
  readonly profile: ProfileName;
  /** The known-bad variant that runs in them instead of the real program. */
  readonly bug: string | undefined;
}

export interface SeedRun {
  readonly seed: string;
  readonly scenario: Scenario;
  readonly result: RunResult;
  /** `undefined` where it passed, or where nothing became final: that shows nothing, and is no failure. */
  readonly place: Place | undefined;
}

/** Draws and runs the world of a seed, some events at a time. */
export function* runSeed(seed: string, { profile, bug }: Worlds): Sliced<SeedRun> {
  const scenario = drawScenario(seed, profile, bug);
  const result = yield* runInSlices(scenario, { seed });
  return { seed, scenario, result, place: placeOf(scenario, result) };
}
