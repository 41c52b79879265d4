/** What `hunt` prints: a row for each variant and strategy, and the end. */
import { confidenceOf, type Score } from "../../harness/hunt/score.ts";
import type { Paint } from "../../report/paint.ts";

/** A row with what was made of its first finding. */
export interface Row {
  readonly score: Score;
  /** The command that runs the first finding again; `undefined` where there is none. */
  readonly replay: string | undefined;
  readonly shrunk: ShrunkRow | undefined;
}

export interface ShrunkRow {
  readonly steps: number;
  readonly nodes: number;
  readonly file: string;
  readonly isSmallest: boolean;
}

/** The row as one object: the line of the contract, with what else is known. Times and rates are rounded. */
export function rowObject({ score, replay, shrunk }: Row, withConfidence: boolean): Readonly<Record<string, unknown>> {
  const { bug, strategy, isFound, seeds, wallMs, invariant, first } = score;
  return {
    type: "bug",
    bug: bug.name,
    source: bug.source,
    found: isFound,
    strategy: strategy.kind,
    seeds: seeds ?? null,
    seeds_95: score.seeds95 ?? null,
    states: null,
    wall_ms: tenths(wallMs),
    wall_ms_95: tenths(score.wallMs95),
    invariant: invariant ?? null,
    ranges: score.ranges,
    ranges_found: score.rangesFound,
    looked: score.looked,
    detections: score.detections,
    errors: score.errors.length,
    others: score.others.length,
    shared_with_real: score.shared.length,
    place: first === undefined ? null : first.sighting.place,
    shrunk_steps: shrunk?.steps ?? null,
    shrunk_nodes: shrunk?.nodes ?? null,
    shrunk: shrunk?.file ?? null,
    smallest: shrunk?.isSmallest ?? null,
    replay: replay ?? null,
    ...(withConfidence ? confidenceObject(score) : {}),
  };
}

function confidenceObject(score: Score): Readonly<Record<string, unknown>> {
  const { rateAtLeast, cleanRuns } = confidenceOf(score);
  return { rate_at_least: Math.round(rateAtLeast * 1e6) / 1e6, clean_runs: cleanRuns ?? null };
}

function tenths(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round(milliseconds * 10) / 10;
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
  "again",
] as const;
/** Widths of the columns but the last. */
const WIDTHS = [24, 6, 6, 8, 8, 7, 16, 7, 6] as const;

/** The head of the table. */
export function tableHead(paint: Paint): string {
  return `${paint("dim", line(HEAD))}\n`;
}

/** One row of the table. */
export function tableRow({ score, replay, shrunk }: Row, paint: Paint): string {
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
export function confidenceText(rows: readonly Row[], paint: Paint): string {
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
export function asideText(rows: readonly Row[], paint: Paint): string {
  const of = (what: "errors" | "others" | "shared"): readonly string[] =>
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

export interface Told {
  readonly rows: readonly Row[];
  readonly dishonesty: readonly string[];
  readonly wallMs: number;
}

/** The end for people. */
export function summaryText({ rows, dishonesty, wallMs }: Told, paint: Paint): string {
  const missed = rows.filter(({ score }) => !score.isFound).map(({ score }) => score.bug.name);
  const found = `${rows.length - missed.length} of ${rows.length} variants found within their budget`;
  const trust =
    dishonesty.length === 0
      ? "the canary was found, the real program was not"
      : paint("bad", `not to be trusted: ${dishonesty.join("; ")}`);
  const not = missed.length === 0 ? "" : `; missed: ${missed.join(", ")}`;
  return `\n${paint(missed.length === 0 ? "good" : "bad", found)}${not}; ${trust} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s`)}\n`;
}

/** The last line for programs. */
export function summaryLine({ rows, dishonesty, wallMs }: Told): string {
  const found = rows.filter(({ score }) => score.isFound).length;
  const counts = { runs: rows.length, passed: found, failed: rows.length - found };
  const honest = { trusted: dishonesty.length === 0, dishonesty };
  return `${JSON.stringify({ type: "summary", ...counts, ...honest, wall_ms: tenths(wallMs) })}\n`;
}
