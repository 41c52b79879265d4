/**
 * Search of one range of seeds for one known-bad variant, and its jobs for threads. A seed detects it only if an invariant
 * fails that may catch the variant, and the real program passes the same scenario.
 */
import { findBug, PROBES } from "../../bugs/catalogue.ts";
import { type KnownBadVariant, realVariantOf } from "../../bugs/known-bad-variant.ts";
import { requireDefined } from "../../core/base/assert.ts";
import { INVARIANTS } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import {
  type FailureSignature,
  failureSignatureKey,
  failureSignatureOf,
  signatureOfViolation,
} from "../fuzz/failure-signature.ts";
import { seedSource, seedsOf } from "../fuzz/guided-seeds.ts";
import { faultKindsIn } from "../fuzz/occurrences.ts";
import { runSeed, type SeedRun, type WorldSource, worldOfSeed } from "../fuzz/seed-run.ts";
import { countsOf } from "../fuzz/tally.ts";
import { type ShrinkResult, shrink } from "../shrink/shrink.ts";

export interface SearchPlan {
  readonly bug: KnownBadVariant;
  readonly method: SearchMethod;
  readonly range: SeedRange;
  /** True to search the whole range and measure the detection rate; false to end with the first detection. */
  readonly toEnd: boolean;
  /** Oracle that a self-check probes: its reports count alone; default: those of all that may catch the variant. */
  readonly probed?: InvariantName;
}

/** First detection of a range. */
type DetectedRun = Readonly<{ seed: string; detection: Extract<Detection, { readonly kind: "found" }> }>;

/** Result of a range: plain data for the transfer between threads. */
export interface RangeResult {
  readonly first: DetectedRun | undefined;
  /** Seeds up to and including the first detection; all seeds if there is none. */
  readonly seedsToFirst: number;
  /** All seeds that were run, and detections among them. */
  readonly seeds: number;
  readonly detections: number;
  /** Seeds of runs that an assertion aborted, with the first message. */
  readonly errors: readonly string[];
  /** Seeds of failures by invariants that must not catch the variant. */
  readonly otherFailures: readonly string[];
  /** Seeds at which the real program fails too: they count neither for nor against the variant. */
  readonly realFailures: readonly string[];
  /** Time on one core up to the first detection, or to the end, in milliseconds. It affects nothing else. */
  readonly wallMs: number;
}

/** Searches a range in slices of a few events; returns `undefined` if it was stopped. `now`: milliseconds of a steady clock. */
export function* search(
  { bug, method, range, toEnd, probed }: SearchPlan,
  now: () => number,
): Interruptible<RangeResult | undefined> {
  const start = now();
  let first: DetectedRun | undefined;
  let end: number | undefined;
  let [seeds, seedsToFirst, detections] = [0, 0, 0];
  const failures: Record<"error" | "other" | "real", string[]> = { error: [], other: [], real: [] };
  const source = seedSource(seedsOf(range.first, range.budget), method.guided);
  while (toEnd || first === undefined) {
    const seed = source.take();
    if (seed === undefined) break;
    const examined = yield* unlessStopped(examine(bug, seed, method, probed));
    if (examined === undefined) return undefined;
    const { detection, run } = examined;
    source.onRun(countsOf(run));
    seeds += 1;
    if (first === undefined) seedsToFirst = seeds;
    if (detection.kind === "found") {
      detections += 1;
      end ??= now();
      first ??= { seed, detection };
    } else if (detection.kind !== "unseen") failures[detection.kind].push(detection.where);
  }
  const { error: errors, other: otherFailures, real: realFailures } = failures;
  const wallMs = (end ?? now()) - start;
  return { first, seedsToFirst, seeds, detections, errors, otherFailures, realFailures, wallMs };
}

type Detection =
  /** The run passed or was empty. */
  | { readonly kind: "unseen" }
  | {
      readonly kind: "found";
      readonly invariant: InvariantName;
      readonly signature: FailureSignature;
      readonly detail: string;
    }
  /**
   * `error`: an assertion of the core aborted the run, and no invariant failed. `other`: the run fails by an invariant
   * that must not catch this variant, or is endless. `real`: the real program fails in this scenario, too.
   */
  | { readonly kind: "error" | "other" | "real"; readonly where: string };

