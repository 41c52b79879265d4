/** Rows of results: one JSON object a line. The row of the type `job` comes last, and completes its job. */
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { Parent } from "../search/fuzz/guided.ts";
import type { Job } from "./job.ts";

/** One world. */
export interface WorldRow {
  readonly type: "world";
  readonly job: string;
  readonly seed: string;
  readonly verdict: "pass" | "fail";
  readonly signature: string | null;
  readonly hash: string | null;
  readonly events: number;
  readonly operations: number;
  readonly final: number;
  readonly faults: readonly string[];
  readonly ms: number;
}

/** One coverage point over all worlds of a job. */
interface CoverageRow {
  readonly type: "coverage";
  readonly job: string;
  readonly name: AnyCoveragePoint;
  readonly hits: number;
  readonly runs: number;
  readonly runs_by: Readonly<Record<string, number>>;
}

/** A run of a guided job that is worth mutating, or that the job mutated. */
interface ParentRow extends Parent {
  readonly type: "parent";
  readonly job: string;
}

/** First failure of a signature, minimized. */
export interface ShrunkRow {
  readonly type: "shrunk";
  readonly job: string;
  readonly signature: string;
  readonly seed: string;
  readonly text: string;
  readonly small_seed: string;
  readonly steps: number;
  readonly minimal: boolean;
}

/** A kept finding under the campaign's program. */
interface ReplayRow {
  readonly type: "replay";
  readonly job: string;
  readonly key: string;
  readonly shows: boolean;
}

/** A known-bad variant in one range of seeds. */
interface DetectionRow {
  readonly type: "detection";
  readonly job: string;
  readonly bug: string;
  readonly found: boolean;
  readonly seeds: number;
  /** Failures that no variant explains: of assertions, and of the real program in the same world. */
  readonly problems: readonly string[];
  readonly ms: number;
}

/** One level of an exploration. */
interface LevelRow {
  readonly type: "level";
  readonly job: string;
  readonly file: string;
  readonly rounds: number;
  readonly crashes: number;
  readonly states: number;
  readonly transitions: number;
  readonly exhausted: boolean;
  readonly counterexample: string | null;
}

/** A scenario file under one seed. */
interface ScenarioRow {
  readonly type: "scenario";
  readonly job: string;
  readonly file: string;
  readonly seed: string;
  readonly verdict: string;
  readonly hash: string;
  readonly reason: string;
  readonly ms: number;
}

/** Speed of a scenario file under one seed. */
interface BenchRow {
  readonly type: "bench";
  readonly job: string;
  readonly file: string;
  readonly seed: string;
  readonly runs: number;
  readonly hash: string;
  readonly events: number;
  readonly operations: number;
  readonly least_ms: number;
  readonly ms: number;
}

/** A finished job. The sums are over its worlds, also of those whose rows are not kept. */
export interface JobRow {
  readonly type: "job";
  readonly job: string;
  readonly kind: string;
  readonly worlds: number;
  readonly failed: number;
  readonly events: number;
  readonly operations: number;
  readonly final: number;
  readonly ms: number;
  /** End in Unix milliseconds, by the clock of the worker's machine. */
  readonly ended: number;
  readonly worker: string;
  readonly follow: readonly Job[];
  readonly error: string | null;
}

/** A row that a job tells before it ends. */
export type ContentRow =
  | WorldRow
  | CoverageRow
  | ParentRow
  | ShrunkRow
  | ReplayRow
  | DetectionRow
  | LevelRow
  | ScenarioRow
  | BenchRow;
export type Row = ContentRow | JobRow;

/** Result of a job: all its rows, the last of the type `job`. */
export type JobResult = readonly [...ContentRow[], JobRow];

type Columns<T extends Row> = Readonly<Record<Exclude<keyof T, "type">, readonly [sql: string, says: string]>>;

const JOB_COLUMN = ["VARCHAR", "id of the job"] as const;

