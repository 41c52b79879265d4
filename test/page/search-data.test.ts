/** Data of the reports of campaigns and hunts, from what commands print. */
import { describe, expect, it } from "vitest";
import type { JobResult, JobRow, WorldRow } from "../../src/campaign/rows.ts";
import { totalsOf } from "../../src/campaign/summary.ts";
import { searchDataOf } from "../../src/report/search-data.ts";
import { type AnyCoveragePoint, COVERAGE_POINT_NAMES } from "../../src/scenario/coverage-points.ts";
import { Course } from "../../src/search/fuzz/tally.ts";
import { ABOUT, campaignText, dataOfText, huntText, linesOf } from "./searches.ts";

describe("a campaign", () => {
  it("has its failures by signature, its course and its coverage", () => {
    const data = dataOfText(campaignText(16));
    expect(data).toMatchObject({
      type: "quorumlab campaign",
      format: 1,
      title: "file.ndjson",
      isWhole: true,
      runs: 16,
    });
    if (data.type !== "quorumlab campaign") throw new Error(data.type);
    expect(data.failures.map(({ runs, seed }) => [runs, seed])).toEqual([
      [2, "0"],
      [2, "8"],
    ]);
    expect(data.progress.at(-1)).toEqual({
      ...{ runs: 16, failed: 3, distinct: 1, events: 13_500, points: 15, by: { loss: 7, crash: 3 }, ms: 3_150 },
    });
    expect(data.coverage[5]).toEqual({ name: "point 5", hits: 15, runs: 5, by: { loss: 2, crash: 1 } });
    expect(data.slowest).toEqual([{ seed: "4", events: 12_000, ms: 812 }]);
  });

  it("names the coverage points that no run reached, of this program alone", () => {
    const [first = "", second = ""] = COVERAGE_POINT_NAMES;
    const text = linesOf({ type: "coverage", name: second, hits: 3, runs: 2, by: {} }, { type: "summary", worlds: 9 });
    const data = dataOfText(text);
    if (data.type !== "quorumlab campaign") throw new Error(data.type);
    expect(data.coverage).toHaveLength(COVERAGE_POINT_NAMES.length);
    expect(data.coverage[0]).toEqual({ name: second, hits: 3, runs: 2, by: {} });
    expect(data.coverage).toContainEqual({ name: first, hits: 0, runs: 0, by: {} });
    const other = dataOfText(text.replace(second, "point of another program"));
    expect(other).toMatchObject({ coverage: [{ name: "point of another program" }] });
  });

  it("is read up to where it was cut off", () => {
    const text = campaignText(16);
    const data = dataOfText(text.slice(0, text.lastIndexOf("{") + 9));
    expect(data).toMatchObject({ isWhole: false, runs: 16, failed: 3, events: 13_500 });
  });

  it("is read from sums of many shards and machines", () => {
    const failures = [
      { type: "failure", failure_signature: "a", runs: 3, seed: "5", replay: "x" },
      { type: "failure", signature: "b", worlds: 4, seed: "6" },
    ];
    expect(dataOfText(linesOf(...failures, { type: "summary", name: "night", worlds: 9, failed: 7 }))).toMatchObject({
      ...{ title: "night", runs: 9, failed: 7 },
      failures: [
        { signature: "b", runs: 4, seed: "6", replay: "" },
        { signature: "a", runs: 3, seed: "5", replay: "x" },
      ],
    });
  });
});

describe("the course of a campaign", () => {
  it("has some hundred points, the last of them at the end, and the slowest runs", () => {
    const course = new Course();
    const due: number[] = [];
    for (let runs = 1; runs <= 100_000; runs++) {
      course.noteSlowRun({ seed: String(runs), events: 1, ms: (runs * 7_919) % 100_003 });
      if (course.isDue(runs)) due.push(runs);
    }
    expect(due.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(due.length).toBeLessThan(200);
    expect(course.isOpen(100_000)).toBe(due.at(-1) !== 100_000);
    const slowest = course.slowest.map((run) => run.wall_ms);
    expect(slowest).toHaveLength(10);
    expect(slowest).toEqual([...slowest].sort((a, b) => b - a));
    expect(slowest[0]).toBeGreaterThan(99_990);
  });

  it("adds up the jobs of a campaign in the order in which they ended", () => {
    const job = (id: string, signature: string | null): JobResult => {
      const world = { type: "world", job: id, seed: id, signature, events: 5, ms: Number(id) } as WorldRow;
      const name = COVERAGE_POINT_NAMES[Number(id)] as AnyCoveragePoint;
      const coverage = { type: "coverage", job: id, name, hits: 2, runs: 1, runs_by: { loss: 1 } } as const;
      const end = { type: "job", job: id, worlds: 1, failed: signature === null ? 0 : 1, events: 5, ms: 40 } as JobRow;
      return [world, coverage, end];
    };
    const lines = totalsOf([job("1", null), job("2", "a"), job("3", "a")]).lines();
    expect(lines.filter(({ type }) => type === "progress").at(-1)).toEqual({
      ...{ type: "progress", runs: 3, failed: 2, distinct: 1, events: 15, points: 3, by: { loss: 3 }, wall_ms: 120 },
    });
    expect(lines.flatMap((line) => (line.type === "slow" ? [line.seed] : []))).toEqual(["3", "2", "1"]);
    expect(lines.filter(({ type }) => type === "coverage")).toHaveLength(3);
  });
});

describe("a hunt", () => {
  it("has the rows of its file", () => {
    const hunt = dataOfText(huntText(10));
    expect(hunt).toMatchObject({ type: "quorumlab hunt", format: 1, budget: 400, repeats: 3, selfCheckFailures: [] });
    const bugs = hunt.type === "quorumlab hunt" ? hunt.bugs : [];
    expect(dataOfText(JSON.stringify({ budget: 400, repeats: 3, self_check_failures: [], bugs }, null, 2))).toEqual(
      hunt,
    );
  });
});

it.each([
  ["", /expected a recording of serve/],
  ["{}\n{}\n", /line 1: expected an object with a type, got \{\}/],
  [linesOf({ type: "summary" }), /expected a recording of serve/],
])("says what is wrong with %j", (text, message) => {
  expect(searchDataOf(text, ABOUT)).toEqual({ ok: false, error: expect.stringMatching(message) as string });
});
