/** Schema of steps: one verb each, at a time or after an event. */
import type { Static } from "typebox";
import {
  example,
  flag,
  list,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  withDefault,
} from "../../schema/shape.ts";
import { chaos } from "../chaos.ts";
import { FAULT_SHAPES } from "../faults/registry.ts";
import { STEPS_MAX } from "../limits.ts";
import { govern } from "./epoch.ts";
import { names, time } from "./scalars.ts";
import { submit } from "./submit.ts";
import { trigger } from "./trigger.ts";
import { workload } from "./workload.ts";

const VERBS = { submit, ...FAULT_SHAPES, chaos, workload, govern };

export type StepVerb = keyof typeof VERBS;

export const STEP_VERBS = Object.keys(VERBS) as readonly StepVerb[];

const step = object(
  "One step with exactly one verb, at a time or after an event. Example: - { at: 100, crash: { node: v2 } }",
  {
    ...optionals(VERBS),
    at: optional(example(time("the time of the step"), 100)),
    after: optional(trigger),
    only: optional(
      example(names("the validators to which `submit` hands the operation; default: the home of the client"), [
        "v1",
        "v2",
      ]),
    ),
    allow_idle: withDefault(
      false,
      flag("true: the step may have no effect: it shows only with a mistake in the program"),
    ),
  },
  oneOf(STEP_VERBS),
);

export type Step = Static<typeof step>;

/** Exactly one verb per step. */
export type StepVerbs = Pick<Step, StepVerb>;

export const steps: Shape<readonly Step[]> = list(
  "The steps, in any order. Example: steps: [{ at: 100, crash: { node: v2 } }]",
  step,
  { minItems: 0, maxItems: STEPS_MAX },
);
