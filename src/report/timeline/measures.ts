/** Figures of a run for its plots: latency of finality, operations on their way, messages and signatures. */
import { lowerBound, type TimelineModel } from "./model.ts";

/** An operation that became final. Times are virtual milliseconds. */
export interface FinalityMeasure {
  readonly operation: string;
  readonly kind: string;
  readonly submittedAt: number;
  readonly ms: number;
}

/**
 * Counts from the first submission of each operation, of which `submissions` has the times, to its first application.
 * O(events).
 */
export function measuresOf({ events, data }: TimelineModel) {
  const kinds = new Map<string, string>();
  const submitted = new Map<string, number>();
  const finals = new Map<string, FinalityMeasure>();
  const validators = new Set(data.validators);
  let [messages, signatures, roundChanges] = [0, 0, 0];
  for (const event of events) {
    if (event.kind === "operation") kinds.set(event.operation, event.type);
    else if (event.kind === "submitted" && !submitted.has(event.operation)) submitted.set(event.operation, event.at);
    else if (event.kind === "sent" && validators.has(event.from) && validators.has(event.to)) messages += 1;
    else if (event.kind === "signed") {
      signatures += 1;
      if (event.statement === "roundChange") roundChanges += 1;
    } else if (event.kind === "applied") {
      for (const { operation } of event.effects) {
        const submittedAt = submitted.get(operation);
        if (submittedAt === undefined || finals.has(operation)) continue;
        const kind = kinds.get(operation) ?? "operation";
        finals.set(operation, { operation, kind, submittedAt, ms: event.at - submittedAt });
      }
    }
  }
  return { finals: [...finals.values()], submissions: [...submitted.values()], messages, signatures, roundChanges };
}

/** Returns the smallest value that so many of a hundred do not exceed, NaN for none; `sorted` ascends. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * part) / 100) - 1)] ?? Number.NaN;
}

/** Distribution: 0 and each distinct value, with the percentage of `all` that is at most as large. */
export function distribution(values: readonly number[], all = values.length): readonly (readonly number[])[] {
  const sorted = values.toSorted((a, b) => a - b);
  const distinct = [...sorted.entries()].filter(([at, value]) => sorted[at + 1] !== value);
  return [
    [0, ...distinct.map(([, value]) => value)],
    [0, ...distinct.map(([at]) => (100 * (at + 1)) / all)],
  ];
}

/** Operations on their way, and final ones, at each time at which either changes. */
export function progressOf(finals: readonly FinalityMeasure[], submissions: readonly number[]) {
  const starts = submissions.toSorted((a, b) => a - b);
  const ends = finals.map(({ submittedAt, ms }) => submittedAt + ms).sort((a, b) => a - b);
  const times = [...new Set([...starts, ...ends])].sort((a, b) => a - b);
  // Times are whole numbers: `at + 1` is the first time after `at`.
  const final = times.map((at) => lowerBound(ends, at + 1));
  return [times, times.map((at, place) => lowerBound(starts, at + 1) - (final[place] ?? 0)), final] as const;
}
