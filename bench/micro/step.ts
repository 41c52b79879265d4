/** The `step` of a validator by kind of input: validators of some runs take their inputs once more. */
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { environmentOf } from "../../src/core/validator/environment.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { createValidator, type ValidatorState } from "../../src/core/validator/state.ts";
import { type Input, step } from "../../src/core/validator/step.ts";
import type { CompiledScenario } from "../../src/scenario/compile/compile.ts";
import { messageKind } from "../../src/simulator/network/message-content.ts";
import type { MicroGroup, Stopwatch } from "./harness.ts";
import { EVERY_KIND, passing } from "./runs.ts";

/** Together they meet all kinds. */
const RUNS = [
  [EVERY_KIND, "v1"],
  ["rules/recovery/recovery", "v2"],
  ["rules/epochs/epoch-three-epochs-missed", "v1"],
  ["rules/checkpoints/state-installed-at-a-checkpoint", "v4"],
  ["rules/checkpoints/state-installed-at-a-checkpoint", "v1"],
] as const;

/** An input of a validator in its run. */
interface Taken {
  readonly kind: string;
  readonly input: Input;
  /** Number of the outputs that it made. */
  readonly outputs: number;
}

/** All inputs of a validator, and a fresh state of it. */
interface Course {
  readonly inputs: readonly Taken[];
  readonly start: () => ValidatorState;
}

export const stepGroup: MicroGroup = {
  name: "step",
  about: "one input of a validator of four, after all that it had taken before; hashes of values are known already.",
  rows: () => {
    const courses = RUNS.map(([file, node]) => courseOf(file, node));
    for (const course of courses) check(course);
    const kinds = new Set(["submit", ...courses.flatMap(({ inputs }) => inputs.map(({ kind }) => kind))]);
    return [...kinds].map((name) => {
      const meeting = courses.filter(({ inputs }) => inputs.some(({ kind }) => kind === name));
      return { name, run: (watch) => meeting.reduce((sum, course) => sum + timed(course, name, watch), 0) };
    });
  },
};

function courseOf(file: string, name: string): Course {
  const inputs: Taken[] = [];
  let compiled: CompiledScenario | undefined;
  const watch = (made: CompiledScenario) => {
    compiled = made;
    return {
      stepped: (node: { readonly name: string }, input: Input, outputs: readonly unknown[]): void => {
        if (node.name === name) inputs.push({ kind: kindOf(input), input, outputs: outputs.length });
      },
    };
  };
  passing(file, { watch });
  const plan = compiled?.plan.nodes.find((node) => node.name === name);
  if (compiled === undefined || plan === undefined) throw new RangeError(`${file}: no validator is called ${name}`);
  const keys = [plan.key, ...(plan.otherKeys ?? [])].map((key) => keyedHash.addressOf(key));
  const environment = environmentOf(compiled.commons.shared, keys, rules);
  return { inputs, start: () => createValidator(environment) };
}

function kindOf(input: Input): string {
  return input.type === "message" ? messageKind(input.message) : input.type;
}

/** Goes through the inputs once more. A restart finds a fresh state, as the first input does. */
function replay({ inputs, start }: Course, take: (state: ValidatorState, taken: Taken) => void): void {
  let state: ValidatorState | undefined;
  for (const taken of inputs) {
    if (state === undefined || taken.input.type === "restart") state = start();
    take(state, taken);
  }
}

/** Takes all inputs and times those of a kind; returns the number of them. */
function timed(course: Course, name: string, watch: Stopwatch): number {
  let count = 0;
  replay(course, (state, { kind, input }) => {
    if (kind !== name) {
      step(state, input);
      return;
    }
    watch.start();
    step(state, input);
    watch.stop();
    count++;
  });
  return count;
}

/** @throws Error unless each input makes as many outputs as it did in its run */
function check(course: Course): void {
  replay(course, (state, { kind, input, outputs }) => {
    const { length } = step(state, input);
    if (length !== outputs) throw new Error(`${kind} at ${input.at} ms: expected ${outputs} outputs, got ${length}`);
  });
}
