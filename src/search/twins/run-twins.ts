/** Runs of twins cases by number. */
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/variant.ts";
import { runScenario } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type TwinCase, twinCases } from "./cases.ts";
import type { TwinSizes } from "./symmetry.ts";
import { type TwinFaults, twinScenario } from "./twin-scenario.ts";

export interface TwinOptions extends TwinFaults {
  readonly seed: string;
  /** Known-bad variant that runs instead of the real program. */
  readonly bug?: string;
  /** Runs only every n-th case, beginning with the first; default 1. */
  readonly every?: number;
}

export interface TwinRun {
  /** Case number from 0, in the order of `twinCases`. */
  readonly number: number;
  readonly twinCase: TwinCase;
  /** Scenario with the variant's name, so that a file of it can be run again. */
  readonly scenario: Scenario;
  readonly result: RunResult;
}

/**
 * Runs the cases from number `from` up to but not including `to`, one at a time. @throws RangeError as `twinCases`
 * does.
 */
export function* runTwinCases(
  sizes: TwinSizes,
  from: number,
  to: number,
  { seed, bug, every = 1, ...faults }: TwinOptions,
): Generator<TwinRun, undefined> {
  let number = -1;
  for (const twinCase of twinCases(sizes)) {
    number += 1;
    if (number >= to) return;
    if (number < from || (number - from) % every !== 0) continue;
    const scenario = { ...twinScenario(sizes, twinCase, faults), ...(bug === undefined ? {} : { bug }) };
    const result = runScenario(scenario, { seed, variant: variantOf(findBug(bug ?? "")) });
    yield { number, twinCase, scenario, result };
  }
}
