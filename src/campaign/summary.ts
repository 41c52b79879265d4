/** Sums over the results of a campaign, independent of the order and the number of workers, and its course. */
import { type Occurrence, type OccurrenceCounts, shortcomingsOf } from "../search/fuzz/occurrences.ts";
import { Course, type CoursePoint, type SlowRun } from "../search/fuzz/tally.ts";
import { type JobResult, type JobRow, jobRowOf } from "./rows.ts";

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
  /** Worlds with each occurrence. */
  readonly occurrences: OccurrenceCounts;
  /** Why the worlds show little; none for results of versions that counted no occurrences. */
  readonly shortcomings: readonly string[];
  /** Rows of jobs that could not be done. */
  readonly errors: readonly JobRow[];
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
  readonly #occurrences = new Map<Occurrence, number>();
  readonly #errors: JobRow[] = [];

  add(result: JobResult): void {
    const job = jobRowOf(result);
    this.#sums.jobs += 1;
    for (const name of ["worlds", "failed", "events", "operations", "final", "ms"] as const)
      this.#sums[name] += job[name];
    if (job.error !== null) this.#errors.push(job);
    for (const row of result) {
      if (row.type === "coverage") this.#coverage.set(row.name, (this.#coverage.get(row.name) ?? 0) + row.runs);
      if (row.type === "occurrence") this.#occurrences.set(row.name, (this.#occurrences.get(row.name) ?? 0) + row.runs);
      if (row.type === "world" && row.signature !== null) this.#fail(row.signature, row.seed);
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
    const [occurrences, { worlds: runs, operations, final: finals }] = [this.#occurrences, sums];
    return {
      ...sums,
      occurrences,
      shortcomings: occurrences.size === 0 ? [] : shortcomingsOf({ runs, operations, finals, occurrences }),
      work_ms: Math.round(ms),
      findings: [...this.#findings.values()].sort((a, b) => b.worlds - a.worlds || compareSeeds(a.seed, b.seed)),
      coverage: this.#coverage,
      errors: this.#errors,
    };
  }
}

/** Orders seeds by number. */
export function compareSeeds(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other));
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

/** Intervals of a series, and of the time over which a rate is the mean. */
const INTERVALS = 120;
const WINDOW = 12;

interface Moment {
  /** Begin and end in Unix milliseconds. */
  readonly begun: number;
  readonly ended: number;
  readonly worlds: number;
  /** Coverage points that no job before it reached. */
  readonly points: number;
}

/** Lists of equal length: a point for each end of an interval, the first for the begin. */
export interface Series {
  readonly seconds: readonly number[];
  readonly worlds: readonly number[];
  readonly rate: readonly number[];
  readonly reached: readonly number[];
}

export class CampaignHistory {
  readonly #moments: Moment[] = [];
  readonly #kinds = new Map<string, { readonly jobs: number; readonly ms: number }>();

  /** Adds a job. `points`: coverage points that it is the first to reach. */
  add(result: JobResult, points: number): void {
    const { kind, ms, ended, worlds } = jobRowOf(result);
    this.#moments.push({ begun: ended - ms, ended, worlds, points });
    const so = this.#kinds.get(kind) ?? { jobs: 0, ms: 0 };
    this.#kinds.set(kind, { jobs: so.jobs + 1, ms: so.ms + ms });
  }

  get kinds(): readonly { readonly kind: string; readonly jobs: number; readonly ms: number }[] {
    return [...this.#kinds].map(([kind, sums]) => ({ kind, ...sums })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  /** Returns the course from the begin of the first job to the end of the last one. Costs a pass over all jobs. */
  series(): Series {
    const first = this.#moments.reduce((least, { begun }) => Math.min(least, begun), Number.POSITIVE_INFINITY);
    const last = this.#moments.reduce((most, { ended }) => Math.max(most, ended), 0);
    if (this.#moments.length === 0) return { seconds: [], worlds: [], rate: [], reached: [] };
    const length = Math.max(1, last - first) / INTERVALS;
    const sums = Array.from({ length: INTERVALS + 1 }, () => ({ worlds: 0, points: 0 }));
    for (const { ended, worlds, points } of this.#moments) {
      const sum = sums[Math.min(INTERVALS, Math.ceil((ended - first) / length))];
      if (sum === undefined) continue;
      sum.worlds += worlds;
      sum.points += points;
    }
    let [worlds, reached] = [0, 0];
    const rows = sums.map((sum, at) => {
      worlds += sum.worlds;
      reached += sum.points;
      return { seconds: (at * length) / 1_000, worlds, reached };
    });
    const rate = rows.map(({ worlds: now }, at) => {
      const before = rows[Math.max(0, at - WINDOW)]?.worlds ?? 0;
      return at === 0 ? 0 : ((now - before) * 1_000) / (length * Math.min(at, WINDOW));
    });
    return {
      seconds: rows.map(({ seconds }) => Math.round(seconds * 10) / 10),
      worlds: rows.map((row) => row.worlds),
      rate: rate.map((one) => Math.round(one * 100) / 100),
      reached: rows.map((row) => row.reached),
    };
  }
}
