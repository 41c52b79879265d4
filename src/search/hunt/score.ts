/** One row of the matrix: what all ranges together say of one variant and one strategy. */
import type { Bug } from "../../bugs/bug.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { Finding, Searched } from "./search.ts";
import { cleanRuns, quantile, rateAtLeast } from "./statistics.ts";
import type { Strategy } from "./strategy.ts";

/** A searched range, and how long that took on one core up to the first detection, in milliseconds. */
export interface Measured extends Searched {
  readonly wallMs: number;
}

export interface Score {
  readonly bug: Bug;
  readonly strategy: Strategy;
  /** Found within the budget in more than half of the ranges: the median exists. */
  readonly isFound: boolean;
  readonly ranges: number;
  readonly rangesFound: number;
  /** Seeds to the first detection: median, and what 95 % of the ranges do not exceed (the worst of up to 20). */
  readonly seeds: number | undefined;
  readonly seeds95: number | undefined;
  readonly wallMs: number | undefined;
  readonly wallMs95: number | undefined;
  /** That which caught it most often, of equals the first. */
  readonly invariant: InvariantName | undefined;
  /** Of the first range that found it. */
  readonly first: Finding | undefined;
  /** Of all ranges: seeds looked at, detections, failures that are none, and worlds in which the real program fails. */
  readonly looked: number;
  readonly detections: number;
  readonly errors: readonly string[];
  readonly others: readonly string[];
  readonly shared: readonly string[];
}

/** Puts the ranges of one variant together. */
export function scoreOf(bug: Bug, strategy: Strategy, ranges: readonly Measured[]): Score {
  const found = ranges.flatMap(({ first }) => (first === undefined ? [] : [first]));
  const seeds = ranges.map(({ first, seedsToFirst }) => (first === undefined ? undefined : seedsToFirst));
  const wall = ranges.map(({ first, wallMs }) => (first === undefined ? undefined : wallMs));
  const sum = (count: (one: Measured) => number): number => ranges.reduce((so, one) => so + count(one), 0);
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
    invariant: commonest(found.map(({ sighting }) => sighting.invariant)),
    first: found[0],
    looked: sum((one) => one.seeds),
    detections: sum((one) => one.detections),
    errors: ranges.flatMap((one) => one.errors),
    others: ranges.flatMap((one) => one.others),
    shared: ranges.flatMap((one) => one.shared),
  };
}

function commonest(names: readonly InvariantName[]): InvariantName | undefined {
  const counts = new Map<InvariantName, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return names.find((name) => counts.get(name) === most);
}

/** How many clean runs say that a bug is gone. */
export interface Confidence {
  /** The lower bound of its rate, 95 % sure: detections per seed. */
  readonly rateAtLeast: number;
  /** Seeds in a row that pass; `undefined` where it was never detected, so that no number says anything. */
  readonly cleanRuns: number | undefined;
}

/**
 * From ranges that were looked at to their ends: those that end with a detection would make rare bugs look common.
 * Worlds in which the real program fails count as looked at without a detection, which only makes the number larger.
 */
export function confidenceOf({ detections, looked }: Score): Confidence {
  const rate = rateAtLeast(detections, looked);
  return { rateAtLeast: rate, cleanRuns: cleanRuns(rate) };
}
