/** Jobs of a hunt for threads: plain data in, plain data out. */
import { findBug } from "../../bugs/catalogue.ts";
import { required, unreachable } from "../../core/base/assert.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { drawScenario } from "../fuzz/draw.ts";
import type { FailureSignature } from "../fuzz/failure-signature.ts";
import { shrink } from "../shrink/shrink.ts";
import { type RangeResult, type SearchMethod, type SeedRange, search } from "./search.ts";

/** Default seeds of one range: a variant that is not detected within them counts as missed. */
export const SEEDS_BUDGET = 400;
/** Default number of independent ranges for each variant. */
export const REPEATS = 5;
/** Default limit of runs to minimize one detection. */
export const SHRINK_BUDGET = 400;

export type Job =
  | {
      readonly kind: "search";
      readonly bug: string;
      readonly strategy: SearchMethod;
      readonly range: SeedRange;
      readonly toEnd: boolean;
    }
  /** Minimizes a detection with at most `runs` runs. */
  | {
      readonly kind: "shrink";
      readonly bug: string;
      readonly strategy: SearchMethod;
      readonly seed: string;
      readonly signature: FailureSignature;
      readonly runs: number;
    };

export type JobResult =
  | { readonly kind: "searched"; readonly searched: RangeResult }
  | { readonly kind: "shrunk"; readonly small: Minimized | undefined };

/** Minimized scenario: it violates the same invariant in the same kind of slot under this seed. */
export interface Minimized {
  readonly scenario: Scenario;
  readonly seed: string;
  /** True if it is 1-minimal; false if the run limit was reached. */
  readonly isMinimal: boolean;
}

/**
 * Runs a job in slices of a few events; calls `firstFound` at the first detection. @throws AssertionError for an
 * unknown variant.
 */
export function* doJob(job: Job, parser: ScenarioParser, firstFound?: () => void): Interruptible<JobResult> {
  const bug = required(findBug(job.bug), `known-bad variant ${job.bug}`);
  switch (job.kind) {
    case "search": {
      const { strategy, range, toEnd } = job;
      return {
        kind: "searched",
        searched: yield* search({ bug, strategy, range, toEnd, ...(firstFound === undefined ? {} : { firstFound }) }),
      };
    }
    case "shrink": {
      const { seed, signature, runs, strategy } = job;
      const scenario = drawScenario(seed, strategy.profile, bug.name);
      const small = yield* shrink({ scenario, seed }, { parser, runs, signature });
      return { kind: "shrunk", small: small === undefined ? undefined : onlyMinimized(small) };
    }
    default:
      return unreachable(job);
  }
}

function onlyMinimized({ scenario, seed, isMinimal }: Minimized): Minimized {
  return { scenario, seed, isMinimal };
}
