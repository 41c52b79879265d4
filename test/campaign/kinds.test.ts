/**
 * Goal: each kind of job does what the command of its name does, in one process and over Redis. Method: one plan with every
 * kind, by two workers, against direct calls of search, explorer and runner.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeJob } from "../../src/campaign/do-job.ts";
import { EmbeddedQueue } from "../../src/campaign/embedded.ts";
import { type JobWork, jobOf, type Plan } from "../../src/campaign/job.ts";
import type { JobQueue } from "../../src/campaign/queue.ts";
import { RedisQueue } from "../../src/campaign/redis.ts";
import type { CampaignRow, ContentRow, JobResult } from "../../src/campaign/rows.ts";
import { summaryOf } from "../../src/campaign/summary.ts";
import { LIVENESS_DEFAULT } from "../../src/explore/liveness/liveness.ts";
import { deepen, levelsUpTo } from "../../src/explore/search/deepen.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { createParser } from "../../src/scenario/parse.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { runCommand } from "../cli/support.ts";
import { depth } from "../depth.ts";
import { HAS_REDIS, startRedis } from "./redis-server.ts";
import { doAtOnce, planWith } from "./support.ts";

const EXPLORED = "scenarios/explore/conflict-and-cancellation.yaml";
/** Has operations that the explorer does not know. */
const LONG = "scenarios/workloads/every-kind-of-operation.yaml";
const BOUNDS = { rounds: 1, crashes: 0 };
const STATES = 1_000;
const HUNTED = ["lost-fee", "canary"];
const HUNT_SEEDS = 3;

const textIn = (file: string): string => readFileSync(file, "utf8");

const PLAN: Plan = planWith({
  seeds: 0,
  hunt: HUNTED,
  huntSeeds: HUNT_SEEDS,
  generator: { profile: "quick", bug: undefined },
  explore: levelsUpTo(BOUNDS).map((level) => ({ file: EXPLORED, text: textIn(EXPLORED), ...level, states: STATES })),
});

function scenarioOf(file: string): Scenario {
  const parsed = createParser().parse(textIn(file));
  if (!parsed.ok) throw new Error(`${file} is no scenario`);
  return parsed.value;
}

async function resultsOf(queue: JobQueue): Promise<readonly JobResult[]> {
  await queue.begin(PLAN);
  const workers = [doAtOnce, doAtOnce];
  expect(
    await queue.work({ name: "test", workers, goesOn: async () => true, onResult: () => undefined, stays: false }),
  ).toBe("done");
  const results = await queue.results();
  await queue.close();
  return results;
}

