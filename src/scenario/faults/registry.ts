/** Registry of the fault verbs: schema, checks, compilation and documents read their records. */

import { type Shapes, withDescription } from "../../schema/shape.ts";
import { behave, byzantine, twin } from "./byzantine.ts";
import type { Fault, ValueOf } from "./fault.ts";
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

/** The record of a fault verb, for the value that a step has under the verb. */
export function faultOf(verb: FaultVerb): Fault<unknown> {
  return FAULTS[verb] as Fault<unknown>;
}
