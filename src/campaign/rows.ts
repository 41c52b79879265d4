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
export type ContentRow = WorldRow | CoverageRow | ParentRow | ShrunkRow | ReplayRow;
export type CampaignRow = ContentRow | JobRow;

/** Result of a job: all its rows, the last of the type `job`. */
export type JobResult = readonly [...ContentRow[], JobRow];

/** Returns rows as lines. */
export function linesOf(rows: readonly CampaignRow[]): string {
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
    const row = JSON.parse(line) as CampaignRow;
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
