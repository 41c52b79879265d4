/** Output of `hunt` for people: a table of variants, other failures, and the summary. */

import type { Paint } from "../../report/paint.ts";
import { confidenceOf } from "../../search/hunt/score.ts";
import type { Output } from "../output.ts";
import type { HuntReport, Row } from "./hunt-lines.ts";

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
export function huntText(report: HuntReport, { quiet, paint }: Pick<Output, "quiet" | "paint">): string {
  const { rows, dishonesty, confidence, matrix } = report;
  const shown = quiet ? rows.filter(({ score }) => !score.isFound) : rows;
  const hasEnd = !quiet || shown.length > 0 || dishonesty.length > 0;
  return [
    shown.length > 0 ? tableHead(paint) : "",
    ...shown.map((row) => tableRow(row, paint)),
    confidence ? confidenceText(shown, paint) : "",
    quiet ? "" : asideText(rows, paint),
    hasEnd ? `${summaryText(report, paint)}${paint("dim", `the matrix: ${matrix}`)}\n` : "",
  ].join("");
}

function tableHead(paint: Paint): string {
  return `${paint("dim", line(HEAD))}\n`;
}

function tableRow({ score, replay, shrunk }: Row, paint: Paint): string {
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
function confidenceText(rows: readonly Row[], paint: Paint): string {
  const head = line(["variant", "detections", "of", "rate >=", "clean runs"], CONFIDENCE_WIDTHS);
  const lines = rows.map(({ score }) => {
    const { rateAtLeast, cleanRuns } = confidenceOf(score);
    const cells = [score.bug.name, String(score.detections), String(score.seedsRun), rateAtLeast.toFixed(4)];
    return line(
      [...cells, cleanRuns === undefined ? "never detected: no estimate" : String(cleanRuns)],
      CONFIDENCE_WIDTHS,
    );
  });
  const said =
    "Clean runs after which such a bug is fixed with 99 % confidence: ln(0.01) / ln(1 - rate). The rate is the lower " +
    "Clopper-Pearson bound (one-sided, 95 %) of detections per seed, with default generator options and all oracles.";
  return `\n${paint("dim", head)}\n${lines.join("\n")}\n${paint("dim", said)}\n`;
}

/** Returns failures that count neither for nor against a variant. */
function asideText(rows: readonly Row[], paint: Paint): string {
  const of = (what: "errors" | "others"): readonly string[] =>
    rows.flatMap(({ score }) => [...new Set(score[what])].map((where) => `${score.bug.name}: ${where.slice(0, 100)}`));
  const part = (head: string, all: readonly string[]): string =>
    all.length === 0 ? "" : `${paint("dim", head)}\n${all.map((one) => `  ${one}\n`).join("")}`;
  const shared = [...new Set(rows.flatMap(({ score }) => score.realFailures))];
  return [
    part("assertion failures (not counted as detections):", of("errors")),
    part("failures of other invariants (not counted as detections):", of("others")),
    part("failures of the real program too (not counted as detections):", shared),
  ].join("");
}

/** Returns the summary for people. */
function summaryText({ rows, dishonesty, wallMs }: HuntReport, paint: Paint): string {
  const missed = rows.filter(({ score }) => !score.isFound).map(({ score }) => score.bug.name);
  const found = `${rows.length - missed.length} of ${rows.length} variants detected within their budget`;
  const trust =
    dishonesty.length === 0
      ? "self-check passed: canary detected, control not"
      : paint("bad", `self-check failed: ${dishonesty.join("; ")}`);
  const not = missed.length === 0 ? "" : `; missed: ${missed.join(", ")}`;
  return `\n${paint(missed.length === 0 ? "good" : "bad", found)}${not}; ${trust} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s`)}\n`;
}
