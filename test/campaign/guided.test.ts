/**
 * Goal: guided jobs start from the coverage that other workers found, in one process and over Redis; a mutated world is a
 * function of its seed. Method: two queues of one store, as two processes have them, each of which does one job.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EmbeddedQueue } from "../../src/campaign/embedded.ts";
import { jobOf } from "../../src/campaign/job.ts";
import type { DoJob, JobQueue } from "../../src/campaign/queue.ts";
import { RedisQueue } from "../../src/campaign/redis.ts";
import { idOf, type JobResult } from "../../src/campaign/rows.ts";
import { gainOf, SharedCoverage } from "../../src/campaign/shared-coverage.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { type AnyCoveragePoint, COVERAGE_POINT_NAMES } from "../../src/scenario/coverage-points.ts";
import type { Guidance } from "../../src/search/fuzz/guided.ts";
import { runSeed } from "../../src/search/fuzz/seed-run.ts";
import { depth } from "../depth.ts";
import { HAS_REDIS, startRedis } from "./redis-server.ts";
import { doAtOnce, planWith, verdictsOf } from "./support.ts";

const GENERATOR = { profile: "quick", bug: undefined } as const;
const PLAN = planWith({ generator: GENERATOR, seeds: 12, range: 6, guided: true });

/** Lets a queue do one job, and returns its result with the guidance that came with it. */
async function oneJob(queue: JobQueue): Promise<{ readonly result: JobResult; readonly guidance: Guidance }> {
  let done: { readonly result: JobResult; readonly guidance: Guidance } | undefined;
  const doJob: DoJob = async (job, guidance) => {
    if (done !== undefined) return undefined;
    const result = (await doAtOnce(job, guidance)) as JobResult;
    done = { result, guidance: guidance as Guidance };
    return result;
  };
  await queue.work({
    name: "test",
    workers: [doJob],
    goesOn: async () => done === undefined,
    onResult: () => undefined,
    stays: true,
  });
  if (done === undefined) throw new Error("no job was done");
  return done;
}

const seedsIn = (result: JobResult): readonly string[] => verdictsOf([result]).map(([seed]) => seed);

/** The first and the second worker see one store through queues of their own. */
async function expectShared(first: JobQueue, second: JobQueue): Promise<void> {
  const one = await oneJob(first);
  expect(one.guidance).toEqual({ runs: [], parents: [] });
  expect(seedsIn(one.result).every((seed) => /^[1-6]$/.test(seed))).toBe(true);
  const other = await oneJob(second);
  expect(idOf(other.result)).not.toBe(idOf(one.result));
  const found = one.result.flatMap((row) => (row.type === "parent" ? [row.seed] : []));
  expect(other.guidance.parents.map(({ seed }) => seed).sort()).toEqual([...found].sort());
  // The second worker mutates worlds that the first one found.
  const mutated = seedsIn(other.result).filter((seed) => seed.includes("~"));
  expect(mutated.length).toBeGreaterThan(0);
  for (const seed of mutated) expect(found).toContain(seed.split("~")[0]);
  for (const [seed, , hash] of verdictsOf([other.result]))
    expect([seed, runToEnd(runSeed(seed, GENERATOR)).result.hash]).toEqual([seed, hash]);
}

describe("a guided campaign", () => {
  test("in one process shares the coverage of its jobs, also after a new start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "quorumlab-guided-"));
    const [first, second] = [new EmbeddedQueue(folder), new EmbeddedQueue(folder)];
    await first.begin(PLAN);
    let begun = false;
    // The second queue reads the store when it begins: after the first job.
    const later: JobQueue = Object.assign(Object.create(second) as JobQueue, {
      work: async (working: Parameters<JobQueue["work"]>[0]) => {
        if (!begun) await second.begin(PLAN);
        begun = true;
        return second.work(working);
      },
    });
    await expectShared(first, later);
  });

  test.skipIf(depth === "test" || !HAS_REDIS)("over Redis shares the coverage of all workers", async () => {
    const server = await startRedis();
    const onProblem = (error: Error): never => {
      throw error;
    };
    const options = { url: server.url, name: "guided", takeoverMs: 60_000, onProblem };
    const [first, second] = [new RedisQueue(options), new RedisQueue(options)];
    try {
      await first.begin(PLAN);
      await expectShared(first, second);
    } finally {
      await Promise.all([first.close(), second.close()]);
      await server.stop();
    }
  });
});

describe("shared coverage", () => {
  test("counts a job once, adds up mutations, and keeps the rarest worlds", () => {
    const coverage = new SharedCoverage();
    const [common, rare] = COVERAGE_POINT_NAMES as unknown as readonly [AnyCoveragePoint, AnyCoveragePoint];
    const parents = Array.from({ length: 100 }, (_, at) => ({
      seed: String(at),
      points: at === 99 ? [common, rare] : [common],
      events: 500,
      mutations: 1,
    }));
    const gain = { job: "one", runs: [[common, 100] as const, [rare, 1] as const], parents };
    coverage.add(gain);
    coverage.add(gain);
    coverage.add({
      job: "two",
      runs: [],
      parents: [{ seed: "99", points: [common, rare], events: 500, mutations: 2 }],
    });
    const { runs, parents: kept } = coverage.guidance();
    expect(runs).toEqual(gain.runs);
    expect(kept).toHaveLength(64);
    expect(kept[0]).toEqual({ seed: "99", points: [common, rare], events: 500, mutations: 3 });
  });

  test("takes nothing from a job that is not guided", async () => {
    const plain = await doAtOnce(jobOf({ ...GENERATOR, kind: "fuzz", first: "1", count: 1, guided: false }));
    expect(gainOf(plain as JobResult)).toBeUndefined();
  });
});
