/** Goal: a campaign in one process has the verdicts of `fuzz`, whatever the order, and a killed one loses no result. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { campaignJob } from "../../src/campaign/do-job.ts";
import { EmbeddedQueue, resultsFile } from "../../src/campaign/embedded.ts";
import { jobsOf, programFault, SPLIT_JOBS } from "../../src/campaign/job.ts";
import { type JobRunner, PlanMismatch } from "../../src/campaign/queue.ts";
import { linesOf, resultsIn, wholeLines } from "../../src/campaign/read.ts";
import { idOf, type JobResult } from "../../src/campaign/rows.ts";
import { compareSeeds, totalsOf } from "../../src/campaign/summary.ts";
import { doAtOnce, planWith, verdictsOf, verdictsOfFuzz } from "./support.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "quorumlab-campaign-"));
const PLAN = planWith({});

async function worked(queue: EmbeddedQueue, workers: readonly JobRunner[]): Promise<readonly JobResult[]> {
  const done: JobResult[] = [];
  await queue.work({
    name: "test",
    workers,
    mayContinue: async () => true,
    onResult: (result) => done.push(result),
    staysAfterEnd: false,
  });
  return done;
}

/** A worker that lets the others go first for some turns. */
function slow(turns: number): JobRunner {
  return async (job) => {
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    return doAtOnce(job);
  };
}

describe("an embedded campaign", () => {
  test.each([[[0]], [[3, 0, 7]]])("has the verdicts of fuzz with workers that wait %j turns", async (turns) => {
    const queue = new EmbeddedQueue(newFolder());
    await queue.begin(PLAN);
    await worked(queue, turns.map(slow));
    const results = await queue.results();
    expect(verdictsOf(results)).toEqual(verdictsOfFuzz(PLAN));
    const { findings } = totalsOf(results).summary();
    expect(findings.length).toBeGreaterThan(0);
    // Each signature is minimized once, however many jobs show it.
    const shrunk = results.map(idOf).filter((id) => id.startsWith("shrink"));
    expect(shrunk).toHaveLength(findings.length);
    expect(await queue.counts()).toEqual({ waiting: 0, active: 0, done: results.length, lost: 0, isStopped: false });
  });

  test("that was killed repeats the job at work, and no other one", async () => {
    const folder = newFolder();
    const before = new EmbeddedQueue(folder);
    await before.begin(PLAN);
    let left = 2;
    const some: JobRunner = async (job) => (left-- > 0 ? doAtOnce(job) : undefined);
    const first = (await worked(before, [some])).map(idOf);
    expect(first).toHaveLength(2);
    // Two rows of the third, the last one torn.
    const [row = ""] = readFileSync(resultsFile(folder), "utf8").split("\n");
    appendFileSync(resultsFile(folder), `${row.replace(/"job":"[^"]*"/, '"job":"fuzz-7-3"')}\n{"type":"wor`);

    const after = new EmbeddedQueue(folder);
    await after.begin(PLAN);
    const second = (await worked(after, [doAtOnce])).map(idOf);
    expect(second.filter((id) => first.includes(id))).toEqual([]);
    expect(verdictsOf(await after.results())).toEqual(verdictsOfFuzz(PLAN));
  });

  test("goes on with the same plan only", async () => {
    const folder = newFolder();
    await new EmbeddedQueue(folder).begin(PLAN);
    await expect(new EmbeddedQueue(folder).begin(planWith({ seeds: 13 }))).rejects.toThrow(PlanMismatch);
  });

  test("that is stopped begins no job, and its counts are told to another process", async () => {
    const folder = newFolder();
    const queue = new EmbeddedQueue(folder);
    await queue.begin(PLAN);
    await new EmbeddedQueue(folder).stop();
    const slowly: JobRunner = async () => {
      // Until the watch has seen the stop.
      for (;;) {
        await setImmediate();
        if ((await new EmbeddedQueue(folder).counts()).isStopped) return undefined;
      }
    };
    expect(await worked(queue, [slowly])).toEqual([]);
    expect(await new EmbeddedQueue(folder).counts()).toMatchObject({ waiting: 4, done: 0, isStopped: true });
  });
});

