/** Row of the hunt's matrix: results of all ranges of one variant and one search method. */
import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { Detected, RangeResult } from "./search.ts";
import type { SearchMethod } from "./search-method.ts";
import { cleanRuns, quantile, rateAtLeast } from "./statistics.ts";

/** Searched range, with the time on one core up to the first detection in milliseconds. */
export interface TimedSearch extends RangeResult {
  readonly wallMs: number;
}

export interface Score {
  readonly bug: KnownBadVariant;
  readonly strategy: SearchMethod;
  /** True if detected within the budget in more than half of the ranges, so that the median exists. */
  readonly isFound: boolean;
  readonly ranges: number;
  readonly rangesFound: number;
  /** Seeds to the first detection: median and 95th percentile (the maximum of up to 20 ranges). */
  readonly seeds: number | undefined;
  readonly seeds95: number | undefined;
  readonly wallMs: number | undefined;
  readonly wallMs95: number | undefined;
  /** Invariant that detected it most often, the first among equals. */
  readonly invariant: InvariantName | undefined;
  /** First detection of the first range that has one. */
  readonly first: Detected | undefined;
  /** Sums over all ranges: seeds, detections, aborted runs, other failures, and failures of the real program. */
  readonly seedsRun: number;
  readonly detections: number;
  readonly errors: readonly string[];
  readonly others: readonly string[];
  readonly realFailures: readonly string[];
}

/** Combines the ranges of one variant. */
export function scoreOf(bug: KnownBadVariant, strategy: SearchMethod, ranges: readonly TimedSearch[]): Score {
  const found = ranges.flatMap(({ first }) => (first === undefined ? [] : [first]));
  const seeds = ranges.map(({ first, seedsToFirst }) => (first === undefined ? undefined : seedsToFirst));
  const wall = ranges.map(({ first, wallMs }) => (first === undefined ? undefined : wallMs));
  const sum = (count: (one: TimedSearch) => number): number => ranges.reduce((so, one) => so + count(one), 0);
  return {
    bug,
    strategy,
    isFound: quantile(seeds, 1, 2) !== undefined,
    ranges: ranges.length,
    rangesFound: found.length,
    seeds: quantile(seeds, 1, 2),
    seeds95: quantile(seeds, 95, 100),
    wallMs: quantile(wall, 1, 2),
    wallMs95: quantile(wall, 95, 100),
    invariant: commonest(found.map(({ detection }) => detection.invariant)),
    first: found[0],
    seedsRun: sum((one) => one.seeds),
    detections: sum((one) => one.detections),
    errors: ranges.flatMap((one) => one.errors),
    others: ranges.flatMap((one) => one.otherFailures),
    realFailures: ranges.flatMap((one) => one.realFailures),
  };
}

function commonest(names: readonly InvariantName[]): InvariantName | undefined {
  const counts = new Map<InvariantName, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return names.find((name) => counts.get(name) === most);
}

/** Clean runs that show a bug to be fixed. */
export interface Confidence {
  /** Lower bound of its rate in detections per seed, with 95 % confidence. */
  readonly rateAtLeast: number;
  /** Passing seeds in a row; `undefined` without any detection. */
  readonly cleanRuns: number | undefined;
}

/**
 * Computes it from complete ranges: those that end with a detection would overestimate the rate of rare bugs. Runs in
 * which the real program fails count as runs without a detection, which only increases the number.
 */
export function confidenceOf({ detections, seedsRun: looked }: Score): Confidence {
  const rate = rateAtLeast(detections, looked);
  return { rateAtLeast: rate, cleanRuns: cleanRuns(rate) };
}
