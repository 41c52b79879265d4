/**
 * First step of a known-bad variant that the real program would not take from the same state: where a run departs from
 * the rules, whether or not a violation follows from it.
 */
import { isDeepStrictEqual } from "node:util";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { compile } from "../../scenario/compile/compile.ts";
import type { Program } from "../../simulator/plan.ts";
import { type FailingRun, ShrinkStop } from "../shrink/attempts.ts";

interface Deviation {
  readonly step: number;
  /** Validator that takes it. */
  readonly party: string;
}

/**
 * Runs the scenario with both programs up to an event; `undefined` if no step differs until then, or the program is real.
 * @throws ShrinkStop
 */
export function* firstDeviation({ scenario, seed }: FailingRun, last: number): Interruptible<Deviation | undefined> {
  const variant = variantOf(findBug(scenario.bug ?? ""));
  if (variant === undefined) return undefined;
  const { plan } = compile(scenario, { seed, scheme: keyedHash });
  const real = new Map(plan.nodes.map(({ name, program }) => [name, program]));
  let deviation: Deviation | undefined;
  let step = 0;
  const run = runInSlices(scenario, {
    seed,
    variant: {
      ...variant,
      program: (own, node) => {
        const program = variant.program?.(own, node) ?? own;
        const differs = (): void => {
          deviation = { step, party: node };
        };
        return comparingProgram(real.get(node) ?? own, program, () => deviation === undefined, differs);
      },
    },
    watch: () => ({
      eventBegins: (number) => {
        step = number;
      },
    }),
  });
  const result = yield* unlessStopped(run, () => deviation !== undefined || step > last);
  if (result === undefined) throw new ShrinkStop("interrupted");
  return deviation;
}

/** The same program, which compares outputs and state of each step with those of the real one while it is asked to. */
function comparingProgram(real: Program, own: Program, isAsked: () => boolean, differs: () => void): Program {
  return {
    ...own,
    step: (state, input) => {
      if (!isAsked()) return own.step(state, input);
      const other = real.restore?.(own.capture?.(state));
      const expected = real.step(other, input);
      const outputs = own.step(state, input);
      const isSame =
        isDeepStrictEqual(outputs, expected) && isDeepStrictEqual(own.capture?.(state), real.capture?.(other));
      if (!isSame) differs();
      return outputs;
    },
  };
}
