/**
 * Goal: the results of a campaign depend on its seeds alone, and not on shards, slices or time. Method: small campaigns
 * of known-bad variants, whole and in shards.
 */
import { describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { campaign } from "../../../src/search/fuzz/campaign.ts";
import { failureSignatureKey, failureSignatureOf, hasSignature } from "../../../src/search/fuzz/failure-signature.ts";
import type { GeneratorOptions, SeedRun } from "../../../src/search/fuzz/seed-run.ts";
import { consecutive, seedsOf } from "../../../src/search/fuzz/seeds.ts";
import type { Tally } from "../../../src/search/fuzz/tally.ts";

const BAD: GeneratorOptions = { profile: "quick", bug: "quorum-off-by-one" };
const WHOLE = { index: 1, count: 1 };

/** Runs the campaign to its end, slice by slice. */
function run(
  worlds: GeneratorOptions,
  seeds: readonly string[],
  stopAfter?: number,
): { tally: Tally; runs: readonly SeedRun[] } {
  const runs: SeedRun[] = [];
  const running = campaign({
    generator: worlds,
    seeds: consecutive(seeds),
    stopAfter,
    onCounts: (one) => void runs.push(one),
  });
  let slice = running.next();
  while (slice.done !== true) slice = running.next(false);
  return { tally: slice.value, runs };
}

describe("a campaign", () => {
  test("runs each seed once, over all shards", () => {
    const whole = seedsOf(5n, 20, WHOLE);
    expect(whole).toEqual(Array.from({ length: 20 }, (_, at) => String(5 + at)));
    const shards = [1, 2, 3].map((index) => seedsOf(5n, 20, { index, count: 3 }));
    expect(shards.flat().sort()).toEqual([...whole].sort());
  });

  test("has the same failures in its shards as in the whole", () => {
    const hashes = (runs: readonly SeedRun[]): readonly string[] =>
      runs
        .map(
          ({ seed, result, signature: place }) =>
            `${seed} ${result.hash} ${place === undefined ? "" : failureSignatureKey(place)}`,
        )
        .sort();
    const { tally, runs } = run(BAD, seedsOf(1n, 12, WHOLE));
    const parts = [1, 2].map((index) => run(BAD, seedsOf(1n, 12, { index, count: 2 })));
    expect(hashes(parts.flatMap((part) => part.runs))).toEqual(hashes(runs));
    expect(parts.reduce((sum, part) => sum + part.tally.failed, 0)).toBe(tally.failed);
    expect(tally.failed).toBeGreaterThan(0);
  });

  test("counts failing runs by failure signature", () => {
    const { tally, runs } = run(BAD, seedsOf(1n, 12, WHOLE));
    const failed = runs.flatMap(({ signature: place }) => (place === undefined ? [] : [failureSignatureKey(place)]));
    expect(tally.classes.map(({ key }) => key)).toEqual([...new Set(failed)]);
    expect(tally.classes.flatMap(({ seeds }) => seeds)).toHaveLength(failed.length);
    for (const key of failed) expect(key).not.toMatch(/\d|0x|\bv[1-9]|alice|bob/);
  });

  test("ends with the failing run that reaches the limit", () => {
    const all = run(BAD, seedsOf(1n, 12, WHOLE)).runs;
    const second = all.filter(({ signature: place }) => place !== undefined)[1];
    const { tally, runs } = run(BAD, seedsOf(1n, 12, WHOLE), 2);
    expect([tally.failed, runs.at(-1)?.seed]).toEqual([2, second?.seed]);
  });

  test("counts coverage points of all runs, and lists missing ones", () => {
    const { tally, runs } = run({ profile: "quick", bug: undefined }, seedsOf(1n, 8, WHOLE));
    for (const { point, hits, runs: reached } of tally.coverage) {
      const counts = runs.map(({ result }) => result.coverage.get(point) ?? 0);
      expect([hits, reached]).toEqual([
        counts.reduce((sum, one) => sum + one, 0),
        counts.filter((one) => one > 0).length,
      ]);
    }
    expect(tally.coverage.some(({ hits }) => hits === 0)).toBe(true);
    expect(tally.coverage.some(({ hits }) => hits > 0)).toBe(true);
  });

  test("drops the run that is stopped inside", () => {
    const running = campaign({ generator: BAD, seeds: consecutive(seedsOf(1n, 12, WHOLE)), stopAfter: undefined });
    running.next();
    const slice = running.next(true);
    expect(slice.done === true && slice.value.runs).toBe(0);
  });

  test.each([1, 7, 20, 41])("that ends after %i stop checks leaves at most one run unfinished", (questions) => {
    const worlds: GeneratorOptions = { profile: "default", bug: undefined };
    const seeds = seedsOf(1n, 6, WHOLE);
    const all = run(worlds, seeds).runs.map(({ seed, result }) => `${seed} ${result.hash}`);
    const finishedRuns: string[] = [];
    let asked = 0;
    const tally = runToEnd(
      campaign({
        generator: worlds,
        seeds: consecutive(seeds),
        stopAfter: undefined,
        goesOn: () => ++asked <= questions,
        onCounts: ({ seed, result }) => void finishedRuns.push(`${seed} ${result.hash}`),
      }),
    );
    expect(asked).toBe(questions + 1);
    expect(finishedRuns).toEqual(all.slice(0, tally.runs));
    expect([tally.failed, tally.unfinished]).toEqual([0, [String(tally.runs + 1)]]);
  });

  test("counts submitted and final operations", () => {
    const { tally, runs } = run({ profile: "quick", bug: undefined }, seedsOf(1n, 4, WHOLE));
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
    expect(tally.finals).toBe(sum(runs.map(({ result }) => result.finals.length)));
    expect(tally.operations).toBe(sum(runs.map(({ result }) => result.operations)));
    expect(tally.operations).toBeGreaterThan(tally.finals);
  });
});

test("a saved failure is reproduced from its file and seed", () => {
  const { runs } = run(BAD, seedsOf(1n, 12, WHOLE), 1);
  const failing = runs.at(-1) as SeedRun;
  const again = runScenario(failing.scenario, { seed: failing.seed });
  expect([again.hash, failureSignatureOf(failing.scenario, again)]).toEqual([failing.result.hash, failing.signature]);
  expect(hasSignature(failing.scenario, again, failing.signature as NonNullable<typeof failing.signature>)).toBe(true);
});
