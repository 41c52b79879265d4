/** Goal: the course of a campaign has every job once, at its end, whatever the order in which results are read. */
import { expect, test } from "vitest";
import type { JobResult } from "../../src/campaign/rows.ts";
import { CampaignHistory } from "../../src/campaign/summary.ts";

function job(ended: number, ms: number, worlds: number, kind = "fuzz"): JobResult {
  const sums = { worlds, failed: 0, events: 0, operations: 0, final: 0, ms, ended };
  return [{ type: "job", job: `${kind}-${ended}`, kind, ...sums, worker: "test", follow: [], error: null }];
}

test("a course begins with the first job, and ends with all worlds and points", () => {
  const history = new CampaignHistory();
  expect(history.series()).toEqual({ seconds: [], worlds: [], rate: [], reached: [] });
  history.add(job(21_000, 1_000, 30), 5);
  history.add(job(11_000, 1_000, 10), 40);
  history.add(job(16_000, 2_000, 0, "shrink"), 0);
  const { seconds, worlds, rate, reached } = history.series();
  expect([seconds[0], seconds.at(-1)]).toEqual([0, 11]);
  expect([worlds[0], worlds.at(-1), reached.at(-1)]).toEqual([0, 40, 45]);
  // The job that was read second has ended first: after a second of eleven.
  expect([worlds[10], worlds[11], reached[11]]).toEqual([0, 10, 40]);
  expect(new Set([seconds, worlds, rate, reached].map(({ length }) => length)).size).toBe(1);
  // Thirty worlds in the last tenth of eleven seconds.
  expect(rate.at(-1)).toBeCloseTo(30 / 1.1, 1);
  expect(history.kinds).toEqual([
    { kind: "fuzz", jobs: 2, ms: 2_000 },
    { kind: "shrink", jobs: 1, ms: 2_000 },
  ]);
});
