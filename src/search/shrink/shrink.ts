/**
 * Minimization of a failing scenario: first removes what is unrelated to the violation and simplifies the schedule,
 * then removes operations, faults and validators, then all other members, then simplifies numbers and delays; repeats
 * until it is 1-minimal. Deterministic.
 */

import { runInSlices } from "../../run/run.ts";
import type { Sliced } from "../../run/sliced.ts";
import type { NamedViolation, RunResult } from "../../run/verdict.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { failsAlike, type Place, placeOf } from "../fuzz/place.ts";
import { Attempts, type Failing, Stopped } from "./attempts.ts";
import { RUN_EVENTS } from "./limits.ts";
import { fewerCauses } from "./shrink-causes.ts";
import { fewerNodes } from "./shrink-nodes.ts";
import { fewerParts, simplerParts } from "./shrink-parts.ts";
import { plainerSchedule } from "./shrink-schedule.ts";
import { fewerSteps, isFault, isOperation } from "./shrink-steps.ts";

export interface ShrinkOptions {
  readonly parser: ScenarioParser;
  /** Limit of runs. */
  readonly runs: number;
  /** Failure signature to preserve; default: that of the most severe failure. */
  readonly place?: Place;
  /** Called with each smaller scenario. */
  readonly heard?: (steps: number, runsLeft: number) => void;
}

export interface Shrunk extends Failing {
  readonly place: Place;
  /** Run of the minimized scenario. */
  readonly result: RunResult;
  readonly runs: number;
  /** True if it is 1-minimal; false if the run limit was reached or it was interrupted. */
  readonly isSmallest: boolean;
}

/** Minimizes a failing scenario; returns `undefined` if it does not fail, or was interrupted before that was known. */
export function* shrink(
  failing: Failing,
  { parser, runs, heard, place: wanted }: ShrinkOptions,
): Sliced<Shrunk | undefined> {
  const first = yield* ran(failing);
  const place = wanted ?? placeOf(failing.scenario, first);
  if (place === undefined) return undefined;
  const { transcript: _golden, events: _bound, ...scenario } = failing.scenario;
  const bound = boundOf(failing.scenario);
  // Only an endless run depends on the event limit; then the smaller file names it.
  const isEndless = place.invariant === "endless";
  const events = isEndless ? bound : Math.min(bound, RUN_EVENTS, Math.max(first.steps * 4, 20_000));
  const start = { ...failing, scenario: isEndless ? { ...scenario, events: bound } : scenario };
  const attempts = new Attempts(start, place, parser, { runs, events });
  const violation = first.violations.find((one) =>
    failsAlike(failing.scenario, { ...first, violations: [one] }, place),
  );
  const isSmallest = yield* passes(attempts, violation, heard);
  const { best, left } = attempts;
  return { ...best, place, result: yield* ran(best), runs: runs - left, isSmallest };
}

function* passes(
  attempts: Attempts,
  violation: NamedViolation | undefined,
  heard: ShrinkOptions["heard"],
): Sliced<boolean> {
  const tell = (): void => heard?.(attempts.best.scenario.steps?.length ?? 0, attempts.left);
  try {
    if (violation !== undefined) yield* fewerCauses(attempts, violation);
    tell();
    for (;;) {
      const before = attempts.best;
      yield* attempts.accept({ ...before, seed: DEFAULT_SEED });
      yield* plainerSchedule(attempts);
      yield* fewerSteps(attempts, isOperation);
      tell();
      yield* fewerSteps(attempts, isFault);
      tell();
      yield* fewerNodes(attempts);
      tell();
      yield* fewerParts(attempts);
      tell();
      yield* simplerParts(attempts);
      tell();
      if (attempts.best === before) return true;
    }
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}

/** Returns the scenario's own event limit, so that the verdict equals that of `quorumlab run`. */
function boundOf({ events = RUN_EVENTS }: Scenario): number {
  return events;
}

/** Completes the run even if interrupted: without it there is no result to report. */
function* ran({ scenario, seed }: Failing): Sliced<RunResult> {
  const run = runInSlices(scenario, { seed, events: boundOf(scenario) });
  let slice = run.next();
  while (slice.done !== true) {
    yield;
    slice = run.next(false);
  }
  return slice.value;
}
