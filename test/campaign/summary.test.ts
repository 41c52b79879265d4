/**
 * Goal: sums over results do not depend on their order, the least seed stands for a failure, and the course of a campaign
 * has all its worlds and points at its end.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CampaignRow, JobResult, JobRow } from "../../src/campaign/rows.ts";
import { Totals, totalsOf } from "../../src/campaign/summary.ts";
import type { AnyCoveragePoint } from "../../src/scenario/coverage-points.ts";

/** The row of a job of some worlds. */
function jobRow(job: string, worlds: number, ms: number, kind = "fuzz"): JobRow {
  const sums = { worlds, failed: worlds, events: 3, operations: 2, final: 1 };
  return { type: "job", job, kind, ...sums, ms, ended: 0, worker: "test", follow: [], error: null };
}

/** The result of a job with one failing world. */
function failing(signature: string, seed: string): JobResult {
  const world = { type: "world", job: seed, seed, signature } as Extract<CampaignRow, { type: "world" }>;
  return [world, jobRow(seed, 1, 5)];
}

const worlds = fc.uniqueArray(fc.tuple(fc.constantFrom("fees", "agreement"), fc.nat(30)), {
  minLength: 1,
  selector: ([, seed]) => seed,
});

test("failures are counted by signature, with the least seed", () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (drawn, turn) => {
      const results = drawn.map(([signature, seed]) => failing(signature, String(seed)));
      const turned = results.map((_, at) => results[(at + turn) % results.length] as JobResult);
      const { findings, ...sums } = totalsOf(turned).summary();
      expect(sums).toMatchObject({ jobs: drawn.length, worlds: drawn.length, failed: drawn.length });
      for (const { signature, worlds: count, seed } of findings) {
        const own = drawn.filter(([name]) => name === signature);
        expect([count, seed]).toEqual([own.length, String(Math.min(...own.map(([, number]) => number)))]);
      }
      expect(new Set(findings.map(({ signature }) => signature))).toEqual(new Set(drawn.map(([name]) => name)));
    }),
  );
});

test("a job that could not be done is among the errors, and no other one", () => {
  const { errors, jobs } = totalsOf([failing("fees", "1"), [{ ...jobRow("b", 0, 5), error: "no such bug" }]]).summary();
  expect([jobs, errors.map(({ error }) => error)]).toEqual([2, ["no such bug"]]);
});

/** The result of a job whose worlds reach these points. */
function reaching(points: readonly AnyCoveragePoint[], row: JobRow): JobResult {
  const counts = { hits: 1, runs: 1, runs_by: { loss: 1 } };
  return [...points.map((name) => ({ type: "coverage", job: row.job, name, ...counts }) as const), row];
}

test("a course ends with all worlds and points", () => {
  const totals = new Totals();
  expect(totals.course).toEqual([]);
  totals.add(reaching(["checkpoint proposed", "commit requested again"], jobRow("a", 10, 1_000)));
  totals.add([jobRow("b", 0, 2_000, "shrink")]);
  totals.add(reaching(["commit requested again", "lock carried"], jobRow("c", 30, 1_000)));
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