/** Generates the scenario of a seed and runs the variant in it; on a failure also the real program. */
function* examine(
  bug: KnownBadVariant,
  seed: string,
  source: WorldSource,
  probed?: InvariantName,
): Interruptible<{ readonly run: SeedRun; readonly detection: Detection }> {
  const run = yield* runSeed(seed, { ...source, bug: bug.name });
  const { scenario, result, signature } = run;
  if (signature === undefined) return { run, detection: { kind: "unseen" } };
  const { bug: _bug, ...world } = scenario;
  const real = failureSignatureOf(world, yield* runInSlices(world, { seed, variant: realVariantOf(bug) }));
  if (real !== undefined) return { run, detection: { kind: "real", where: failureSignatureKey(real) } };
  const caught = result.violations.find((violation) =>
    probed === undefined ? bug.caughtBy.includes(violation.invariant) : isProof(probed, violation, scenario),
  );
  if (caught === undefined) {
    const kind = signature.invariant === "error" ? "error" : "other";
    return { run, detection: { kind, where: failureSignatureKey(signature) } };
  }
  const { invariant, detail } = caught;
  return { run, detection: { kind: "found", invariant, signature: signatureOfViolation(scenario, caught), detail } };
}

/** Scenarios generated from consecutive seeds, guided ones with mutations; the budget counts seeds and never time. */
export interface SearchMethod extends WorldSource {
  readonly guided: boolean;
}

/** Range of seeds. Disjoint ranges are independent. */
export interface SeedRange {
  /** First seed. */
  readonly first: bigint;
  /** Number of seeds. */
  readonly budget: number;
}

/** Returns `count` consecutive ranges of this budget. */
export function seedRanges(first: bigint, budget: number, count: number): readonly SeedRange[] {
  return Array.from({ length: count }, (_, place) => ({ first: first + BigInt(place * budget), budget }));
}

/** Default seeds of one range: a variant that is not detected within them counts as missed. */
export const SEEDS_BUDGET = 400;
/** Default number of independent ranges for each variant. */
export const REPEATS = 5;
/** Default limit of runs to minimize one detection. */
export const SHRINK_BUDGET = 400;

/** Search of one range for one variant. */
export interface RangeJob extends Omit<SearchPlan, "bug"> {
  readonly bug: string;
}

/** Returns the jobs of a self-check, one for each oracle, from this seed on, in worlds of the profile. */
export function probeJobs({ profile, guided }: SearchMethod, first: bigint): readonly RangeJob[] {
  const method = { profile, guided };
  const range = { first, budget: SEEDS_BUDGET };
  return INVARIANTS.map((probed) => ({ bug: PROBES[probed].bug, method, range, toEnd: false, probed }));
}

/** Returns true for a violation by which an oracle passes its probe. */
function isProof(probed: InvariantName, { invariant, detail }: NamedViolation, scenario: Scenario): boolean {
  const { words = "", needsByzantine } = PROBES[probed];
  if (invariant !== probed || !detail.includes(words)) return false;
  return needsByzantine !== true || faultKindsIn(scenario).includes("byzantine");
}

/** Minimization of a detection with at most `runs` runs. */
export interface ShrinkJob {
  readonly bug: string;
  readonly source: WorldSource;
  readonly seed: string;
  readonly signature: FailureSignature;
  readonly runs: number;
}

/** Minimized scenario: it violates the same invariant in the same kind of slot under this seed. */
export type MinimizedScenario = Pick<ShrinkResult, "scenario" | "seed" | "isMinimal">;

/** Searches a range for a variant by its name. @throws AssertionError for an unknown variant. */
export function searchRange(
  { bug: name, ...job }: RangeJob,
  _settings: undefined,
  now: () => number,
): Interruptible<RangeResult | undefined> {
  return search({ ...job, bug: requireDefined(findBug(name), `known-bad variant ${name}`) }, now);
}

/** Minimizes a detection; returns `undefined` if it cannot be repeated, or was stopped. */
export function* minimize({
  bug,
  source,
  seed,
  signature,
  runs,
}: ShrinkJob): Interruptible<MinimizedScenario | undefined> {
  const failing = { scenario: worldOfSeed(seed, { ...source, bug }).scenario, seed };
  const small = yield* unlessStopped(shrink(failing, { parser: createParser(), runs, signature }));
  return small && { scenario: small.scenario, seed: small.seed, isMinimal: small.isMinimal };
}
