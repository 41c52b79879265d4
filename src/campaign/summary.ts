/** Sums over the results of a campaign, independent of the order and the number of workers, and its course. */

import { Course, type CoursePoint, type SlowRun } from "../search/fuzz/course.ts";
import { type CampaignRow, type JobResult, type JobRow, jobRowOf } from "./rows.ts";

/** Failing worlds with one failure signature. */
export interface FindingSum {
  readonly signature: string;
  readonly worlds: number;
  /** Least seed, which represents all. */
  readonly seed: string;
}

export interface Summary {
  readonly jobs: number;
  readonly worlds: number;
  readonly failed: number;
  readonly events: number;
  readonly operations: number;
  readonly final: number;
  /** Milliseconds of all jobs together. */
  readonly work_ms: number;
  /** By signature, those with most worlds first. */
  readonly findings: readonly FindingSum[];
  /** Coverage points reached, with the worlds that did. */
  readonly coverage: ReadonlyMap<string, number>;
  /** Rows of jobs that could not be done. */
  readonly errors: readonly JobRow[];
  /** Rows of scenarios, explorations and hunts that are not as expected. */
  readonly unexpected: readonly CampaignRow[];
}

/** Returns the sums of results, each job counted once. */
export function summaryOf(results: readonly JobResult[]): Summary {
  const totals = new Totals();
  for (const result of results) totals.add(result);
  return totals.summary();
}

/** Sums that grow with each result, and keep no passing world. */
export class Totals {
  readonly #sums = { jobs: 0, worlds: 0, failed: 0, events: 0, operations: 0, final: 0, ms: 0 };
  readonly #findings = new Map<string, FindingSum>();
  readonly #coverage = new Map<string, number>();
  readonly #errors: JobRow[] = [];
  readonly #unexpected: CampaignRow[] = [];

  add(result: JobResult): void {
    const job = jobRowOf(result);
    this.#sums.jobs += 1;
    for (const name of ["worlds", "failed", "events", "operations", "final", "ms"] as const)
      this.#sums[name] += job[name];
    if (job.error !== null) this.#errors.push(job);
    for (const row of result) {
      if (row.type === "coverage") this.#coverage.set(row.name, (this.#coverage.get(row.name) ?? 0) + row.runs);
      if (row.type === "world" && row.signature !== null) this.#fail(row.signature, row.seed);
      if (isUnexpected(row)) this.#unexpected.push(row);
    }
  }

  #fail(signature: string, seed: string): void {
    const so = this.#findings.get(signature) ?? { signature, worlds: 0, seed };
    const first = compareSeeds(seed, so.seed) < 0 ? seed : so.seed;
    this.#findings.set(signature, { signature, worlds: so.worlds + 1, seed: first });
  }

  /** Worlds so far. */
  get worlds(): number {
    return this.#sums.worlds;
  }

  /** Coverage points reached so far. */
  get reached(): number {
    return this.#coverage.size;
  }

  summary(): Summary {
    const { ms, ...sums } = this.#sums;
    return {
      ...sums,
      work_ms: Math.round(ms),
      findings: [...this.#findings.values()].sort((a, b) => b.worlds - a.worlds || compareSeeds(a.seed, b.seed)),
      coverage: this.#coverage,
      errors: this.#errors,
      unexpected: this.#unexpected,
    };
  }
}

function isUnexpected(row: CampaignRow): boolean {
  if (row.type === "scenario") return row.verdict !== "pass";
  if (row.type === "detection") return row.problems.length > 0;
  return row.type === "level" && (row.counterexample !== null || !row.exhausted);
}

/** Orders seeds by number, mutations of one seed behind it. */
export function compareSeeds(one: string, other: string): number {
  const [a, b] = [one, other].map((seed) => seed.split("~").map(BigInt)) as [bigint[], bigint[]];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x = -1n, y = -1n] = [a[at], b[at]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

/** Runs by coverage point: over all worlds, and by kind of fault. */
interface CoverageSum {
  readonly type: "coverage";
  readonly name: string;
  readonly hits: number;
  readonly runs: number;
  readonly by: Readonly<Record<string, number>>;
}

/** Returns points, slowest worlds and the sums of coverage, in this order. O(rows). */
export function courseOf(results: readonly JobResult[]): readonly (CoursePoint | SlowRun | CoverageSum)[] {
  const course = new Course();
  const totals = new Totals();
  const coverage = new Map<string, CoverageSum>();
  const reached = new Map<string, Set<string>>();
  const points: CoursePoint[] = [];
  const point = (): CoursePoint => {
    const { worlds: runs, failed, events, work_ms: wall_ms, findings } = totals.summary();
    const by = Object.fromEntries([...reached].map(([kind, names]) => [kind, names.size]));
    return { type: "progress", runs, failed, distinct: findings.length, events, points: coverage.size, by, wall_ms };
  };
  for (const result of results) {
    totals.add(result);
    for (const row of result) {
      if (row.type === "world") course.noteSlowRun(row);
      if (row.type !== "coverage") continue;
      const { name, hits, runs, runs_by } = row;
      const so = coverage.get(name) ?? { type: "coverage", name, hits: 0, runs: 0, by: {} };
      const by: Record<string, number> = { ...so.by };
      for (const [kind, count] of Object.entries(runs_by)) {
        by[kind] = (by[kind] ?? 0) + count;
        reached.set(kind, (reached.get(kind) ?? new Set()).add(name));
      }
      coverage.set(name, { type: "coverage", name, hits: so.hits + hits, runs: so.runs + runs, by });
    }
    if (course.isDue(totals.worlds)) points.push(point());
  }
  if (course.isOpen(totals.worlds)) points.push(point());
  return [...points, ...course.slowest, ...coverage.values()];
}
