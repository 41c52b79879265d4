/** JSON output of `hunt`: a line for each variant and search method, and the matrix file. */
import { confidenceOf, type Score } from "../../search/hunt/score.ts";

/** Row with the minimized scenario of its first detection. */
export interface Row {
  readonly score: Score;
  /** Command that reproduces the first detection; `undefined` if there is none. */
  readonly replay: string | undefined;
  readonly shrunk: ShrunkRow | undefined;
}

export interface ShrunkRow {
  readonly steps: number;
  readonly nodes: number;
  readonly file: string;
  readonly isMinimal: boolean;
}

/** Result of a hunt. */
export interface HuntReport {
  readonly rows: readonly Row[];
  /** Failed self-checks. */
  readonly dishonesty: readonly string[];
  /** True if the number of clean runs was requested. */
  readonly confidence: boolean;
  /** File of the matrix. */
  readonly matrix: string;
  readonly wallMs: number;
}

/** Returns a line for each row, and the summary line. */
export function huntLines({ rows, dishonesty, confidence, wallMs }: HuntReport): string {
  const found = rows.filter(({ score }) => score.isFound).length;
  const counts = { runs: rows.length, passed: found, failed: rows.length - found };
  const honest = { trusted: dishonesty.length === 0, dishonesty };
  const lines = [
    ...rows.map((row) => rowObject(row, confidence)),
    { type: "summary", ...counts, ...honest, wall_ms: tenths(wallMs) },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Returns the row as one object: the line of the contract with further members. Times and rates are rounded. */
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
    looked: score.seedsRun,
    detections: score.detections,
    errors: score.errors.length,
    others: score.others.length,
    shared_with_real: score.realFailures.length,
    place: first === undefined ? null : first.detection.place,
    shrunk_steps: shrunk?.steps ?? null,
    shrunk_nodes: shrunk?.nodes ?? null,
    shrunk: shrunk?.file ?? null,
    smallest: shrunk?.isMinimal ?? null,
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