/** Columns of each type of row: type in SQL, and meaning. */
export const COLUMNS: { readonly [Type in Row["type"]]: Columns<Extract<Row, { readonly type: Type }>> } = {
  world: {
    job: JOB_COLUMN,
    seed: ["VARCHAR", "seed; `7~2` is the second mutation of seed 7"],
    verdict: ["VARCHAR", "`pass` or `fail`, as `fuzz` counts"],
    signature: ["VARCHAR", "failure signature, null if it passed"],
    hash: ["VARCHAR", "rolling hash over all events, null if the world did not come to its end"],
    events: ["BIGINT", "events of the world"],
    operations: ["BIGINT", "operations that clients submitted, each once"],
    final: ["BIGINT", "final operations"],
    faults: ["VARCHAR[]", "kinds of faults in the drawn scenario"],
    ms: ["DOUBLE", "wall-clock milliseconds; it affects nothing else"],
  },
  coverage: {
    job: JOB_COLUMN,
    name: ["VARCHAR", "coverage point"],
    hits: ["BIGINT", "times it was reached"],
    runs: ["BIGINT", "worlds that reached it"],
    runs_by: ["MAP(VARCHAR, BIGINT)", "such worlds by kind of fault"],
  },
  parent: {
    job: JOB_COLUMN,
    seed: ["VARCHAR", "seed of a world that guided jobs may mutate"],
    points: ["VARCHAR[]", "its rarest coverage points"],
    events: ["BIGINT", "events of it"],
    mutations: ["BIGINT", "mutations of it that this job drew"],
  },
  shrunk: {
    job: JOB_COLUMN,
    signature: ["VARCHAR", "failure signature that the small scenario has"],
    seed: ["VARCHAR", "seed of the campaign whose world was minimized"],
    text: ["VARCHAR", "small scenario file"],
    small_seed: ["VARCHAR", "seed under which the small scenario fails"],
    steps: ["BIGINT", "steps of the small scenario"],
    minimal: ["BOOLEAN", "true if no single removal keeps the failure"],
  },
  replay: {
    job: JOB_COLUMN,
    key: ["VARCHAR", "failure signature of a kept finding"],
    shows: ["BOOLEAN", "true if this program still shows it"],
  },
  detection: {
    job: JOB_COLUMN,
    bug: ["VARCHAR", "known-bad variant"],
    found: ["BOOLEAN", "true if a seed of the range detects it"],
    seeds: ["BIGINT", "seeds up to the first detection, all of the range without one"],
    problems: ["VARCHAR[]", "failed assertions, and failures of the real program in the same world"],
    ms: ["DOUBLE", "wall-clock milliseconds of the search"],
  },
  level: {
    job: JOB_COLUMN,
    file: ["VARCHAR", "explored scenario"],
    rounds: ["BIGINT", "highest round"],
    crashes: ["BIGINT", "most crashes"],
    states: ["BIGINT", "states reached"],
    transitions: ["BIGINT", "edges between states"],
    exhausted: ["BOOLEAN", "true if all states within the bounds were visited"],
    counterexample: ["VARCHAR", "failed check, null without one"],
  },
  scenario: {
    job: JOB_COLUMN,
    file: ["VARCHAR", "scenario file"],
    seed: ["VARCHAR", "seed"],
    verdict: ["VARCHAR", "verdict as `run` prints it"],
    hash: ["VARCHAR", "rolling hash over all events"],
    reason: ["VARCHAR", "first line of the reason"],
    ms: ["DOUBLE", "wall-clock milliseconds"],
  },
  bench: {
    job: JOB_COLUMN,
    file: ["VARCHAR", "scenario file"],
    seed: ["VARCHAR", "seed"],
    runs: ["BIGINT", "timed runs, after one that is not timed"],
    hash: ["VARCHAR", "rolling hash over all events"],
    events: ["BIGINT", "events of one run"],
    operations: ["BIGINT", "operations of one run"],
    least_ms: ["DOUBLE", "wall-clock milliseconds of the quickest run"],
    ms: ["DOUBLE", "wall-clock milliseconds of the median run"],
  },
  job: {
    job: JOB_COLUMN,
    kind: ["VARCHAR", "`fuzz`, `split`, `shrink`, `replay`, `hunt`, `explore`, `scenario` or `bench`"],
    worlds: ["BIGINT", "worlds of the job"],
    failed: ["BIGINT", "failing ones"],
    events: ["BIGINT", "events over its worlds"],
    operations: ["BIGINT", "operations over its worlds"],
    final: ["BIGINT", "final operations over its worlds"],
    ms: ["DOUBLE", "wall-clock milliseconds of the attempt that finished"],
    ended: ["BIGINT", "end in Unix milliseconds, by the clock of that machine"],
    worker: ["VARCHAR", "machine and process that finished it"],
    follow: ["JSON", "jobs that it asked for"],
    error: ["VARCHAR", "why the job could not be done, null if it was"],
  },
};

/** Returns rows as lines. */
export function linesOf(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Returns the lines of a text. What follows the last end of a line is torn and left out. */
export function wholeLines(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

/**
 * Returns the finished jobs in lines, each once. Rows without the row of their job are left out: the process that wrote
 * them was killed, and the job is done again. @throws SyntaxError for a line that is no JSON.
 */
export function resultsIn(lines: readonly string[] | Generator<string>): readonly JobResult[] {
  const done = new Map<string, JobResult>();
  let open: ContentRow[] = [];
  for (const line of lines) {
    const row = JSON.parse(line) as Row;
    if (row.type === "job") {
      const own = open.filter(({ job }) => job === row.job);
      open = [];
      if (!done.has(row.job)) done.set(row.job, [...own, row]);
    } else open.push(row);
  }
  return [...done.values()];
}

/** Returns the row that completes a result. */
export function jobRowOf(result: JobResult): JobRow {
  return result[result.length - 1] as JobRow;
}

/** Returns the id of the job of a result. */
export function idOf(result: JobResult): string {
  return jobRowOf(result).job;
}
