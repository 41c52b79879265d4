/** Goal: a world that does not end is a finding, and the rest of its job is done. */
import { describe, expect, test } from "vitest";
import { UNENDED, workOn } from "../../src/campaign/do-job.ts";
import { jobOf } from "../../src/campaign/job.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import { inThreads } from "../../src/cli/campaign/thread.ts";
import { FAILING, verdictsOf } from "./support.ts";

const JOB = jobOf({ ...FAILING, kind: "fuzz", first: "1", count: 5, guided: false });

const data = { worldMs: 1, shrinkRuns: 1 };

describe("a world that takes too long", () => {
  test("is left between two events, and is a finding", () => {
    let now = 0;
    let asked = 0;
    // The clock stands still except in the second world.
    const clock = (): number => {
      asked += 1;
      return now;
    };
    const seen: (readonly [string, string | null])[] = [];
    for (const slice of workOn(JOB, { now: clock, worldMs: 1_000, shrinkRuns: 1 })) {
      if (slice?.type === "begins") [now, asked] = [0, 0];
      if (slice === undefined && seen.length === 1) now = 1_001;
      if (slice?.type === "world") seen.push([slice.seed, slice.hash]);
      if (slice?.type === "world" && slice.seed === "2") expect(slice.signature).toBe(UNENDED.hung);
    }
    expect(asked).toBeGreaterThan(0);
    expect(seen.map(([seed]) => seed)).toEqual(["1", "2", "3", "4", "5"]);
    expect(seen.filter(([, hash]) => hash === null)).toEqual([["2", null]]);
  });

  test("inside one event costs its thread, as does a death, and another thread does the rest", async () => {
    const file = new URL("./silent-thread.mjs", import.meta.url);
    const options = { keep: "all", worker: "test", now: () => performance.now() } as const;
    const workers = inThreads({ file, threads: 1, data, silentMs: 4_000, options });
    const result = (await workers.all[0]?.(JOB)) as JobResult;
    await workers.close();
    expect(verdictsOf([result])).toEqual([
      ["1", null, "h"],
      ["2", UNENDED.hung, null],
      ["3", null, "h"],
      ["4", UNENDED.died, null],
      ["5", null, "h"],
    ]);
    expect(result.at(-1)).toMatchObject({ type: "job", worlds: 5, failed: 2, error: null });
  }, 60_000);

  test("is told as an error where the job is no range, or no world had begun", async () => {
    const file = new URL("data:text/javascript,process.exit(1)");
    const options = { keep: "all", worker: "test", now: () => performance.now() } as const;
    const workers = inThreads({ file, threads: 1, data, silentMs: 60_000, options });
    const result = (await workers.all[0]?.(JOB)) as JobResult;
    await workers.close();
    expect(result).toMatchObject([{ type: "job", worlds: 0, error: "the thread ended" }]);
  });
});
