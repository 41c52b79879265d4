/**
 * Row of the hunt's matrix (results of all ranges of one variant), its statistics, and the
 * self-check.
 */
import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { RangeJob, RangeResult } from "./search.ts";

/** Combines the ranges of one variant. */
export function scoreOf(bug: KnownBadVariant, ranges: readonly RangeResult[]) {
  const found = ranges.flatMap(({ first }) => (first === undefined ? [] : [first]));
  const seeds = ranges.map(({ first, seedsToFirst }) => (first === undefined ? undefined : seedsToFirst));
  const wall = ranges.map(({ first, wallMs }) => (first === undefined ? undefined : wallMs));
  const sum = (count: (search: RangeResult) => number): number =>
    ranges.reduce((total, search) => total + count(search), 0);
  return {
    bug,
    /** True if detected within the budget in at least half of the ranges, so that the median exists. */
    isFound: quantile(seeds, 1, 2) !== undefined,
    ranges: ranges.length,
    rangesFound: found.length,
    /** Seeds to the first detection: median and 95th percentile (the maximum of up to 20 ranges). */
    seeds: quantile(seeds, 1, 2),
    seeds95: quantile(seeds, 95, 100),
    wallMs: quantile(wall, 1, 2),
    wallMs95: quantile(wall, 95, 100),
    /** Invariant that detected it most often, the first among equals. */
    invariant: mostFrequent(found.map(({ detection }) => detection.invariant)),
    /** First detection of the first range that has one. */
    first: found[0],
    /** Sums over all ranges: seeds, detections, aborted runs, other failures, and failures of the real program. */
    seedsRun: sum((search) => search.seeds),
    detections: sum((search) => search.detections),
    errors: ranges.flatMap((range) => range.errors),
    others: ranges.flatMap((range) => range.otherFailures),
    realFailures: ranges.flatMap((range) => range.realFailures),
  };
}

export type Score = Readonly<ReturnType<typeof scoreOf>>;

function mostFrequent(names: readonly InvariantName[]): InvariantName | undefined {
  const counts = new Map<InvariantName, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return names.find((name) => counts.get(name) === most);
}

/**
 * Returns the lower bound of the rate in detections per seed, with 95 % confidence, and the passing seeds in a row that show
 * a bug to be fixed. It is of complete ranges: those that end with a detection would overestimate the rate of rare bugs.
 * Runs in which the real program fails count as runs without a detection, which only increases the number.
 */
export function confidenceOf({ detections, seedsRun }: Score) {
  const rate = rateAtLeast(detections, seedsRun);
  return { rateAtLeast: rate, cleanRuns: cleanRuns(rate) };
}

/**
 * Returns the nearest-rank quantile `of`/`all` of measurements, with `undefined` as infinitely large. Returns
 * `undefined` if the quantile is infinite, or there are no measurements.
 */
export function quantile(values: readonly (number | undefined)[], of: number, all: number): number | undefined {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil((sorted.length * of) / all) - 1)];
  return found === undefined || found === Number.POSITIVE_INFINITY ? undefined : found;
}

/** Confidence of the rate bound: it is too high in at most one of so many measurements. */
const BOUND_FAILS_ONE_IN = 20;
/** Confidence that a bug is fixed: it is missed in at most one of so many cases. */
const MISSED_ONE_IN = 100;
/** Bisection steps: the precision of a double. */
const HALVINGS = 60;

/**
 * Returns the one-sided lower 95 % Clopper-Pearson bound of a rate: the rate at which so many detections or more among
 * so many independent seeds occur once in 20 measurements. Returns 0 without detections.
 */
export function rateAtLeast(detections: number, seeds: number): number {
  if (detections === 0) return 0;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (probabilityOfAtLeast(detections, seeds, middle) * BOUND_FAILS_ONE_IN < 1) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Returns the probability of `least` or more hits in `all` independent tries of this rate. @throws RangeError for a
 * rate outside 0 to 1.
 */
export function probabilityOfAtLeast(least: number, all: number, rate: number): number {
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rate: expected 0 to 1, got ${rate}`);
  if (rate === 1) return least <= all ? 1 : 0;
  // chances[hits] after each try; only counts below `least` are needed.
  const chances = [1, ...Array.from({ length: Math.max(0, least - 1) }, () => 0)];
  if (least === 0) return 1;
  for (let done = 0; done < all; done++) {
    for (let hits = chances.length - 1; hits >= 0; hits--) {
      const before = hits === 0 ? 0 : (chances[hits - 1] ?? 0);
      chances[hits] = (chances[hits] ?? 0) * (1 - rate) + before * rate;
    }
  }
  return Math.max(0, 1 - chances.reduce((sum, chance) => sum + chance, 0));
}

/**
 * Returns the smallest n with (1 - rate)^n <= 1/100: after so many seeds without a detection a bug of this rate would
 * have been missed once in 100 cases; n = ln(0.01) / ln(1 - rate), rounded up. Returns `undefined` for a rate of 0.
 */
export function cleanRuns(rate: number): number | undefined {
  if (rate <= 0) return undefined;
  let left = 1;
  let runs = 0;
  while (left * MISSED_ONE_IN > 1) {
    left *= 1 - rate;
    runs += 1;
  }
  return runs;
}

/** Returns the failed self-checks as text; empty if there are none. `missed`: probes that found nothing. */
export function selfCheckFailures(missed: readonly RangeJob[], control: Score): readonly string[] {
  const words = missed.map(
    ({ probed, bug, range }) => `${probed} did not report ${bug} in ${range.budget} runs: the hunt misses failures`,
  );
  if (control.detections > 0)
    words.push(
      `the control failed with seed ${control.first?.seed}, which the real program passes: ` +
        "results depend on more than the program and the seed",
    );
  const broken = control.errors.length + control.others.length;
  if (broken > 0 && control.detections === 0)
    words.push(`the control failed in ${broken} runs that passed when repeated`);
  return words;
}
