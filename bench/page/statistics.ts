/** Numbers of a measurement: the middle and the ends of some rounds, and the exponent with which a cost grows. */

import { percentile } from "../../src/report/timeline/measures.ts";

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** @throws RangeError for no values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new RangeError("values: expected one at least");
  return { min, median: percentile(sorted, 50), max };
}

/** The ratios of two measurements, round by round: what slows a shared machine down meets both. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.slice(0, theirs.length).map((value, round) => value / (theirs[round] as number));
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The exponent b of the power law y = a x^b that fits best in logarithms: 0 is constant, 1 linear, 2 quadratic. Points
 * that have no logarithm do not count. `undefined` for fewer than two sizes.
 */
export function growthExponent(points: readonly Point[]): number | undefined {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (of: (point: Point) => number): number => logs.reduce((sum, one) => sum + of(one), 0) / logs.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (logs.length < 2 || variance === 0) return undefined;
  return logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / variance;
}

/** Three digits that count, with thousands apart, and no more than three after the point. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const places = Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value)))));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(value))) - 2);
  const rounded = places > 0 ? value : Math.round(value / step) * step;
  return rounded.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

export function spreadText({ min, median, max }: Spread): string {
  return `${digits(min)} / **${digits(median)}** / ${digits(max)}`;
}
