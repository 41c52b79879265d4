/** Statistics of measurements; they affect no run. */

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