describe("validators that others wrote", () => {
  test("are started by what the worker was given, and never by a job", async () => {
    const folder = newFolder();
    const mark = join(folder, "started");
    const nodes = { commands: { "": `touch ${mark}; exit 1` }, silentMs: 1_000 };
    const work = { profile: "quick", bug: undefined, nodes, kind: "fuzz", first: "1", count: 2 } as const;
    const worldsBy = (bounds: object): readonly (string | null)[] =>
      [...campaignJob({ id: "a", work }, { worldMs: 1, shrinkRuns: 1, ...bounds }, () => 0)].flatMap((slice) =>
        slice?.type === "world" ? [slice.signature] : [],
      );
    expect(worldsBy({})).toEqual([null, null]);
    expect(existsSync(mark)).toBe(false);
    expect(worldsBy({ nodes })).toEqual([expect.any(String), expect.any(String)]);
    expect(existsSync(mark)).toBe(true);
  });

  test("are the same for all workers of a plan", () => {
    const commands = { v2: "mine" };
    const own = PLAN.program;
    expect(programFault(planWith({ nodes: commands }), own, commands)).toBeUndefined();
    expect(programFault(planWith({ nodes: commands }), own, undefined)).toBe(
      'the campaign runs --node {"v2":"mine"}, this is no --node',
    );
    expect(programFault(PLAN, own, commands)).toBe('the campaign runs no --node, this is --node {"v2":"mine"}');
  });
});

describe("a file of results", () => {
  test("counts no job without its last row, and none twice", async () => {
    const result = (await doAtOnce({
      id: "a",
      work: { ...PLAN.generator, kind: "fuzz", first: "1", count: 2 },
    })) as JobResult;
    const text = linesOf(result);
    expect(resultsIn(wholeLines(text))).toEqual([result]);
    expect(resultsIn(wholeLines(text + text))).toEqual([result]);
    const torn = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
    expect(resultsIn(wholeLines(torn))).toEqual([]);
    expect(() => resultsIn(wholeLines(`no JSON\n${text}`))).toThrow("results:1: malformed JSON");
  });
});

test("results that are longer than what is read at once are read as they were kept", async () => {
  const folder = newFolder();
  const queue = new EmbeddedQueue(folder);
  await queue.begin(planWith({ generator: { profile: "quick", bug: undefined } }));
  // Letters of three bytes: some of them lie across two reads, whatever stands before them.
  const signature = "\u20ac".repeat(400_000);
  const longer: JobRunner = async (job) => {
    const world = { seed: "1", small_seed: "1", text: "", steps: 1, minimal: true };
    return [{ type: "shrunk", job: job.id, signature, ...world }, ...((await doAtOnce(job)) ?? [])] as JobResult;
  };
  const done = await worked(queue, [longer]);
  expect(done.length).toBeGreaterThan(2);
  expect(await new EmbeddedQueue(folder).results()).toEqual(done);
});

describe("a plan", () => {
  test("covers each seed once", () => {
    const covered = [...jobsOf(planWith({ seeds: 10, range: 4 }))].flatMap(({ work }) =>
      work.kind === "fuzz" ? Array.from({ length: work.count }, (_, at) => Number(work.first) + at) : [],
    );
    expect(covered).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("of many jobs begins with splits, which cover each seed once", () => {
    const seeds = 2 * SPLIT_JOBS + 1;
    const jobs = [...jobsOf(planWith({ seeds, range: 1 }))];
    expect(jobs.map(({ id }) => id)).toEqual(["split-1-1000", "split-1001-1000", "split-2001-1"]);
  });

  test("orders seeds by number", () => {
    const far = "90071992547409930000";
    expect([far, "10", "9", `${far}0`].sort(compareSeeds)).toEqual(["9", "10", far, `${far}0`]);
  });
});
