/** Course of a campaign of jobs, in the order in which its jobs ended. */
import { Course, type CoursePoint, type SlowRun } from "../search/fuzz/course.ts";
import type { JobResult } from "./rows.ts";
import { Totals } from "./summary.ts";

/** Runs by coverage point: over all worlds, and by kind of fault. */
export interface CoverageSum {
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
