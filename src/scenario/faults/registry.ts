/** Registry of the fault verbs: schema, checks, compilation and documents read their records. */

import type { Path, ScenarioIssue } from "../../schema/problem.ts";
import { type Shapes, withDescription } from "../../schema/shape.ts";
import type { Action } from "../../simulator/plan.ts";
import type { Declarations } from "../names.ts";
import { behave, byzantine, twin } from "./byzantine.ts";
import type { Fault, FaultContext, ValueOf } from "./fault.ts";
import { cut, delay, drop, duplicate, heal, hold, loss, partition, release, reorder, undrop } from "./network.ts";
import { backup, clock, crash, disk, restart, restore, resume, suspend, wipe } from "./nodes.ts";

/** The record of each fault verb, in the order of the documents. */
const FAULTS = {
  crash,
  restart,
  suspend,
  resume,
  wipe,
  backup,
  restore,
  clock,
  disk,
  partition,
  cut,
  heal,
  delay,
  loss,
  duplicate,
  reorder,
  drop,
  undrop,
  hold,
  release,
  byzantine,
  behave,
  twin,
};

type FaultVerb = keyof typeof FAULTS;

/** The value of each fault verb in a step. */
type FaultSpecs = { readonly [V in FaultVerb]: ValueOf<(typeof FAULTS)[V]> };

/** The schema of each fault verb, described by its sentence and example. */
export const FAULT_SHAPES: Shapes<FaultSpecs> = Object.fromEntries(
  Object.entries(FAULTS).map(([verb, { sentence, example, value }]) => [
    verb,
    withDescription(`${sentence} Example: ${example}`, value as Fault<unknown>["value"]),
  ]),
) as never;

/** The issues of a fault. */
export function checkFault<V extends FaultVerb>(
  verb: V,
  value: FaultSpecs[V],
  path: Path,
  declared: Declarations,
): readonly ScenarioIssue[] {
  return (FAULTS[verb] as Fault<unknown>).check(value, path, declared);
}

/** The simulator's action of a fault. `step`: its number in the file, from 1. */
export function compileFault<V extends FaultVerb>(
  verb: V,
  value: FaultSpecs[V],
  context: FaultContext,
  step: number,
): Action {
  return (FAULTS[verb] as Fault<unknown>).compile(value, context, step);
}
