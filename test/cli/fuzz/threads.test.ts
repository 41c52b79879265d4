/**
 * Goal: a campaign in threads can stop inside a run, and its finished runs are unaffected. Method: the built worker under
 * a pool that is stopped by results, and never by a clock.
 */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import type { Unfinished } from "../../../src/cli/fuzz/campaign.ts";
import { type Posted, runPool, stopFlag, type ThreadData } from "../../../src/cli/worker-pool.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { type GeneratorOptions, runSeed } from "../../../src/search/fuzz/seed-run.ts";
import type { RunCounts } from "../../../src/search/fuzz/tally.ts";

const THREAD = new URL("../../../dist/cli/fuzz/worker.js", import.meta.url);
const WORLDS: GeneratorOptions = { profile: "quick", bug: undefined };
const SEEDS = Array.from({ length: 40 }, (_, at) => String(at + 1));

type Answer = RunCounts | Unfinished;

/** Returns the results of a pool over `SEEDS`, and the seeds that were taken. */
async function pooled(
  threads: number,
  watch: (count: number) => "on" | "stop" | "end",
): Promise<{ readonly answers: readonly Answer[]; readonly taken: readonly string[] }> {
  const answers: Answer[] = [];
  let begun = 0;
  await runPool<string, Answer>({
    worker: THREAD,
    data: WORLDS,
    take: () => SEEDS[begun++],
    threads,
    onPosted: async (answer) => {
      answers.push(answer);
      return "on";
    },
    watch: async () => watch(answers.length),
  });
  return { answers, taken: SEEDS.slice(0, begun) };
}

const seedOf = (answer: Answer): string => ("unfinished" in answer ? answer.unfinished : answer.seed);

test("a thread that is stopped leaves its world at the next event", async () => {
  const stop = stopFlag();
  Atomics.store(stop, 0, 1);
  const workerData: ThreadData<GeneratorOptions> = { data: WORLDS, stop };
  const worker = new Worker(THREAD, { workerData });
  worker.postMessage({ place: 0, content: "1" } satisfies Posted<string>);
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  expect(answer).toEqual({ place: 0, content: { unfinished: "1" } });
});

describe("a pool", () => {
  test.each([1, 3])(
    "of %i threads that is stopped reports each world that it began, in their order",
    async (threads) => {
      const { answers, taken } = await pooled(threads, (count) => (count >= 2 ? "stop" : "on"));
      expect(answers.map(seedOf)).toEqual(taken);
      const done = answers.flatMap((answer) => ("unfinished" in answer ? [] : [answer]));
      expect(done.length).toBeGreaterThanOrEqual(2);
      expect(answers.length - done.length).toBeLessThanOrEqual(threads);
      for (const { seed, hash } of done) expect(hash).toBe(runToEnd(runSeed(seed, WORLDS)).result.hash);
    },
  );

  test("ends only when the last answer has been told, however long that takes", async () => {
    const slowly: string[] = [];
    let begun = 0;
    await runPool<string, Answer>({
      worker: THREAD,
      data: WORLDS,
      take: () => SEEDS.slice(0, 3)[begun++],
      threads: 3,
      onPosted: async (answer) => {
        for (let turns = 0; turns < 50; turns++) await setImmediate();
        slowly.push(seedOf(answer));
        return "on";
      },
      watch: async () => "on",
    });
    expect(slowly).toEqual(["1", "2", "3"]);
  });

  test("that is stopped from the start begins no job", async () => {
    expect(await pooled(2, () => "stop")).toEqual({ answers: [], taken: [] });
  });

  test("ends at once on request", async () => {
    const { answers, taken } = await pooled(2, (count) => (count >= 1 ? "end" : "on"));
    expect(answers.map(seedOf)).toEqual(taken.slice(0, answers.length));
  });
});
