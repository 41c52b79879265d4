/**
 * Goal: the results of a campaign depend on its seeds alone, and not on slices or time. Method: small campaigns of
 * known-bad variants.
 */
import { describe, expect, test } from "vitest";
import { repeatRun } from "../../../src/cli/fuzz/fuzz.ts";
import type { Io } from "../../../src/cli/io.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { failureSignatureKey } from "../../../src/search/fuzz/failure-signature.ts";
import { seedsOf } from "../../../src/search/fuzz/guided-seeds.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../../src/search/fuzz/seed-run.ts";
import { folder, runCommand } from "../support.ts";

const BAD: GeneratorOptions = { profile: "quick", bug: "quorum-off-by-one" };
const QUICK: GeneratorOptions = { profile: "quick", bug: undefined };
type Line = Readonly<Record<string, unknown>>;

/** Runs the first seeds of a campaign in this thread, and returns its lines by their types. */
async function run(
  { profile, bug }: GeneratorOptions,
  seeds: number,
  words: readonly string[] = [],
  io: Partial<Io> = {},
): Promise<(type: string) => readonly Line[]> {
  const variant = bug === undefined ? [] : ["--bug", bug];
  const argv = ["--workers", "1", "--no-guided", "--json", "--out", folder({}), "--profile", profile, ...variant];
  const { lines } = await runCommand(["fuzz", "--seeds", String(seeds), ...argv, ...words], io);
  return (type) => lines.filter((line) => line["type"] === type);
}

/** The runs of the first seeds, without a campaign. */
function runsOf(generator: GeneratorOptions, seeds: number): readonly SeedRun[] {
  return seedsOf(1n, seeds).map((seed) => runToEnd(runSeed(seed, generator)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe("a campaign", () => {
  test("counts failing runs by failure signature, and ends with the one that reaches the limit", async () => {
    const failed = runsOf(BAD, 12).flatMap(({ seed, signature, result }) =>
      signature === undefined ? [] : [[seed, failureSignatureKey(signature), result.hash]],
    );
    const shown = (lines: readonly Line[]): readonly unknown[] =>
      lines.map(({ seed, failure_signature, hash }) => [seed, failure_signature, hash]);
    const all = await run(BAD, 12);
    expect(shown(all("run"))).toEqual(failed);
    const keys = new Set(failed.map(([, key]) => key));
    expect(all("summary")).toMatchObject([{ failed: failed.length, distinct: keys.size }]);
    for (const key of keys) expect(key).not.toMatch(/\d|0x|\bv[1-9]|alice|bob/);
    const limited = await run(BAD, 12, ["--stop-after", "2"]);
    expect(shown(limited("run"))).toEqual(failed.slice(0, 2));
    expect(limited("summary")).toMatchObject([{ failed: 2, runs: Number(failed[1]?.[0]) }]);
  });

  test("counts operations and coverage points of all runs, and lists missing ones", async () => {
    const lines = await run(QUICK, 8);
    const results = runsOf(QUICK, 8).map(({ result }) => result);
    const [operations, final] = [
      sum(results.map((one) => one.operations)),
      sum(results.map((one) => one.finals.length)),
    ];
    expect(lines("summary")).toMatchObject([{ operations, final }]);
    expect(operations).toBeGreaterThan(final);
    for (const { name, hits, runs } of lines("coverage")) {
      const counts = results.map(({ coverage }) => coverage.get(name as never) ?? 0);
      expect([hits, runs]).toEqual([sum(counts), counts.filter((count) => count > 0).length]);
    }
    expect(new Set(lines("coverage").map(({ hits }) => Number(hits) > 0)).size).toBe(2);
  });

  test.each([1, 7, 20, 41])("that ends after %i stop checks leaves at most one run unfinished", async (questions) => {
    const worlds: GeneratorOptions = { profile: "default", bug: undefined };
    let asked = 0;
    const lines = await run(worlds, 6, [], { interrupted: async () => ++asked > questions });
    const finished = lines("progress").map(({ events }) => events);
    const steps = runsOf(worlds, finished.length).map(({ result }) => result.steps);
    expect(finished).toEqual(steps.map((_, at) => sum(steps.slice(0, at + 1))));
    expect(finished.length).toBeLessThan(6);
    const unfinished_seeds = [String(finished.length + 1)];
    expect(lines("summary")).toMatchObject([{ runs: finished.length, failed: 0, unfinished_seeds }]);
  });
});

test("a failing run that has another hash when it is repeated is an error that names its seed", async () => {
  const [run] = runsOf(BAD, 1) as readonly [SeedRun];
  const io = { interrupted: async () => false };
  await repeatRun(run, BAD, io);
  const altered = { ...run, result: { ...run.result, hash: "0xother" } };
  const { hash } = run.result;
  await expect(repeatRun(altered, BAD, io)).rejects.toThrow(
    `seed 1 is not deterministic: hash 0xother in its run, ${hash} when repeated`,
  );
});
