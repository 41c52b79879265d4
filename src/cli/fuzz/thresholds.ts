/** Worth of the drawn worlds of a campaign: shares of their operations by what became of them. */
import { type OperationCounts, type SubmissionKind, totalOf } from "../../run/run-record.ts";
import type { Tally } from "../../search/fuzz/tally.ts";
import { type Condition, conditionOf } from "../condition.ts";

type Share = Exclude<keyof OperationCounts, "submitted">;

/** Returns a share of submitted operations in percent; 0 without any. */
export function percentOf(counts: OperationCounts, share: Share): number {
  return counts.submitted === 0 ? 0 : (100 * counts[share]) / counts.submitted;
}

function percentIn(share: Share): (tally: Tally) => number {
  return ({ operationCounts }) => percentOf(totalOf(operationCounts), share);
}

/** Shares of all operations in percent, and of runs that show nothing: those without a final one. */
const METRICS: Readonly<Record<Share | "empty", (tally: Tally) => number>> = {
  admitted: percentIn("admitted"),
  final: percentIn("final"),
  contended: percentIn("contended"),
  disturbed: percentIn("disturbed"),
  empty: ({ empty, runs }) => (100 * empty) / Math.max(1, runs),
};

/** Metrics that a threshold may name, in percent. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

/** Returns a threshold such as `final>=40`. @throws UsageError for another form. */
export function thresholdOf(text: string): Condition<Tally> {
  return conditionOf(text, METRICS, "final>=40 or empty<=2");
}

/** Returns the counts by kind, each kind by its word: `bridge_mint`. */
export function countsByWord(
  counts: ReadonlyMap<SubmissionKind, OperationCounts>,
): Readonly<Record<string, OperationCounts>> {
  const words = [...counts].map(([kind, count]) => [
    kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    count,
  ]);
  return Object.fromEntries(words) as Readonly<Record<string, OperationCounts>>;
}
