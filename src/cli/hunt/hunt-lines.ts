/** What `hunt` prints for programs, a line for each variant and strategy; and the matrix in its file. */
import { confidenceOf, type Score } from "../../search/hunt/score.ts";

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

/** What came of a hunt. */
export interface ToldHunt {
  readonly rows: readonly Row[];
  /** Why it cannot be trusted. */
  readonly dishonesty: readonly string[];
  /** Whether it was asked how many clean runs a fix takes. */
  readonly confidence: boolean;
  /** The file of the matrix. */
  readonly matrix: string;
  readonly wallMs: number;
}

/** A line for each row, and one for the end. */
export function huntLines({ rows, dishonesty, confidence, wallMs }: ToldHunt): string {
  const found = rows.filter(({ score }) => score.isFound).length;
  const counts = { runs: rows.length, passed: found, failed: rows.length - found };
  const honest = { trusted: dishonesty.length === 0, dishonesty };
  const lines = [
    ...rows.map((row) => rowObject(row, confidence)),
    { type: "summary", ...counts, ...honest, wall_ms: tenths(wallMs) },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
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
