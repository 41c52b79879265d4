/** Course of a campaign of jobs, in the order in which its jobs ended. */
import { Course, type CoursePoint, type SlowRun } from "../search/fuzz/course.ts";
import { type JobResult, jobRowOf, type WorldRow } from "./rows.ts";

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
  const coverage = new Map<string, CoverageSum>();
  const signatures = new Set<string>();
  const reached = new Map<string, Set<string>>();
  const sums = { runs: 0, failed: 0, events: 0, wall_ms: 0 };
  const points: CoursePoint[] = [];
  const point = (): CoursePoint => ({
    ...{
      type: "progress",
      ...sums,
      wall_ms: Math.round(sums.wall_ms),
      distinct: signatures.size,
      points: coverage.size,
    },
    by: Object.fromEntries([...reached].map(([kind, names]) => [kind, names.size])),
  });
  for (const result of results) {
    for (const row of result) {
      if (row.type === "world") note(row);
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
    const { worlds, failed, events, ms } = jobRowOf(result);
    sums.runs += worlds;
    sums.failed += failed;
    sums.events += events;
    sums.wall_ms += ms;
    if (course.isDue(sums.runs)) points.push(point());
  }
  if (course.isOpen(sums.runs)) points.push(point());
  return [...points, ...course.slowest, ...coverage.values()];

  function note(world: WorldRow): void {
    course.ran(world);
    if (world.signature !== null) signatures.add(world.signature);
  }
}
