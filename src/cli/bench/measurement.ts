/** Measurement of a load, its thresholds, and its forms for people and programs. */
import { alignColumns } from "../../report/columns.ts";
import type { Paint } from "../../report/paint.ts";
import { percentile } from "../../report/timeline/measures.ts";
import { type Condition, conditionOf } from "../condition.ts";

/** Latencies in milliseconds, ascending percentiles. */
export type Latency = Readonly<Record<"p50" | "p90" | "p99" | "max", number>>;

/** Outcome of a load. */
export interface Measurement {
  /** Network that was measured, as a noun phrase. */
  readonly network: string;
  /** Clock of all times: the real one. */
  readonly clock: "real";
  /** Length of the measured part, from the first submission to the last outcome. */
  readonly seconds: number;
  /** Operations that were due and were not submitted in time; 0 without a rate. */
  readonly missed: number;
  /** Final with effect. */
  readonly final: number;
  /** Final without effect, by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Refused at admission or later, superseded or void, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Admitted or not, without an outcome within the time limit. */
  readonly unanswered: number;
  /** From the time at which an operation was due to its receipt; `undefined` if nothing became final. */
  readonly finality: Latency | undefined;
  /** From the time at which it was due to the answer to its submission; `undefined` if nothing was admitted. */
  readonly admission: Latency | undefined;
  /** True if an interrupt ended it early. */
  readonly isInterrupted: boolean;
  /** Violations of invariants, as sentences. */
  readonly violations: readonly string[];
}

/** Returns latencies of samples in any order; `undefined` for none. Sorts in place. */
export function latencyOf(samples: number[]): Latency | undefined {
  if (samples.length === 0) return undefined;
  const sorted = samples.sort((a, b) => a - b);
  const at = (part: number): number => percentile(sorted, part);
  return { p50: at(50), p90: at(90), p99: at(99), max: at(100) };
}

/** Counts one more operation that ended with a code. */
export function countCode(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

const METRICS = {
  rate: ({ final, seconds }: Measurement) => (seconds === 0 ? 0 : final / seconds),
  final: ({ final }: Measurement) => final,
  missed: ({ missed }: Measurement) => missed,
  errors: (found: Measurement) => errorsOf(found),
  error_rate: (found: Measurement) => {
    const errors = errorsOf(found);
    return errors === 0 ? 0 : errors / (errors + found.final);
  },
  p50: ({ finality }: Measurement) => finality?.p50 ?? Number.POSITIVE_INFINITY,
  p90: ({ finality }: Measurement) => finality?.p90 ?? Number.POSITIVE_INFINITY,
  p99: ({ finality }: Measurement) => finality?.p99 ?? Number.POSITIVE_INFINITY,
  max: ({ finality }: Measurement) => finality?.max ?? Number.POSITIVE_INFINITY,
} satisfies Readonly<Record<string, (found: Measurement) => number>>;

/** Metrics that a threshold may name. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

export type Threshold = Condition<Measurement>;

/** Returns a threshold such as `p99<=200`. @throws UsageError for another form. */
export function thresholdOf(text: string): Threshold {
  return conditionOf(text, METRICS, "p99<=200 or rate>=100");
}

/** Number of operations without the effect that was asked for. */
function errorsOf({ failed, refused, unanswered }: Measurement): number {
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return sum(failed) + sum(refused) + unanswered;
}

/** Returns true if nothing was violated and each threshold is met. */
export function meetsThresholds(found: Measurement, thresholds: readonly Threshold[]): boolean {
  return found.violations.length === 0 && thresholds.every(({ isMet }) => isMet(found));
}

/** Returns the measurement as one JSON object (add members freely, change none). */
export function measurementJson(found: Measurement, thresholds: readonly Threshold[]): object {
  return {
    type: "bench",
    ...found,
    rate: METRICS.rate(found),
    errors: errorsOf(found),
    thresholds: thresholds.map((threshold) => ({
      threshold: threshold.text,
      value: threshold.valueIn(found),
      met: threshold.isMet(found),
    })),
  };
}

/** Returns the measurement as lines for people. */
export function measurementText(found: Measurement, thresholds: readonly Threshold[], paint: Paint): string {
  const { network, seconds, final, missed, finality, admission, violations } = found;
  const title = found.isInterrupted ? `${network}, interrupted` : network;
  const rows: (readonly [string, string])[] = [
    ["final", `${final} in ${roundToDigits(seconds)} s of real time: ${roundToDigits(METRICS.rate(found))} a second`],
    ["finality", latencyText(finality)],
    ...(admission === undefined ? [] : [["admission", latencyText(admission)] as const]),
    ["errors", errorsText(found)],
    ...(missed === 0 ? [] : [["missed", `${missed} were due and not submitted: the rate is too high`] as const]),
    ...thresholds.map((threshold): readonly [string, string] => {
      const state = threshold.isMet(found) ? paint("good", "met") : paint("bad", "missed");
      return ["threshold", `${threshold.text}  ${state}, at ${roundToDigits(threshold.valueIn(found))}`];
    }),
    ...violations.map((text): readonly [string, string] => ["violation", paint("bad", text)]),
  ];
  const lines = alignColumns(rows).map((line) => `  ${line}\n`);
  return `${paint("strong", title)}\n${lines.join("")}`;
}

function latencyText(latency: Latency | undefined): string {
  if (latency === undefined) return "nothing became final";
  const { p50, p90, p99, max } = latency;
  return `p50 ${roundToDigits(p50)} ms, p90 ${roundToDigits(p90)} ms, p99 ${roundToDigits(p99)} ms, max ${roundToDigits(max)} ms`;
}

function errorsText(found: Measurement): string {
  const { failed, refused, unanswered } = found;
  const parts = [
    ...Object.entries(failed).map(([code, count]) => `${count} final without effect (${code})`),
    ...Object.entries(refused).map(([code, count]) => `${count} refused (${code})`),
    ...(unanswered === 0 ? [] : [`${unanswered} without an outcome`]),
  ];
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Three significant digits, without an exponent. */
function roundToDigits(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
