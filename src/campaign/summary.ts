/** Sums over the results of a campaign: independent of the order and the number of workers. */
import { type JobResult, type JobRow, jobRowOf, type Row } from "./rows.ts";

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
  /** By signature. */
  readonly findings: readonly FindingSum[];
  /** Coverage points reached, with the worlds that did. */
  readonly coverage: ReadonlyMap<string, number>;
  /** Rows of jobs that could not be done. */
  readonly errors: readonly JobRow[];
  /** Rows of scenarios, explorations and hunts that are not as expected. */
  readonly unexpected: readonly Row[];
}

/** Returns the sums of results, each job counted once. */
export function summaryOf(results: readonly JobResult[]): Summary {
  const rows = results.flat();
  const jobs = results.map(jobRowOf);
  const sum = (of: (row: JobRow) => number): number => jobs.reduce((total, row) => total + of(row), 0);
  const coverage = new Map<string, number>();
  for (const row of rows) if (row.type === "coverage") coverage.set(row.name, (coverage.get(row.name) ?? 0) + row.runs);
  return {
    jobs: jobs.length,
    worlds: sum(({ worlds }) => worlds),
    failed: sum(({ failed }) => failed),
    events: sum(({ events }) => events),
    operations: sum(({ operations }) => operations),
    final: sum(({ final }) => final),
    work_ms: Math.round(sum(({ ms }) => ms)),
    findings: findingsIn(rows),
    coverage,
    errors: jobs.filter(({ error }) => error !== null),
    unexpected: rows.filter(isUnexpected),
  };
}

function isUnexpected(row: Row): boolean {
  if (row.type === "scenario") return row.verdict !== "pass";
  if (row.type === "detection") return row.problems.length > 0;
  return row.type === "level" && (row.counterexample !== null || !row.exhausted);
}

/** Returns the failing worlds by signature, those with most worlds first. */
function findingsIn(rows: readonly Row[]): readonly FindingSum[] {
  const found = new Map<string, FindingSum>();
  for (const row of rows) {
    if (row.type !== "world" || row.signature === null) continue;
    const { signature, seed } = row;
    const so = found.get(signature) ?? { signature, worlds: 0, seed };
    const first = compareSeeds(seed, so.seed) < 0 ? seed : so.seed;
    found.set(signature, { signature, worlds: so.worlds + 1, seed: first });
  }
  return [...found.values()].sort((a, b) => b.worlds - a.worlds || compareSeeds(a.seed, b.seed));
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
