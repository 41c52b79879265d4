/** Sums over the results of a campaign, independent of the order and the number of workers, and its course. */
import { type Occurrence, type OccurrenceCounts, shortcomingsOf } from "../search/fuzz/occurrences.ts";
import { Course, type CoursePoint, type SlowRun } from "../search/fuzz/tally.ts";
import { type JobResult, type JobRow, jobRowOf } from "./rows.ts";

/** Failing worlds with one failure signature. */
interface FindingSum {
  readonly signature: string;
  readonly worlds: number;
  /** Least seed, which represents all. */
  readonly seed: string;
}

/** Runs by coverage point: over all worlds, and by kind of fault. */
interface CoverageSum {
  readonly type: "coverage";
  readonly name: string;
  readonly hits: number;
  readonly runs: number;
  readonly by: Readonly<Record<string, number>>;
}

/** Jobs of a kind that are done. */
interface KindSum {
  readonly kind: string;
  readonly jobs: number;
  readonly ms: number;
}

/** Returns the sums of results, each job counted once. */
export function totalsOf(results: readonly JobResult[]): Totals {
  const totals = new Totals();
  for (const result of results) totals.add(result);
  return totals;
}

/** Sums that grow with each result, and keep no passing world but the slowest ones. */
export class Totals {
  readonly #sums = { jobs: 0, worlds: 0, failed: 0, events: 0, operations: 0, final: 0, ms: 0 };
  readonly #findings = new Map<string, FindingSum>();
  readonly #coverage = new Map<string, CoverageSum>();
  /** Coverage points by a kind of fault that a world had which reached them. */
  readonly #reachedBy = new Map<string, Set<string>>();
  readonly #occurrences = new Map<Occurrence, number>();
  readonly #errors: JobRow[] = [];
  readonly #kinds = new Map<string, KindSum>();
  readonly #course = new Course();
  readonly #points: CoursePoint[] = [];

  add(result: JobResult): void {
    const job = jobRowOf(result);
    this.#sums.jobs += 1;
    for (const name of ["worlds", "failed", "events", "operations", "final", "ms"] as const)
      this.#sums[name] += job[name];
    if (job.error !== null) this.#errors.push(job);
    const { kind, ms } = job;
    const kindSum = this.#kinds.get(kind) ?? { kind, jobs: 0, ms: 0 };
    this.#kinds.set(kind, { kind, jobs: kindSum.jobs + 1, ms: kindSum.ms + ms });
    for (const row of result) {
      if (row.type === "coverage") this.#cover(row);
      if (row.type === "occurrence") this.#occurrences.set(row.name, (this.#occurrences.get(row.name) ?? 0) + row.runs);
      if (row.type !== "world") continue;
      this.#course.noteSlowRun(row);
      if (row.signature !== null) this.#fail(row.signature, row.seed);
    }
    if (this.#course.isDue(this.#sums.worlds)) this.#points.push(this.#point());
  }

  #cover({ name, hits, runs, runs_by }: Extract<JobResult[number], { readonly type: "coverage" }>): void {
    const coverageSum = this.#coverage.get(name) ?? { type: "coverage", name, hits: 0, runs: 0, by: {} };
    const by: Record<string, number> = { ...coverageSum.by };
    for (const [kind, count] of Object.entries(runs_by)) {
      by[kind] = (by[kind] ?? 0) + count;
      this.#reachedBy.set(kind, (this.#reachedBy.get(kind) ?? new Set()).add(name));
    }
    this.#coverage.set(name, {
      type: "coverage",
      name,
      hits: coverageSum.hits + hits,
      runs: coverageSum.runs + runs,
      by,
    });
  }

  #fail(signature: string, seed: string): void {
    const findingSum = this.#findings.get(signature) ?? { signature, worlds: 0, seed };
    const first = compareSeeds(seed, findingSum.seed) < 0 ? seed : findingSum.seed;
    this.#findings.set(signature, { signature, worlds: findingSum.worlds + 1, seed: first });
  }

  #point(): CoursePoint {
    const { worlds: runs, failed, events, ms } = this.#sums;
    const by = Object.fromEntries([...this.#reachedBy].map(([kind, names]) => [kind, names.size]));
    const [distinct, points] = [this.#findings.size, this.#coverage.size];
    return { type: "progress", runs, failed, distinct, events, points, by, wall_ms: Math.round(ms) };
  }

  /** Jobs by kind. */
  get kinds(): readonly KindSum[] {
    return [...this.#kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  /** Points of the course, that of now among them. */
  get course(): readonly CoursePoint[] {
    return this.#course.isOpen(this.#sums.worlds) ? [...this.#points, this.#point()] : this.#points;
  }

  /** Returns points of the course, slowest worlds and the sums of coverage, in this order. */
  lines(): readonly (CoursePoint | SlowRun | CoverageSum)[] {
    return [...this.course, ...this.#course.slowest, ...this.#coverage.values()];
  }

  summary() {
    const { ms, ...sums } = this.#sums;
    const occurrences: OccurrenceCounts = this.#occurrences;
    const { worlds: runs, operations, final: finals } = sums;
    return {
      ...sums,
      /** Worlds with each occurrence. */
      occurrences,
      /** Why the worlds show little; none for results of versions that counted no occurrences. */
      shortcomings: occurrences.size === 0 ? [] : shortcomingsOf({ runs, operations, finals, occurrences }),
      /** Milliseconds of all jobs together. */
      work_ms: Math.round(ms),
      /** By signature, those with most worlds first. */
      findings: [...this.#findings.values()].sort((a, b) => b.worlds - a.worlds || compareSeeds(a.seed, b.seed)),
      /** Number of coverage points reached. */
      reached: this.#coverage.size,
      /** Rows of jobs that could not be done. */
      errors: this.#errors as readonly JobRow[],
    };
  }
}

export type Summary = ReturnType<Totals["summary"]>;

/** Orders seeds by number. */
export function compareSeeds(a: string, b: string): number {
  return Number(BigInt(a) - BigInt(b));
}