/** Returns the rows of one type, without what names the job, in the order of their JSON. */
function rowsOf<T extends CampaignRow["type"]>(
  results: readonly JobResult[],
  type: T,
): readonly Partial<CampaignRow>[] {
  return results
    .flatMap((rows) => [...rows])
    .filter((row) => row.type === type)
    .map(({ job: _job, ...row }) => row)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function expectDone(results: readonly JobResult[]): void {
  const { errors, jobs } = summaryOf(results);
  expect(errors).toEqual([]);
  expect(jobs).toBe(HUNTED.length + 2);
  const start = scenarioOf(EXPLORED);
  const options = { bounds: BOUNDS, states: STATES, variant: undefined, liveness: LIVENESS_DEFAULT, exhausted: [] };
  const levels = runToEnd(deepen(start, options)).map(({ bounds, states, transitions, exhausted }) => {
    return { type: "level", file: EXPLORED, ...bounds, states, transitions, exhausted, counterexample: null };
  });
  // The second level has more states than it may.
  expect(levels.map(({ exhausted }) => exhausted)).toEqual([true, false]);
  expect(rowsOf(results, "level")).toEqual(levels);
  const found = rowsOf(results, "detection") as readonly Extract<ContentRow, { readonly type: "detection" }>[];
  expect(found.map(({ bug, problems }) => [bug, problems])).toEqual([
    ["canary", []],
    ["lost-fee", []],
  ]);
  expect(found.map(({ found: isFound }) => isFound)).toContain(true);
}

describe("jobs of every kind", () => {
  test("do what the commands of their names do, in one process", async () => {
    expectDone(await resultsOf(new EmbeddedQueue(mkdtempSync(join(tmpdir(), "quorumlab-kinds-")))));
  });

  test.skipIf(depth === "test" || !HAS_REDIS)("do so over Redis", async () => {
    const server = await startRedis();
    const onProblem = (error: Error): never => {
      throw error;
    };
    try {
      expectDone(await resultsOf(new RedisQueue({ url: server.url, name: "kinds", takeoverMs: 60_000, onProblem })));
    } finally {
      await server.stop();
    }
  });

  test("end between two events when they are stopped, and have no row then", () => {
    const bounds = { now: () => 0, worldMs: 1, shrinkRuns: 10 };
    const works: readonly JobWork[] = [
      { kind: "explore", file: EXPLORED, text: textIn(EXPLORED), ...BOUNDS, states: 1_000_000 },
      { kind: "hunt", bug: "canary", profile: "default", first: "1", count: 2 },
    ];
    for (const work of works) {
      const working = executeJob(jobOf(work), bounds);
      expect([work.kind, working.next()]).toEqual([work.kind, { done: false, value: undefined }]);
      expect(working.next(true)).toEqual({ done: true, value: "stopped" });
    }
  });

  test("are told: a level beyond its states, a failure without the variant", () => {
    const job = { job: "job" };
    const level = { type: "level", ...job, file: EXPLORED, ...BOUNDS, states: 9, transitions: 9 } as const;
    const hunted = { type: "detection", ...job, bug: "canary", found: false, seeds: 2, ms: 1 } as const;
    const rows: readonly ContentRow[] = [
      { ...level, exhausted: true, counterexample: null },
      { ...level, exhausted: false, counterexample: null },
      { ...level, exhausted: true, counterexample: "agreement" },
      { ...hunted, problems: [] },
      { ...hunted, problems: ["the real program: fees"] },
    ];
    const sums = {
      worlds: 0,
      failed: 0,
      events: 0,
      operations: 0,
      final: 0,
      ms: 0,
      ended: 0,
      worker: "",
      follow: [],
      error: null,
    };
    const { unexpected } = summaryOf([[...rows, { type: "job", ...job, kind: "hunt", ...sums }]]);
    expect(unexpected).toEqual([1, 2, 4].map((at) => rows[at]));
  });
});

describe("campaign start", () => {
  const start = (out: string, ...argv: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(["campaign", "start", "--out", out, "--seeds", "0", "--no-reports", ...argv]);

  test("takes every kind of job, and says what is not as expected", async () => {
    const out = mkdtempSync(join(tmpdir(), "quorumlab-kinds-"));
    const kinds = [
      "--explore",
      EXPLORED,
      "--rounds",
      "0",
      "--hunt",
      "lost-fee",
      "--profile",
      "quick",
      "--hunt-seeds",
      "8",
    ];
    const clean = await start(out, ...kinds);
    expect([clean.err, clean.code]).toEqual(["", 0]);
    expect(clean.out).toMatch(/^campaign campaign: finished, 2 of 2 jobs$/m);
    const bounded = await start(out, "--name", "bounded", "--explore", EXPLORED, "--states", "1000");
    expect(bounded.code).toBe(1);
    expect(bounded.out).toMatch(
      /^unexpected .*conflict-and-cancellation.yaml, rounds 1, crashes 0: more than \d+ states$/m,
    );
  });

  test("refuses a scenario that cannot be explored before anything is queued", async () => {
    const out = mkdtempSync(join(tmpdir(), "quorumlab-kinds-"));
    const refused = await start(out, "--explore", LONG);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toMatch(/--explore: .*every-kind-of-operation.yaml: /);
  });
});
