/**
 * Goal: a guided campaign depends only on its runs in order, and prefers rare coverage. Method: synthetic runs for the
 * source of seeds, and scenarios of mutated seeds.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COVERAGE_POINTS, type CoveragePoint } from "../../../src/core/validator/coverage-points.ts";
import { drawWorld } from "../../../src/search/fuzz/draw.ts";
import { GENERATION, GuidedSeeds, rankByRarity, seedSource, seedsOf } from "../../../src/search/fuzz/guided-seeds.ts";
import { mutationOf } from "../../../src/search/fuzz/rng.ts";
import type { RunCounts } from "../../../src/search/fuzz/tally.ts";

const NAMES = Object.keys(COVERAGE_POINTS) as CoveragePoint[];
const COMMON = NAMES.slice(0, 3);
const RARE = NAMES[3] as CoveragePoint;

function counted(seed: string, points: readonly CoveragePoint[]): RunCounts {
  const reached = new Map(points.map((point) => [point, 1]));
  const counts = {
    events: 0,
    finals: 1,
    operations: 1,
    operationCounts: new Map(),
    steps: 0,
    idle: 0,
    occurrences: new Set<never>(),
    faults: [],
  };
  return { seed, signature: undefined, hash: "", coverage: reached, ...counts };
}

/** Takes all seeds, with up to `ahead` of them running at once. */
function taken(count: number, marksOf: (seed: string) => readonly CoveragePoint[], ahead: number): readonly string[] {
  const source = new GuidedSeeds(seedsOf(1n, count));
  const seeds: string[] = [];
  let reported = 0;
  for (;;) {
    const next = seeds.length - reported < ahead ? source.take() : "later";
    if (next === undefined && reported === seeds.length) return seeds;
    if (next !== undefined && next !== "later") seeds.push(next);
    else {
      const seed = seeds[reported++] as string;
      source.onRun(counted(seed, marksOf(seed)));
    }
  }
}

describe("seeds of a guided campaign", () => {
  const marksOf = (seed: string): readonly CoveragePoint[] => (/^7(~|$)/.test(seed) ? [...COMMON, RARE] : COMMON);

  test("are as many as requested, each once, independent of threads", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 * GENERATION }), fc.integer({ min: 1, max: 9 }), (count, ahead) => {
        const seeds = taken(count, marksOf, ahead);
        expect(seeds).toHaveLength(count);
        expect(new Set(seeds).size).toBe(count);
        expect(seeds).toEqual(taken(count, marksOf, 1));
      }),
      { numRuns: 40 },
    );
  });

  test("are as many in a plain campaign, where none is a mutation", () => {
    const budget = 2 * GENERATION;
    const [plain = [], guided = []] = ([false, true] as const).map((isGuided) => {
      const source = seedSource(seedsOf(1n, budget), isGuided);
      const seeds: string[] = [];
      for (let seed = source.take(); seed !== undefined; seed = source.take()) {
        seeds.push(seed);
        source.onRun(counted(seed, COMMON));
      }
      return seeds;
    });
    expect([plain.length, guided.length]).toEqual([budget, budget]);
    expect([plain, guided].map((seeds) => seeds.filter((seed) => seed.includes("~")).length)).toEqual([
      0,
      GENERATION / 2,
    ]);
  });

  test("mutate the shorter of two runs with the same points first", () => {
    const parent = { points: COMMON, mutations: 0 };
    const parents = [
      { ...parent, seed: "long", events: 20_000 },
      { ...parent, seed: "short", events: 500 },
    ];
    expect(rankByRarity(parents, new Map()).map(({ seed }) => seed)).toEqual(["short", "long"]);
  });

  test("never wait while fewer runs are open than a generation has fresh ones", () => {
    const source = new GuidedSeeds(seedsOf(1n, 4 * GENERATION));
    const open: string[] = [];
    for (let seed = source.take(); seed !== undefined; seed = source.take()) {
      expect(seed).not.toBe("later");
      open.push(seed);
      if (open.length === GENERATION / 2) source.onRun(counted(open.shift() as string, COMMON));
    }
    expect(open).toHaveLength(GENERATION / 2 - 1);
  });

  test("begin with fresh ones, then mutate first those with the rarest coverage points", () => {
    const seeds = taken(3 * GENERATION, marksOf, 4);
    expect(seeds.slice(0, GENERATION).every((seed) => !seed.includes("~"))).toBe(true);
    const second = seeds.slice(GENERATION, 2 * GENERATION);
    expect(second.filter((seed) => seed.includes("~"))).toHaveLength(GENERATION / 2);
    expect(second.find((seed) => seed.includes("~"))).toBe(mutationOf("7", 1));
  });
});

describe("a mutated scenario", () => {
  test("differs from its parent in at most one section", () => {
    const parts = ["network", "genesis", "clients", "healing"] as const;
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), fc.integer({ min: 1, max: 20 }), (seed, number) => {
        const parent = drawWorld(`${seed}`, "default").scenario;
        const child = drawWorld(mutationOf(`${seed}`, number), "default").scenario;
        const unlike = parts.filter((part) => JSON.stringify(parent[part]) !== JSON.stringify(child[part]));
        expect(unlike.length).toBeLessThanOrEqual(parent.steps?.length === child.steps?.length ? 1 : 2);
        expect(child.network?.validators).toBe(parent.network?.validators);
      }),
      { numRuns: 60 },
    );
  });
});
