/**
 * Goal: a campaign over Redis has the verdicts of `fuzz` and of a campaign in one process, whatever the number of workers;
 * killing workers loses nothing, and repeats at most what they had in hand. Method: processes of the built command, killed
 * while they have a job in hand. `npm run soak` makes 200 kills, and writes reports/kills.md.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Job, Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resultsFile } from "../../src/campaign/embedded.ts";
import { resultsIn, wholeLines } from "../../src/campaign/read.ts";
import { PREFIX, RedisQueue } from "../../src/campaign/redis.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import { commitOfProgram } from "../../src/cli/reproduce.ts";
import { depth, runsFor } from "../depth.ts";
import { command, ended, lastLine, worker } from "./processes.ts";
import { HAS_REDIS, type RedisServer, startRedis } from "./redis-server.ts";
import { doAtOnce, FAILING, planWith, type Verdicts, verdictsOf, verdictsOfFuzz } from "./support.ts";

const KILLS = runsFor({ test: 3, nightly: 3, soak: 200 });
/** File for the figures of the kills. */
const REPORT = depth === "soak" ? "reports/kills.md" : undefined;
/** Seconds of silence after which a job is taken over. */
const TAKEOVER = 10;
const WORLDS = ["--profile", FAILING.profile, "--bug", FAILING.bug ?? "", "--shrink-runs", "10"];

let server: RedisServer;
let redis: Redis;
let queue: Queue;

function resultsOf(cwd: string): readonly JobResult[] {
  return resultsIn(wholeLines(readFileSync(resultsFile(join(cwd, "reports/campaign/campaign")), "utf8")));
}

/** Returns a job that a worker has in hand, by the process that BullMQ keeps with it. */
function heldJob(
  active: readonly Job[],
  workers: readonly ChildProcess[],
): { readonly job: Job; readonly at: number } | undefined {
  for (const job of active) {
    const at = workers.findIndex(({ pid }) => job.processedBy === `${hostname()}:${pid}:1`);
    if (at >= 0) return { job, at };
  }
  return undefined;
}

function reportOf(counts: Readonly<Record<"kills" | "inside" | "jobs" | "worlds" | "repeated", number>>): string {
  const { kills, inside, jobs, worlds, repeated } = counts;
  return `# Kills

Two workers of a campaign over Redis; one that has a job in hand is killed (SIGKILL), again and again, and another one starts. A kill
counts as inside the job if the job was not done when the process was gone. The campaign has to end with every job done once, none
lost, the verdicts and hashes of \`fuzz\` over the same seeds, and as many jobs begun again as kills inside, no more than kills. \`npm
run soak\` makes this file again if all of that holds (\`test/campaign/redis.nightly.test.ts\`).

| commit | Node | kills | inside a job | jobs | worlds | jobs lost | jobs begun again | silence until a job is taken over |
|---|---|--:|--:|--:|--:|--:|--:|--:|
| ${commitOfProgram()} | ${process.versions.node} | ${kills} | ${inside} | ${jobs} | ${worlds} | 0 | ${repeated} | ${TAKEOVER} s |
`;
}

