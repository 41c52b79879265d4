/** Jobs of a hunt for threads: plain data in, plain data out. */
import { findBug } from "../../bugs/catalogue.ts";
import { requireDefined } from "../../core/base/assert.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { drawScenario } from "../fuzz/draw.ts";
import type { FailureSignature } from "../fuzz/failure-signature.ts";
import type { ProfileName } from "../fuzz/swarm.ts";
import { shrink } from "../shrink/shrink.ts";
import { type RangeResult, type SearchPlan, search } from "./search.ts";

/** Default seeds of one range: a variant that is not detected within them counts as missed. */
export const SEEDS_BUDGET = 400;
/** Default number of independent ranges for each variant. */
export const REPEATS = 5;
/** Default limit of runs to minimize one detection. */
export const SHRINK_BUDGET = 400;

/** Search of one range for one variant. */
export interface RangeJob extends Omit<SearchPlan, "bug" | "firstFound"> {
  readonly bug: string;
}

/** Minimization of a detection with at most `runs` runs. */
export interface ShrinkJob {
  readonly bug: string;
  readonly profile: ProfileName;
  readonly seed: string;
  readonly signature: FailureSignature;
  readonly runs: number;
}

/** Minimized scenario: it violates the same invariant in the same kind of slot under this seed. */
export interface MinimizedScenario {
  readonly scenario: Scenario;
  readonly seed: string;
  /** True if it is 1-minimal; false if the run limit was reached. */
  readonly isMinimal: boolean;
}

/** Searches a range; calls `firstFound` at the first detection. @throws AssertionError for an unknown variant. */
export function searchRange({ bug: name, ...job }: RangeJob, firstFound: () => void): Interruptible<RangeResult> {
  return search({ ...job, bug: requireDefined(findBug(name), `known-bad variant ${name}`), firstFound });
}

/** Minimizes a detection; returns `undefined` if it cannot be repeated. */
export function* minimize({
  bug,
  profile,
  seed,
  signature,
  runs,
}: ShrinkJob): Interruptible<MinimizedScenario | undefined> {
  const failing = { scenario: drawScenario(seed, profile, bug), seed };
  const small = yield* shrink(failing, { parser: createParser(), runs, signature });
  return small && { scenario: small.scenario, seed: small.seed, isMinimal: small.isMinimal };
}
