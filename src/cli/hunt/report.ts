/** Report of a hunt: JSON lines, a table for people, the matrix file and the minimized scenarios. */

import { join } from "node:path";
import { INVARIANTS } from "../../invariants/catalogue.ts";
import type { Paint } from "../../report/paint.ts";
import { roundToTenths } from "../../report/run-report.ts";
import { declarationsOf } from "../../scenario/declarations.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import { confidenceOf, type Score } from "../../search/hunt/score.ts";
import type { MinimizedScenario } from "../../search/hunt/search.ts";
import { writeInFolder } from "../files.ts";
import { type CommandOutput, jsonLine } from "../output.ts";
import { quoteForShell, versions } from "../reproduce.ts";
import type { HuntOptions } from "./options.ts";

/** Name of the search method. */
const METHOD = "fuzz";

/** Row with the minimized scenario of its first detection. */
export interface VariantRow {
  readonly score: Score;
  /** Command that reproduces the first detection; `undefined` if there is none. */
  readonly replay: string | undefined;
  readonly shrunk: ShrunkRow | undefined;
}

export type ShrunkRow = Readonly<{ steps: number; nodes: number; file: string; isMinimal: boolean }>;

/** Result of a hunt. */
interface HuntReport {
  readonly options: HuntOptions;
  readonly rows: readonly VariantRow[];
  /** Failed self-checks. */
  readonly selfCheckFailures: readonly string[];
  /** File of the matrix. */
  readonly matrix: string;
  readonly wallMs: number;
}

/** Returns a line for each row, and the summary line. */
export function huntLines({ options, rows, selfCheckFailures, wallMs }: HuntReport): string {
  const found = rows.filter(({ score }) => score.isFound).length;
  const counts = { runs: rows.length, passed: found, failed: rows.length - found };
  const selfCheck = { self_check_passed: selfCheckFailures.length === 0, self_check_failures: selfCheckFailures };
  const lines = [
    ...rows.map((row) => rowObject(row, options.confidence)),
    { type: "summary", ...counts, ...requestObject(options), ...selfCheck, wall_ms: roundToTenths(wallMs) },
  ];
  return lines.map((line) => jsonLine(line)).join("");
}

/** Returns the row as one object: the line of the contract with further members. Times and rates are rounded. */
function rowObject({ score, replay, shrunk }: VariantRow, withConfidence: boolean): Readonly<Record<string, unknown>> {
  const { bug, isFound, first } = score;
  const { steps = null, nodes = null, file = null, isMinimal = null } = shrunk ?? {};
  return {
    type: "bug",
    bug: bug.name,
    source: bug.source,
    mistake: bug.mistake,
    found: isFound,
    strategy: METHOD,
    seeds: score.seeds ?? null,
    seeds_95: score.seeds95 ?? null,
    states: null,
    wall_ms: tenthsOrNull(score.wallMs),
    wall_ms_95: tenthsOrNull(score.wallMs95),
    invariant: score.invariant ?? null,
    ranges: score.ranges,
    ranges_found: score.rangesFound,
    seeds_run: score.seedsRun,
    detections: score.detections,
    errors: score.errors.length,
    other_failures: score.others.length,
    real_failures: score.realFailures.length,
    failure_signature: first?.detection.signature ?? null,
    shrunk_steps: steps,
    shrunk_nodes: nodes,
    shrunk: file,
    minimal: isMinimal,
    replay: replay ?? null,
    ...(withConfidence ? confidenceObject(score) : {}),
  };
}

function confidenceObject(score: Score): Readonly<Record<string, unknown>> {
  const { rateAtLeast, cleanRuns } = confidenceOf(score);
  return { rate_at_least: Math.round(rateAtLeast * 1e6) / 1e6, clean_runs: cleanRuns ?? null };
}

function tenthsOrNull(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : roundToTenths(milliseconds);
}

const HEAD = [
  "variant",
  "seeds",
  "95 %",
  "seconds",
  "95 %",
  "ranges",
  "caught by",
  "errors",
  "steps",
  "reproduce",
] as const;
/** Widths of all columns except the last. */
const WIDTHS: readonly number[] = [24, 6, 6, 8, 8, 7, 16, 7, 6];
const CONFIDENCE_WIDTHS: readonly number[] = [24, 10, 6, 8];

/** Returns the whole output, or with `quiet` only missed variants and failed self-checks. */
export function huntText(report: HuntReport, { quiet, paint }: Pick<CommandOutput, "quiet" | "paint">): string {
  const { options, rows, selfCheckFailures, matrix } = report;
  const shownRows = quiet ? rows.filter(({ score }) => !score.isFound) : rows;
  const hasEnd = !quiet || shownRows.length > 0 || selfCheckFailures.length > 0;
  return [
    shownRows.length > 0 ? `${paint("dim", line(HEAD))}\n` : "",
    ...shownRows.map((row) => tableRow(row, paint)),
    options.confidence ? confidenceText(shownRows, paint) : "",
    quiet ? "" : uncountedFailuresText(rows, paint),
    hasEnd ? `${summaryText(report, paint)}${paint("dim", `the matrix: ${matrix}`)}\n` : "",
  ].join("");
}