describe.skipIf(!HAS_REDIS)("a campaign over Redis", () => {
  const children: ChildProcess[] = [];
  let cwd: string;

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url, { maxRetriesPerRequest: null });
    queue = new Queue("campaign", { connection: redis, prefix: PREFIX });
    cwd = mkdtempSync(join(tmpdir(), "quorumlab-campaign-"));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await queue.close();
    redis.disconnect();
    await server.stop();
  });

  test("has the verdicts of fuzz and of one process, with two workers of which one comes late", async () => {
    const seeds = ["--seeds", "12", "--range", "2", ...WORLDS];
    const started = await command(cwd, ["campaign", "start", "--redis", server.url, "--json", ...seeds]);
    expect(lastLine(started)).toMatchObject({ type: "started", waiting: 6 });
    const first = worker(cwd, server.url, TAKEOVER);
    children.push(first);
    while ((await queue.getCompletedCount()) === 0) await setTimeout(50);
    const onProblem = (error: Error): never => {
      throw error;
    };
    const watched = new RedisQueue({ url: server.url, name: "campaign", takeoverMs: 60_000, onProblem });
    expect(await watched.liveWorkers()).toEqual([`${hostname()}:${first.pid}:1`]);
    await watched.close();
    const second = worker(cwd, server.url, TAKEOVER);
    children.push(second);
    expect(await Promise.all([ended(first), ended(second)])).toEqual([0, 0]);
    const results = await command(cwd, ["campaign", "results", "--redis", server.url, "--json", "--no-reports"]);
    expect(results.code).toBe(1);
    const overRedis = resultsOf(cwd);

    const alone = mkdtempSync(join(tmpdir(), "quorumlab-campaign-"));
    const embedded = await command(alone, ["campaign", "start", "--workers", "2", "--json", "--no-reports", ...seeds]);
    expect(embedded.code).toBe(1);
    expect(verdictsOf(overRedis)).toEqual(verdictsOf(resultsOf(alone)));
    expect(verdictsOf(overRedis)).toEqual(verdictsOfFuzz(planWith({ seeds: 12 })));
    const [there, here] = [lastLine(results), lastLine(embedded)];
    for (const sum of ["jobs", "worlds", "failed", "events", "operations", "final", "distinct", "coverage", "added"])
      expect([sum, there[sum]]).toEqual([sum, here[sum]]);
  });

  test(`loses nothing when workers are killed, ${KILLS} times`, async () => {
    const seeds = 6 + 3 * KILLS;
    await command(cwd, ["campaign", "start", "--redis", server.url, "--seeds", `${seeds}`, "--range", "2", ...WORLDS]);
    let [kills, inside] = [0, 0];
    const current = [worker(cwd, server.url, TAKEOVER), worker(cwd, server.url, TAKEOVER)];
    children.push(...current);
    while (inside < KILLS) {
      const held = heldJob(await queue.getActive(), current);
      if (held === undefined) {
        expect((await queue.getCompletedCount()) < Math.ceil(seeds / 2)).toBe(true);
        await setTimeout(20);
        continue;
      }
      // Another moment inside a job each time.
      await setTimeout((kills * 131) % 200);
      const { job, at } = held;
      current[at]?.kill("SIGKILL");
      await ended(current[at] as ChildProcess);
      kills += 1;
      if (await job.isActive()) inside += 1;
      current[at] = worker(cwd, server.url, TAKEOVER);
      children.push(current[at]);
    }
    expect(await Promise.all(current.map(ended))).toEqual([0, 0]);
    const results = await command(cwd, ["campaign", "results", "--redis", server.url, "--json", "--no-reports"]);
    expect(lastLine(results)).toMatchObject({ waiting: 0, active: 0, lost: 0, worlds: seeds });
    expect(verdictsOf(resultsOf(cwd))).toEqual(verdictsOfFuzz(planWith({ seeds })));
    const jobs = await queue.getJobs(["completed"]);
    const repeated = jobs.reduce((sum, { attemptsStarted }) => sum + attemptsStarted - 1, 0);
    // Each worker has one job in hand, which begins again if it was not done.
    expect(repeated).toBeGreaterThanOrEqual(inside);
    expect(repeated).toBeLessThanOrEqual(kills);
    if (REPORT !== undefined)
      writeFileSync(REPORT, reportOf({ kills, inside, jobs: jobs.length, worlds: seeds, repeated }));
  });

  test("that is stopped begins no job, and goes on when it is started again", async () => {
    const plan = planWith({ seeds: 4, range: 1, generator: { profile: "quick", bug: undefined } });
    const onProblem = (error: Error): never => {
      throw error;
    };
    const campaign = new RedisQueue({ url: server.url, name: "campaign", takeoverMs: 60_000, onProblem });
    await campaign.begin(plan);
    await campaign.stop();
    const done: JobResult[] = [];
    const working = {
      name: "test",
      mayContinue: async () => true,
      onResult: (result: JobResult) => done.push(result),
      staysAfterEnd: false,
    };
    await campaign.work({ ...working, workers: [doAtOnce] });
    expect(done).toEqual([]);
    await campaign.begin(plan);
    // The first one gives its job back.
    let left = 1;
    const unwilling: typeof doAtOnce = async (job) => (left-- > 0 ? undefined : doAtOnce(job));
    await campaign.work({ ...working, workers: [unwilling] });
    const verdicts: Verdicts = verdictsOf(await campaign.results());
    expect(verdicts).toEqual(verdictsOfFuzz(plan));
    expect(verdictsOf(await campaign.newResults())).toEqual(verdicts);
    expect(await campaign.newResults()).toEqual([]);
    await expect(campaign.begin(planWith({ seeds: 5 }))).rejects.toThrow("another plan");
    await campaign.close();
  });
});
