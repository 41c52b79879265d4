/** Schema of steps: one verb each, at a time or after an event. */
import { FAULT_SHAPES, type FaultSpecs } from "../faults/registry.ts";
import { STEPS_MAX } from "../limits.ts";
import { type GovernSpec, govern } from "./epoch.ts";
import { type Name, names, time } from "./scalars.ts";
import { example, list, object, oneOf, optional, optionals, type Shape, type Shapes } from "./shape.ts";
import { type SubmitSpec, submit } from "./submit.ts";
import { type TriggerSpec, trigger } from "./trigger.ts";
import { type WorkloadSpec, workload } from "./workload.ts";

export type Step = StepTime & StepVerbs & { readonly only?: readonly Name[] };

export interface StepTime {
  readonly at?: number;
  readonly after?: TriggerSpec;
}

/** Exactly one verb per step. */
export interface StepVerbs extends Partial<FaultSpecs> {
  readonly submit?: SubmitSpec;
  readonly workload?: WorkloadSpec;
  readonly govern?: GovernSpec;
}

export type StepVerb = keyof StepVerbs;

const VERBS: Shapes<StepVerbs> = { submit, ...FAULT_SHAPES, workload, govern };

export const STEP_VERBS: readonly StepVerb[] = Object.keys(VERBS) as StepVerb[];

const step: Shape<Step> = object<Step>(
  "One step with exactly one verb, at a time or after an event. Example: - { at: 100, crash: { node: v2 } }",
  {
    ...optionals<StepVerbs>(VERBS),
    at: optional(example(time("the time of the step"), 100)),
    after: optional(trigger),
    only: optional(
      example(names("the validators to which `submit` hands the operation; default: the home of the client"), [
        "v1",
        "v2",
      ]),
    ),
  },
  oneOf(STEP_VERBS),
);

export const steps: Shape<readonly Step[]> = list<Step>(
  "The steps, in any order. Example: steps: [{ at: 100, crash: { node: v2 } }]",
  step,
  {
    minItems: 0,
    maxItems: STEPS_MAX,
  },
);