function tableRow({ score, replay, shrunk }: VariantRow, paint: Paint): string {
  const { bug, isFound, seeds, seeds95, wallMs, wallMs95, invariant, rangesFound, ranges, errors } = score;
  const cells = [
    bug.name,
    numberOr(seeds),
    numberOr(seeds95),
    seconds(wallMs),
    seconds(wallMs95),
    `${rangesFound}/${ranges}`,
    invariant ?? "missed",
    errors.length === 0 ? "" : String(errors.length),
    shrunk === undefined ? "" : `${shrunk.steps}${shrunk.isMinimal ? "" : "+"}`,
    replay ?? "",
  ];
  return `${isFound ? line(cells) : paint("bad", line(cells))}\n`;
}

function line(cells: readonly string[], widths = WIDTHS): string {
  return cells
    .map((cell, place) => cell.padEnd(widths[place] ?? 0))
    .join(" ")
    .trimEnd();
}

function numberOr(value: number | undefined): string {
  return value === undefined ? "-" : String(value);
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "-" : (milliseconds / 1_000).toFixed(1);
}

/** Returns the number of clean runs for each variant. */
function confidenceText(rows: readonly VariantRow[], paint: Paint): string {
  const head = line(["variant", "detections", "of", "rate >=", "clean runs"], CONFIDENCE_WIDTHS);
  const lines = rows.map(({ score }) => {
    const { rateAtLeast, cleanRuns } = confidenceOf(score);
    const cells = [score.bug.name, String(score.detections), String(score.seedsRun), rateAtLeast.toFixed(4)];
    return line(
      [...cells, cleanRuns === undefined ? "never detected: no estimate" : String(cleanRuns)],
      CONFIDENCE_WIDTHS,
    );
  });
  const footnote =
    "Clean runs after which such a bug is fixed with 99 % confidence: ln(0.01) / ln(1 - rate). The rate is the lower " +
    "Clopper-Pearson bound (one-sided, 95 %) of detections per seed, with default generator options and all oracles.";
  return `\n${paint("dim", head)}\n${lines.join("\n")}\n${paint("dim", footnote)}\n`;
}

/** Returns failures that count neither for nor against a variant. */
function uncountedFailuresText(rows: readonly VariantRow[], paint: Paint): string {
  const failuresOf = (kind: "errors" | "others"): readonly string[] =>
    rows.flatMap(({ score }) => [...new Set(score[kind])].map((where) => `${score.bug.name}: ${where.slice(0, 100)}`));
  const part = (head: string, all: readonly string[]): string =>
    all.length === 0 ? "" : `${paint("dim", head)}\n${all.map((row) => `  ${row}\n`).join("")}`;
  const shared = [...new Set(rows.flatMap(({ score }) => score.realFailures))];
  return [
    part("assertion failures (not counted as detections):", failuresOf("errors")),
    part("failures of other invariants (not counted as detections):", failuresOf("others")),
    part("failures of the real program too (not counted as detections):", shared),
  ].join("");
}

/** Returns the summary for people. */
function summaryText({ rows, selfCheckFailures, wallMs }: HuntReport, paint: Paint): string {
  const missed = rows.filter(({ score }) => !score.isFound).map(({ score }) => score.bug.name);
  const found = `${rows.length - missed.length} of ${rows.length} variants detected within their budget`;
  const selfCheck =
    selfCheckFailures.length === 0
      ? `self-check passed: each of ${INVARIANTS.length} oracles reports its variant, none the control`
      : paint("bad", `self-check failed: ${selfCheckFailures.join("; ")}`);
  const missedText = missed.length === 0 ? "" : `; missed: ${missed.join(", ")}`;
  return `\n${paint(missed.length === 0 ? "good" : "bad", found)}${missedText}; ${selfCheck} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s`)}\n`;
}

/** Writes `<out>/hunt.json`: the request, all rows, the self-check, and what ran. Returns its path. */
export function saveMatrix(options: HuntOptions, rows: readonly VariantRow[], failures: readonly string[]): string {
  const file = join(options.out, "hunt.json");
  const bugs = rows.map((row) => rowObject(row, options.confidence));
  const about = { self_check_failures: failures, versions: versions() };
  writeInFolder(file, `${JSON.stringify({ ...requestObject(options), ...about, bugs }, null, 2)}\n`);
  return file;
}

function requestObject({ ranges, method: { profile, guided }, from }: HuntOptions) {
  const strategies = [{ kind: METHOD, profile, guided, ...(from.length === 0 ? {} : { from }) }];
  return { budget: ranges[0]?.budget, repeats: ranges.length, first: String(ranges[0]?.first), strategies };
}

/** Writes `<out>/hunt/<variant>.yaml`. */
export function saveMinimized(
  out: string,
  { bug, first }: Score,
  { scenario, seed, isMinimal }: MinimizedScenario,
): ShrunkRow {
  const file = join(out, "hunt", `${bug.name}.yaml`);
  const head = [
    ...(first === undefined ? [] : [first.detection.detail.split("\n")[0] ?? ""]),
    `mistake: ${bug.mistake}`,
    `reproduce: quorumlab run ${quoteForShell(file)} --seed ${seed}`,
  ];
  writeInFolder(file, scenarioText({ ...scenario, name: `${bug.name}, detected by fuzz and minimized` }, head, seed));
  return { steps: scenario.steps?.length ?? 0, nodes: [...declarationsOf(scenario).nodes].length, file, isMinimal };
}
