/** Goal: a world that does not end is a finding, and the rest of its job is done. */
import { describe, expect, test } from "vitest";
import { type AttemptOptions, attemptJob } from "../../src/campaign/attempt.ts";
import { campaignJob, UNENDED } from "../../src/campaign/do-job.ts";
import { jobOf } from "../../src/campaign/job.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import { SilentThread, workersInThreads } from "../../src/cli/jobs/workers.ts";
import { FAILING, verdictsOf } from "./support.ts";

const JOB = jobOf({ ...FAILING, kind: "fuzz", first: "1", count: 5 });

/** Returns the result of the job in a thread of this file. */
async function resultIn(file: URL, silentMs: number): Promise<JobResult> {
  const isSilence = (error: unknown): boolean => error instanceof SilentThread;
  const options: AttemptOptions = { keep: "all", worker: "test", now: () => performance.now(), isSilence };
  const settings = { worldMs: 1, shrinkRuns: 1 };
  const isStopped = async (): Promise<boolean> => false;
  const workers = workersInThreads({ kind: "campaign", settings, threads: 1, isStopped, silentMs, file });
  const [carryOut] = workers.all as [(typeof workers.all)[number]];
  const result = (await attemptJob(JOB, carryOut, options)) as JobResult;
  await workers.close();
  return result;
}

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
    for (const slice of campaignJob(JOB, { worldMs: 1_000, shrinkRuns: 1 }, clock)) {
      if (slice?.type === "begins") [now, asked] = [0, 0];
      if (slice === undefined && seen.length === 1) now = 1_001;
      if (slice?.type === "world") seen.push([slice.seed, slice.hash]);
      if (slice?.type === "world" && slice.seed === "2") expect(slice.signature).toBe(UNENDED.hung);
    }
    expect(asked).toBeGreaterThan(0);
    expect(seen.map(([seed]) => seed)).toEqual(["1", "2", "3", "4", "5"]);
    expect(seen.filter(([, hash]) => hash === null)).toEqual([["2", null]]);
  });

  test("is left at the next event when the campaign is stopped, and has no row then", () => {
    const working = campaignJob(JOB, { worldMs: 1, shrinkRuns: 1 }, () => 0);
    expect(working.next().value).toMatchObject({ type: "begins", seed: "1" });
    expect(working.next()).toEqual({ done: false, value: undefined });
    expect(working.next(true)).toEqual({ done: true, value: { isStopped: true, error: null } });
  });

  test("inside one event costs its thread, as does a death, and another thread does the rest", async () => {
    const result = await resultIn(new URL("./silent-thread.mjs", import.meta.url), 4_000);
    expect(verdictsOf([result])).toEqual([
      ["1", null, "h"],
      ["2", UNENDED.hung, null],
      ["3", null, "h"],
      ["4", UNENDED.died, null],
      ["5", null, "h"],
    ]);
    expect(result.at(-1)).toMatchObject({ type: "job", worlds: 5, failed: 2, error: null });
  });

  test("is told as an error where the job is no range, or no world had begun", async () => {
    const result = await resultIn(new URL("data:text/javascript,process.exit(1)"), 60_000);
    expect(result).toMatchObject([{ type: "job", worlds: 0, error: "the thread ended" }]);
  });
});
