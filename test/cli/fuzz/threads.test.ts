/**
 * Goal: a campaign in threads can stop inside a run, and its finished runs are unaffected. Method: the built worker, with
 * jobs that are stopped by results, and never by a clock.
 */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import type { ResultOf } from "../../../src/cli/jobs/workers.ts";
import { type JobWorkers, runJobs, type ThreadData, workersInThreads } from "../../../src/cli/jobs/workers.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { type GeneratorOptions, runSeed } from "../../../src/search/fuzz/seed-run.ts";

const THREAD = new URL("../../../dist/cli/jobs/worker.js", import.meta.url);
const WORLDS: GeneratorOptions = { profile: "quick", bug: undefined };
const SEEDS = Array.from({ length: 40 }, (_, at) => String(at + 1));

function workers(threads: number, isStopped: () => boolean): JobWorkers<"fuzz"> {
  return workersInThreads({
    kind: "fuzz",
    settings: WORLDS,
    threads,
    isStopped: async () => isStopped(),
    file: THREAD,
  });
}

/** The seed of a result, and the hash of its run; `undefined`: unfinished. */
type Reported = readonly [seed: string, hash: string | undefined];

/** Returns the results of threads over `SEEDS`, and the seeds that were taken. */
async function results(
  threads: number,
  isStopped: (count: number) => boolean,
  endsAfter?: number,
): Promise<{ readonly reported: readonly Reported[]; readonly taken: readonly string[] }> {
  const reported: Reported[] = [];
  let begun = 0;
  await runJobs({
    workers: workers(threads, () => isStopped(reported.length)),
    take: () => SEEDS[begun++],
    onResult: (run: ResultOf<"fuzz">, seed) => {
      reported.push([seed, run?.counts.hash]);
      return reported.length === endsAfter ? "end" : undefined;
    },
  });
  return { reported, taken: SEEDS.slice(0, begun) };
}

test("a thread that is stopped leaves its world at the next event", async () => {
  const stop = Int32Array.of(1);
  const workerData: ThreadData<"fuzz"> = { kind: "fuzz", settings: WORLDS, stop };
  const worker = new Worker(THREAD, { workerData });
  worker.postMessage("1");
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  expect(answer).toEqual({ type: "result", result: undefined });
});

describe("jobs", () => {
  test.each([1, 3])("in %i threads that are stopped report each world that began, in their order", async (threads) => {
    const { reported, taken } = await results(threads, (count) => count >= 2);
    expect(reported.map(([seed]) => seed)).toEqual(taken);
    const done = reported.filter(([, hash]) => hash !== undefined);
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(reported.length - done.length).toBeLessThanOrEqual(threads);
    for (const [seed, hash] of done) expect(hash).toBe(runToEnd(runSeed(seed, WORLDS)).result.hash);
  });

  test("end only when the last result has been reported, however long that takes", async () => {
    const slowly: string[] = [];
    let begun = 0;
    await runJobs({
      workers: workers(3, () => false),
      take: () => SEEDS.slice(0, 3)[begun++],
      onResult: async (_run, seed) => {
        for (let turns = 0; turns < 50; turns++) await setImmediate();
        slowly.push(seed);
        return undefined;
      },
    });
    expect(slowly).toEqual(["1", "2", "3"]);
  });

  test("that are stopped from the start do not begin", async () => {
    expect(await results(2, () => true)).toEqual({ reported: [], taken: [] });
  });

  test("end at once on request", async () => {
    const { reported, taken } = await results(2, () => false, 1);
    expect(reported.map(([seed]) => seed)).toEqual(taken.slice(0, 1));
  });

  test("fail with the error of a thread", async () => {
    const file = new URL("data:text/javascript,throw new Error('broken')");
    const isStopped = async (): Promise<boolean> => false;
    const broken = workersInThreads({ kind: "fuzz", settings: WORLDS, threads: 2, isStopped, file });
    const jobs = runJobs({ workers: broken, take: () => "1", onResult: () => undefined });
    await expect(jobs).rejects.toThrow("broken");
  });
});
