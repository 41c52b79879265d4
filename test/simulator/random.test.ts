import fc from "fast-check";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { expect, test } from "vitest";
import { Choices, DRAW_MAX, drawInt, Mix, Stream } from "../../src/simulator/random.ts";

const SEEDS = ["1", "2", "long seed text"];

test("draws depend on seed, label and index alone", () => {
  const draw = (seed: string, label: string, index: number): number => drawInt(new Stream(seed, label), index, 1 << 30);
  expect(draw("1", "a", 1)).toBe(draw("1", "a", 1));
  const all = SEEDS.flatMap((seed) =>
    ["a", "b"].flatMap((label) => [0, 1, 2].map((index) => draw(seed, label, index))),
  );
  expect(new Set(all).size).toBe(all.length);
});

test("draws are spread evenly, along a stream and across streams", () => {
  for (const bound of [2, 3, 10, 100]) {
    const counts = new Array<number>(bound).fill(0);
    const across = new Array<number>(bound).fill(0);
    for (let index = 0; index < 200 * bound; index++) {
      counts[drawInt(new Stream("1", "even"), index, bound)]! += 1;
      across[drawInt(new Stream("1", `stream ${index}`), 1, bound)]! += 1;
    }
    for (const count of [...counts, ...across]) {
      expect(count).toBeGreaterThan(130);
      expect(count).toBeLessThan(275);
    }
  }
});

test("ratios hold at both ends", () => {
  const choices = new Choices("1");
  const stream = choices.stream("loss");
  expect(choices.chooseChance(stream, 1, { of: 0, in: 10 })).toBe(false);
  expect(choices.chooseChance(stream, 1, { of: 10, in: 10 })).toBe(true);
});

test("picks a subset of the wanted size, in order", () => {
  const choices = new Choices("1");
  const sets = new Set<string>();
  for (let number = 0; number < 100; number++) {
    const picked = choices.pick(choices.stream(`pick ${number}`), ["a", "b", "c", "d"], 3);
    expect(picked).toHaveLength(3);
    sets.add(picked.join(""));
  }
  expect([...sets].sort()).toEqual(["abc", "abd", "acd", "bcd"]);
});

test("draws are those of the generator that a stream's lanes seed", () => {
  const bound = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: DRAW_MAX }));
  fc.assert(
    fc.property(fc.string(), fc.nat(), bound, (label, index, below) => {
      const stream = new Stream("1", label);
      const mix = new Mix(stream.lanes);
      mix.integer(index);
      const { a, b, c, d } = mix.finish();
      const drawn = uniformInt(xoroshiro128plusFromState([a, b, c, d]), 0, below - 1);
      expect(drawInt(stream, index, below)).toBe(drawn);
    }),
    { numRuns: 2_000 },
  );
});
