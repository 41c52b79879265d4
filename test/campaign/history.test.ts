/** Goal: the course of a campaign has all its worlds and points at its end, and its jobs by kind. */
import { expect, test } from "vitest";
import type { JobResult } from "../../src/campaign/rows.ts";
import { Totals } from "../../src/campaign/summary.ts";
import type { AnyCoveragePoint } from "../../src/scenario/coverage-points.ts";

function job(name: string, ms: number, worlds: number, points: readonly AnyCoveragePoint[], kind = "fuzz"): JobResult {
  const sums = { worlds, failed: 0, events: 0, operations: 0, final: 0, ms, ended: 0 };
  return [
    ...points.map(
      (point) => ({ type: "coverage", job: name, name: point, hits: 1, runs: 1, runs_by: { loss: 1 } }) as const,
    ),
    { type: "job", job: name, kind, ...sums, worker: "test", follow: [], error: null },
  ];
}

test("a course ends with all worlds and points", () => {
  const totals = new Totals();
  expect(totals.course).toEqual([]);
  totals.add(job("a", 1_000, 10, ["checkpoint proposed", "commit requested again"]));
  totals.add(job("b", 2_000, 0, [], "shrink"));
  totals.add(job("c", 1_000, 30, ["commit requested again", "lock carried"]));
  const points = totals.course.map(({ runs, points: reached, by, wall_ms: ms }) => [runs, reached, by["loss"], ms]);
  expect(points).toEqual([
    [10, 2, 2, 1_000],
    [40, 3, 3, 4_000],
  ]);
  expect(totals.kinds).toEqual([
    { kind: "fuzz", jobs: 2, ms: 2_000 },
    { kind: "shrink", jobs: 1, ms: 2_000 },
  ]);
});
