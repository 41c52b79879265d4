/** Output of `fuzz`: failing runs, coverage points, the summary, and the thresholds that it may miss. */

import { entryOf } from "../../core/base/entry.ts";
import { countText } from "../../invariants/text.ts";
import type { Paint } from "../../report/paint.ts";
import {
  interruption,
  type ProgramVersion,
  programText,
  type RunReport,
  roundToTenths,
  runLine,
  runText,
} from "../../report/run-report.ts";
import { type OperationCounts, type SubmissionKind, totalOf } from "../../run/run-record.ts";
import { countsOfCategory, FAULT_KINDS, type OccurrenceCounts } from "../../search/fuzz/occurrences.ts";
import type { GeneratorOptions, SeedRun } from "../../search/fuzz/seed-run.ts";
import type { Course, CoursePoint, FailureClass, Tally } from "../../search/fuzz/tally.ts";
import { type Condition, conditionOf } from "../condition.ts";
import { jsonLine } from "../output.ts";

/** Failing run in the output. */
export interface FailureReport {
  readonly run: SeedRun;
  readonly failure: FailureClass;
  readonly report: RunReport;
  /** `undefined` unless it is the first with its failure signature. */
  readonly shrink: string | undefined;
}

/** Returns a run line with the campaign's members. */
export function failureLine({ failure, report, shrink }: FailureReport, { profile, bug }: GeneratorOptions): string {
  const [first = report.result.seed] = failure.seeds;
  const details = { profile, ...(bug === undefined ? {} : { bug }), failure_signature: failure.key, same_as: first };
  const line = JSON.parse(runLine(report)) as object;
  return JSON.stringify({ ...line, ...details, ...(shrink === undefined ? {} : { shrink }) });
}

/** Returns the full text for the first run of a failure signature, one line for all others. */
export function failureText({ run, failure, report, shrink }: FailureReport, paint: Paint): string {
  const [first] = failure.seeds;
  if (shrink === undefined) return `${paint("dim", `seed ${run.seed}: same failure signature as seed ${first}`)}\n`;
  return `${runText(report, paint)}    ${paint("dim", "minimize:")} ${shrink}\n`;
}

/** Returns the progress line after some runs. */
export function progressLine({ runs, failed, classes, events, reached }: Tally, ms: number): string {
  const point: CoursePoint = {
    ...{ type: "progress", runs, failed, distinct: classes.length, events },
    ...{ ...reached, wall_ms: roundToTenths(ms) },
  };
  return jsonLine(point);
}

/** Returns a line for each of the slowest runs. */
export function slowLines({ slowest }: Course): string {
  return slowest.map((run) => jsonLine({ ...run, wall_ms: roundToTenths(run.wall_ms) })).join("");
}

/** Returns one line for each coverage point, missed ones included; `by` counts the runs with each kind of fault. */
export function coverageLines(tally: Tally): string {
  return tally.coverage
    .map(({ point, hits, runs, faults }) => {
      const by = Object.fromEntries(
        FAULT_KINDS.flatMap((kind) => (faults.has(kind) ? [[kind, faults.get(kind)]] : [])),
      );
      return jsonLine({ type: "coverage", name: point, hits, runs, by });
    })
    .join("");
}

/** End of a campaign. */
interface CampaignEnd {
  /** Duration in milliseconds: wall clock, and CPU time of all threads. */
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Why the runs show little, and thresholds that they miss, as clauses. */
  readonly shortcomings: readonly string[];
  /** Seeds that an interrupt prevented. */
  readonly notRun: number;
}

/** Members of a summary that repeat the request. */
export function requestOf({ profile, bug }: GeneratorOptions, first: string, seeds: number) {
  return { profile, ...(bug === undefined ? {} : { bug }), first, seeds };
}

/** Returns the summary line in JSON. */
export function fuzzSummaryLine(
  tally: Tally,
  { wallMs, cpuMs, shortcomings, notRun }: CampaignEnd,
  request: ReturnType<typeof requestOf>,
  program: ProgramVersion,
): string {
  const { runs, failed, empty, events, operations, finals, steps, idle, occurrences, unfinished, classes } = tally;
  const counts = { runs, passed: runs - failed, failed, distinct: classes.length, empty, events };
  const simulated = {
    operations,
    final: finals,
    operations_by_kind: countsByWord(tally.operationCounts),
    steps,
    idle_steps: idle,
    occurrences: Object.fromEntries([...occurrences].sort()),
    shortcomings,
    unfinished_seeds: unfinished,
    ...interruption({ notRun, isInterrupted: notRun > 0 }),
  };
  const times = { wall_ms: roundToTenths(wallMs), cpu_ms: roundToTenths(cpuMs) };
  return jsonLine({ type: "summary", ...request, ...counts, ...simulated, ...times, ...program });
}

/** Returns the summary for people: failures by signature, and missing coverage points. */
export function fuzzSummaryText(
  tally: Tally,
  { wallMs, cpuMs, shortcomings, notRun }: CampaignEnd,
  program: ProgramVersion,
  paint: Paint,
): string {
  const { runs, failed, empty, events, steps, idle, unfinished, classes, coverage } = tally;
  const seconds = wallMs / 1_000;
  const kinds = classes.map(
    ({ key, seeds }) => `  ${String(seeds.length).padStart(4)} ${key} ${paint("dim", `(seed ${seeds[0]})`)}\n`,
  );
  const rate =
    seconds > 0 ? `, ${(runs / seconds).toFixed(1)} runs and ${Math.round(events / seconds)} events a second` : "";
  return [
    `\n${runsText(runs, failed, classes.length, paint)}`,
    paint(
      "dim",
      ` in ${seconds.toFixed(1)} s${rate}${empty > 0 ? `; ${countText(empty, "run")} without a final operation` : ""}`,
    ),
    notRun > 0 ? `, ${paint("warn", `interrupted: ${notRun} not run`)}` : "",
    `\n${unfinishedText(unfinished, paint)}${kinds.join("")}`,
    shortcomingsText(shortcomings, paint),
    paint(
      "dim",
      `${operationsText(tally)}; ${idle} of ${countText(steps, "drawn step")} without an effect; ${(cpuMs / 1_000).toFixed(1)} s of CPU time; ${programText(program)}\n`,
    ),
    occurrencesText(runs, tally.occurrences, paint),
    coverageText(new Map(coverage.map(({ point, hits }) => [point, hits])), paint),
  ].join("");
}

