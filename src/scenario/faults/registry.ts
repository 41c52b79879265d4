/** Registry of the fault verbs: schema, checks, compilation and documents read their records. */
import type { Action } from "../../simulator/plan.ts";
import type { Declared } from "../names.ts";
import type { Issue, Path } from "../problem.ts";
import type { Name } from "../schema/scalars.ts";
import { type Shapes, withDescription } from "../schema/shape.ts";
import type { PatternSpec } from "../schema/trigger.ts";
import { type BehaveSpec, type ByzantineSpec, behave, byzantine, twin } from "./byzantine.ts";
import type { Fault, FaultContext } from "./fault.ts";
import {
  type CutSpec,
  cut,
  type DelaySpec,
  delay,
  duplicate,
  heal,
  loss,
  partition,
  reorder,
  type ShareSpec,
} from "./links.ts";
import { drop, hold, release, undrop } from "./messages.ts";
import { type ClockSpec, type CrashSpec, clock, crash, type DiskSpec, disk, restart, wipe } from "./nodes.ts";

/** The value of each fault verb in a step. */
export interface FaultSpecs {
  readonly crash: CrashSpec;
  readonly restart: Name;
  readonly wipe: Name;
  readonly clock: ClockSpec;
  readonly disk: DiskSpec;
  readonly partition: readonly (readonly Name[])[];
  readonly cut: CutSpec;
  readonly heal: true | readonly Name[];
  readonly delay: DelaySpec;
  readonly loss: ShareSpec;
  readonly duplicate: ShareSpec;
  readonly reorder: ShareSpec;
  readonly drop: PatternSpec;
  readonly undrop: true | Name;
  readonly hold: PatternSpec;
  readonly release: true | Name;
  readonly byzantine: ByzantineSpec;
  readonly behave: BehaveSpec;
  readonly twin: Readonly<Record<Name, readonly Name[]>>;
}

type FaultVerb = keyof FaultSpecs;

/** The record of each fault verb, in the order of the documents. */
const FAULTS: { readonly [V in FaultVerb]: Fault<FaultSpecs[V]> } = {
  crash,
  restart,
  wipe,
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
  declared: Declared,
): readonly Issue[] {
  return FAULTS[verb].check(value, path, declared);
}

/** The simulator's action of a fault. `step`: its number in the file, from 1. */
export function compileFault<V extends FaultVerb>(
  verb: V,
  value: FaultSpecs[V],
  context: FaultContext,
  step: number,
): Action {
  return FAULTS[verb].compile(value, context, step);
}
