/**
 * The smallest scenario with the same violation: first without whatever cannot have led to it and under a plainer
 * schedule, then fewer operations, faults and validators, then everything else that the file says, then numbers and
 * delays; again until nothing more goes. Deterministic.
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
  /** The most runs that may be made. */
  readonly runs: number;
  /** What has to go on failing alike; default: the gravest thing that it fails by. */
  readonly place?: Place;
  /** Told of each smaller one. */
  readonly heard?: (steps: number, runsLeft: number) => void;
}

export interface Shrunk extends Failing {
  readonly place: Place;
  /** The run of what is left. */
  readonly result: RunResult;
  readonly runs: number;
  /** Whether nothing more could be taken away; otherwise the runs were used up, or somebody stopped it. */
  readonly isSmallest: boolean;
}

/** Shrinks what fails; `undefined` where it does not fail, or was stopped before that was known. */
export function* shrink(
  failing: Failing,
  { parser, runs, heard, place: wanted }: ShrinkOptions,
): Sliced<Shrunk | undefined> {
  const first = yield* ran(failing);
  const place = wanted ?? placeOf(failing.scenario, first);
  if (place === undefined) return undefined;
  const { transcript: _golden, events: _bound, ...scenario } = failing.scenario;
  const bound = boundOf(failing.scenario);
  // Only where the finding is that the run does not come to rest is the bound part of it: then the smaller file names it.
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

/** The bound on the events of a run: the scenario's own, so that it is judged here as `quorumlab run` judges it. */
function boundOf({ events = RUN_EVENTS }: Scenario): number {
  return events;
}

/** The whole run, whoever wants to stop: it is one, and without it there is nothing to tell. */
function* ran({ scenario, seed }: Failing): Sliced<RunResult> {
  const run = runInSlices(scenario, { seed, events: boundOf(scenario) });
  let slice = run.next();
  while (slice.done !== true) {
    yield;
    slice = run.next(false);
  }
  return slice.value;
}
