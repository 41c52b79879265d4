/** Rows of results: one JSON object a line. The row of the type `job` comes last, and completes its job. */
import type { Why } from "../run/events/causes.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { Occurrence } from "../search/fuzz/occurrences.ts";
import type { Job } from "./job.ts";

/** Type of a row, and the job that tells it. */
interface RowOfJob<Type extends string> {
  readonly type: Type;
  readonly job: string;
}

/** One world. */
export interface WorldRow extends RowOfJob<"world"> {
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
interface CoverageRow extends RowOfJob<"coverage"> {
  readonly name: AnyCoveragePoint;
  readonly hits: number;
  readonly runs: number;
  readonly runs_by: Readonly<Record<string, number>>;
}

/** One occurrence, and the worlds of a job that had it. */
interface OccurrenceRow extends RowOfJob<"occurrence"> {
  readonly name: Occurrence;
  readonly runs: number;
}

/** First failure of a signature, minimized. */
export interface ShrunkRow extends RowOfJob<"shrunk"> {
  readonly signature: string;
  readonly seed: string;
  readonly text: string;
  readonly small_seed: string;
  readonly steps: number;
  readonly minimal: boolean;
}

/** Causes of a minimized failure; `null` if the search ended before it saw the failure. */
interface WhyRow extends RowOfJob<"why"> {
  readonly key: string;
  readonly why: Why | null;
}

/** A kept finding under the campaign's program. */
interface ReplayRow extends RowOfJob<"replay"> {
  readonly key: string;
  readonly shows: boolean;
}

type WorldSums = Readonly<Record<"worlds" | "failed" | "events" | "operations" | "final", number>>;

/** A finished job. The sums are over its worlds, also of those whose rows are not kept. */
export interface JobRow extends RowOfJob<"job">, WorldSums {
  readonly kind: string;
  readonly ms: number;
  /** End in Unix milliseconds, by the clock of the worker's machine. */
  readonly ended: number;
  readonly worker: string;
  readonly follow: readonly Job[];
  readonly error: string | null;
  /** Checksum over the rows of the job, in files; absent in those of earlier versions. */
  readonly sum?: string;
}

/** A row that a job tells before it ends. */
export type ContentRow = WorldRow | CoverageRow | OccurrenceRow | ShrunkRow | ReplayRow | WhyRow;
export type CampaignRow = ContentRow | JobRow;

/** Result of a job: all its rows, the last of the type `job`. */
export type JobResult = readonly [...ContentRow[], JobRow];

/** Returns the row that completes a result. */
export function jobRowOf(result: JobResult): JobRow {
  return result[result.length - 1] as JobRow;
}

/** Returns the id of the job of a result. */
export function idOf(result: JobResult): string {
  return jobRowOf(result).job;
}