/** Returns the number of operations, and the shares of them by what became of them. */
function operationsText({ operationCounts }: Tally): string {
  const counts = totalOf(operationCounts);
  const share = (name: Share): string => `${Math.round(percentOf(counts, name))} %`;
  return `${countText(counts.submitted, "operation")}: ${share("admitted")} admitted, ${share("final")} final, ${share("contended")} with a rival, ${share("disturbed")} met a fault on their way`;
}

/** Returns the number of runs, failures and distinct failures, without a line end. */
export function runsText(runs: number, failed: number, classes: number, paint: Paint): string {
  const report = `${countText(runs, "run")}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}`;
  return failed > 0 ? `${report} (${countText(classes, "distinct failure")})` : report;
}

/** Returns a line that says why the runs show little, or nothing. */
export function shortcomingsText(shortcomings: readonly string[], paint: Paint): string {
  return shortcomings.length === 0 ? "" : `${paint("bad", "the runs show little")}: ${shortcomings.join("; ")}\n`;
}

/** Returns a line with the share of runs that had each fault and each excuse, and one of each oracle and strategy. */
export function occurrencesText(runs: number, occurrences: OccurrenceCounts, paint: Paint): string {
  if (runs === 0) return "";
  const shares = (counts: readonly (readonly [name: string, runs: number])[]): string => {
    const byShare = new Map<string, string[]>();
    for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a))
      entryOf(byShare, `${Math.round((100 * count) / runs)} %`, () => []).push(name);
    return [...byShare].map(([share, names]) => `${names.join(", ")} ${share}`).join("; ");
  };
  const sharesOf = (category: Parameters<typeof countsOfCategory>[1]): string =>
    shares(countsOfCategory(occurrences, category));
  const excuses = shares(countsOfCategory(occurrences, "excuse").filter(([, count]) => count > 0));
  const lines = [
    `runs with ${sharesOf("phase")}; ${sharesOf("fault")}; excused beyond f: ${excuses === "" ? "none" : excuses}`,
    `judged: ${sharesOf("oracle")}; Byzantine by ${sharesOf("strategy")}`,
  ];
  return lines.map((line) => `${paint("dim", line)}\n`).join("");
}

/** Returns a line with the seeds of unfinished runs, or nothing. */
function unfinishedText(seeds: readonly string[], paint: Paint): string {
  if (seeds.length === 0) return "";
  const seedsText = `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}`;
  return `${paint("warn", `${countText(seeds.length, "run")} unfinished`)}: stopped before the end, neither passed nor failed (${seedsText})\n`;
}

/** Names of what is missing in a line; `--json` lists all. */
const NAMED = 8;

/** Returns a line with the number of coverage points, and the first missing ones if at most half are missing. */
export function coverageText(points: ReadonlyMap<string, number>, paint: Paint): string {
  const unreached = [...points].filter(([, count]) => count === 0).map(([name]) => name);
  const reached = paint("dim", `${points.size - unreached.length} of ${points.size} coverage points reached`);
  if (unreached.length === 0 || unreached.length * 2 > points.size) return `${reached}\n`;
  const surplus = unreached.length > NAMED ? ` and ${unreached.length - NAMED} more` : "";
  return `${reached}${paint("dim", `; missing: ${unreached.slice(0, NAMED).join(", ")}${surplus}`)}\n`;
}

type Share = Exclude<keyof OperationCounts, "submitted">;

/** Returns a share of submitted operations in percent; 0 without any. */
function percentOf(counts: OperationCounts, share: Share): number {
  return counts.submitted === 0 ? 0 : (100 * counts[share]) / counts.submitted;
}

function percentOfTally(share: Share): (tally: Tally) => number {
  return ({ operationCounts }) => percentOf(totalOf(operationCounts), share);
}

/** Shares of all operations in percent, and of runs that show nothing: those without a final one. */
const METRICS: Readonly<Record<Share | "empty", (tally: Tally) => number>> = {
  admitted: percentOfTally("admitted"),
  final: percentOfTally("final"),
  contended: percentOfTally("contended"),
  disturbed: percentOfTally("disturbed"),
  empty: ({ empty, runs }) => (100 * empty) / Math.max(1, runs),
};

/** Metrics that a threshold may name, in percent. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

/** Returns a threshold such as `final>=40`. @throws UsageError for another form. */
export function thresholdOf(text: string): Condition<Tally> {
  return conditionOf(text, METRICS, "final>=40 or empty<=2");
}

/** Returns the counts by kind, each kind by its word: `bridge_mint`. */
function countsByWord(counts: ReadonlyMap<SubmissionKind, OperationCounts>): Readonly<Record<string, OperationCounts>> {
  const words = [...counts].map(([kind, count]) => [
    kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    count,
  ]);
  return Object.fromEntries(words) as Readonly<Record<string, OperationCounts>>;
}
