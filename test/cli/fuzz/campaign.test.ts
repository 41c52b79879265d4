/**
 * Goal: the results of a campaign depend on its seeds alone, and not on slices or time. Method: small campaigns of
 * known-bad variants.
 */
import { describe, expect, test } from "vitest";
import { repeatRun, runCampaign } from "../../../src/cli/fuzz/fuzz.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { failureSignatureKey } from "../../../src/search/fuzz/failure-signature.ts";
import { seedsOf } from "../../../src/search/fuzz/guided-seeds.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../../src/search/fuzz/seed-run.ts";
import type { Tally } from "../../../src/search/fuzz/tally.ts";

const BAD: GeneratorOptions = { profile: "quick", bug: "quorum-off-by-one" };

/** Result of a campaign: its counts, the seeds of finished runs with their events, and the failing runs. */
interface Ended {
  readonly tally: Tally;
  readonly finished: readonly (readonly [seed: string, events: number])[];
  readonly failing: readonly SeedRun[];
}

/** Runs the campaign in this thread. `isInterrupted` and `goesOn` are asked before each seed and between slices. */
async function run(
  generator: GeneratorOptions,
  seeds: readonly string[],
  { stopAfter, isInterrupted = () => false, goesOn = () => true }: Partial<Limits> = {},
): Promise<Ended> {
  const finished: (readonly [string, number])[] = [];
  const failing: SeedRun[] = [];
  const { tally } = await runCampaign(
    { generator, seeds, isGuided: false, stopAfter, threads: 1 },
    {
      io: { interrupted: async () => isInterrupted(), now: () => 0 },
      goesOn,
      failed: (one) => void failing.push(one),
      counted: (_tally, { seed, events }) => void finished.push([seed, events]),
    },
  );
  return { tally, finished, failing };
}

interface Limits {
  readonly stopAfter: number;
  readonly isInterrupted: () => boolean;
  readonly goesOn: () => boolean;
}

/** The runs of seeds, without a campaign. */
function runsOf(generator: GeneratorOptions, seeds: readonly string[]): readonly SeedRun[] {
  return seeds.map((seed) => runToEnd(runSeed(seed, generator)));
}

describe("a campaign", () => {
  test("counts failing runs by failure signature", async () => {
    const { tally, failing } = await run(BAD, seedsOf(1n, 12));
    const failed = runsOf(BAD, seedsOf(1n, 12)).filter(({ signature }) => signature !== undefined);
    expect(failing.map(({ seed, result }) => [seed, result.hash])).toEqual(
      failed.map(({ seed, result }) => [seed, result.hash]),
    );
    const keys = failed.flatMap(({ signature: place }) => (place === undefined ? [] : [failureSignatureKey(place)]));
    expect(tally.classes.map(({ key }) => key)).toEqual([...new Set(keys)]);
    expect(tally.classes.flatMap(({ seeds }) => seeds)).toHaveLength(keys.length);
    for (const key of keys) expect(key).not.toMatch(/\d|0x|\bv[1-9]|alice|bob/);
  });

  test("ends with the failing run that reaches the limit", async () => {
    const all = await run(BAD, seedsOf(1n, 12));
    const { tally, finished } = await run(BAD, seedsOf(1n, 12), { stopAfter: 2 });
    expect([tally.failed, finished.at(-1)?.[0]]).toEqual([2, all.failing[1]?.seed]);
  });

  test("counts coverage points of all runs, and lists missing ones", async () => {
    const worlds: GeneratorOptions = { profile: "quick", bug: undefined };
    const { tally } = await run(worlds, seedsOf(1n, 8));
    const runs = runsOf(worlds, seedsOf(1n, 8));
    for (const { point, hits, runs: reached } of tally.coverage) {
      const counts = runs.map(({ result }) => result.coverage.get(point) ?? 0);
      expect([hits, reached]).toEqual([
        counts.reduce((sum, one) => sum + one, 0),
        counts.filter((count) => count > 0).length,
      ]);
    }
    expect(tally.coverage.some(({ hits }) => hits === 0)).toBe(true);
    expect(tally.coverage.some(({ hits }) => hits > 0)).toBe(true);
  });

  test("does not count the run that an interrupt stops inside", async () => {
    let asked = 0;
    const { tally } = await run(BAD, seedsOf(1n, 12), { isInterrupted: () => ++asked > 1 });
    expect([tally.runs, tally.unfinished]).toEqual([0, ["1"]]);
  });

  test.each([1, 7, 20, 41])("that ends after %i stop checks leaves at most one run unfinished", async (questions) => {
    const worlds: GeneratorOptions = { profile: "default", bug: undefined };
    const seeds = seedsOf(1n, 6);
    const all = runsOf(worlds, seeds).map(({ seed, result }) => [seed, result.steps]);
    let asked = 0;
    const { tally, finished } = await run(worlds, seeds, { goesOn: () => ++asked <= questions });
    expect(finished).toEqual(all.slice(0, tally.runs));
    expect(tally.runs).toBeLessThan(seeds.length);
    expect([tally.failed, tally.unfinished]).toEqual([0, [String(tally.runs + 1)]]);
  });

  test("counts submitted and final operations", async () => {
    const worlds: GeneratorOptions = { profile: "quick", bug: undefined };
    const { tally } = await run(worlds, seedsOf(1n, 4));
    const runs = runsOf(worlds, seedsOf(1n, 4));
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
    expect(tally.finals).toBe(sum(runs.map(({ result }) => result.finals.length)));
    expect(tally.operations).toBe(sum(runs.map(({ result }) => result.operations)));
    expect(tally.operations).toBeGreaterThan(tally.finals);
  });
});

test("a failing run that has another hash when it is repeated is an error that names its seed", async () => {
  const [run] = runsOf(BAD, ["1"]) as readonly [SeedRun];
  const io = { interrupted: async () => false };
  await repeatRun(run, BAD, io);
  const altered = { ...run, result: { ...run.result, hash: "0xother" } };
  const { hash } = run.result;
  await expect(repeatRun(altered, BAD, io)).rejects.toThrow(
    `seed 1 is not deterministic: hash 0xother in its run, ${hash} when repeated`,
  );
});
