/** What `hunt` prints for people: a table of variants, what else was seen, and the end. */

import type { Paint } from "../../report/paint.ts";
import { confidenceOf } from "../../search/hunt/score.ts";
import type { Output } from "../output.ts";
import type { Row, ToldHunt } from "./hunt-lines.ts";

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
  "again",
] as const;
/** Widths of the columns but the last. */
const WIDTHS = [24, 6, 6, 8, 8, 7, 16, 7, 6] as const;

/** All of it, or where it is to be quiet what was missed and what cannot be trusted. */
export function huntText(told: ToldHunt, { quiet, paint }: Pick<Output, "quiet" | "paint">): string {
  const { rows, dishonesty, confidence, matrix } = told;
  const shown = quiet ? rows.filter(({ score }) => !score.isFound) : rows;
  const hasEnd = !quiet || shown.length > 0 || dishonesty.length > 0;
  return [
    shown.length > 0 ? tableHead(paint) : "",
    ...shown.map((row) => tableRow(row, paint)),
    confidence ? confidenceText(shown, paint) : "",
    quiet ? "" : asideText(rows, paint),
    hasEnd ? `${summaryText(told, paint)}${paint("dim", `the matrix: ${matrix}`)}\n` : "",
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
    shrunk === undefined ? "" : `${shrunk.steps}${shrunk.isSmallest ? "" : "+"}`,
    replay ?? "",
  ];
  return `${isFound ? line(cells) : paint("bad", line(cells))}\n`;
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, place) => cell.padEnd(WIDTHS[place] ?? 0))
    .join(" ")
    .trimEnd();
}

function numberOr(value: number | undefined): string {
  return value === undefined ? "-" : String(value);
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "-" : (milliseconds / 1_000).toFixed(1);
}

/** How many clean runs each variant takes. */
function confidenceText(rows: readonly Row[], paint: Paint): string {
  const head = line(["variant", "seen", "in", "rate >=", "clean runs"]);
  const lines = rows.map(({ score }) => {
    const { rateAtLeast, cleanRuns } = confidenceOf(score);
    const cells = [score.bug.name, String(score.detections), String(score.looked), rateAtLeast.toFixed(4)];
    return line([...cells, cleanRuns === undefined ? "never detected: no number says anything" : String(cleanRuns)]);
  });
  const said =
    "Clean runs after which such a bug is gone with 99 %: ln(0.01) / ln(1 - rate). The rate is the lower Clopper-Pearson " +
    "bound (one-sided, 95 %) of detections per seed, with the default draws and all oracles.";
  return `\n${paint("dim", head)}\n${lines.join("\n")}\n${paint("dim", said)}\n`;
}

/** What else the program broke by, and where the real program fails, too: shown, and counted for nothing. */
function asideText(rows: readonly Row[], paint: Paint): string {
  const of = (what: "errors" | "others"): readonly string[] =>
    rows.flatMap(({ score }) => [...new Set(score[what])].map((where) => `${score.bug.name}: ${where.slice(0, 100)}`));
  const part = (head: string, all: readonly string[]): string =>
    all.length === 0 ? "" : `${paint("dim", head)}\n${all.map((one) => `  ${one}\n`).join("")}`;
  const shared = [...new Set(rows.flatMap(({ score }) => score.shared))];
  return [
    part("broken off by an assertion of the core, which counts for nothing:", of("errors")),
    part("failed by what must not catch them, which counts for nothing:", of("others")),
    part("the real program fails as well, in worlds that count for nothing:", shared),
  ].join("");
}

/** The end for people. */
function summaryText({ rows, dishonesty, wallMs }: ToldHunt, paint: Paint): string {
  const missed = rows.filter(({ score }) => !score.isFound).map(({ score }) => score.bug.name);
  const found = `${rows.length - missed.length} of ${rows.length} variants found within their budget`;
  const trust =
    dishonesty.length === 0
      ? "the canary was found, the real program was not"
      : paint("bad", `not to be trusted: ${dishonesty.join("; ")}`);
  const not = missed.length === 0 ? "" : `; missed: ${missed.join(", ")}`;
  return `\n${paint(missed.length === 0 ? "good" : "bad", found)}${not}; ${trust} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s`)}\n`;
}
