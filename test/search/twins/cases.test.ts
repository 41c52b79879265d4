import { expect, test } from "vitest";
import {
  countTwinCases,
  INSTANCES_MAX,
  type InstancePermutation,
  instancePermutations,
  ROUNDS_MAX,
  type TwinCase,
  type TwinSizes,
  twinCases,
} from "../../../src/search/twins/cases.ts";

const SMALL: readonly (readonly [n: number, twins: number, rounds: number])[] = [
  [1, 0, 2],
  [2, 0, 2],
  [2, 1, 2],
  [2, 2, 1],
  [3, 1, 1],
  [3, 0, 2],
  [4, 1, 1],
  [3, 2, 1],
];

/** Returns all cases, including those equal up to renaming. */
function allCases({ n, twins, rounds }: TwinSizes): readonly TwinCase[] {
  const instances = Array.from({ length: n + twins }, (_, at) => at);
  let sides: readonly (readonly number[])[] = [[]];
  for (const instance of instances) sides = sides.flatMap((side) => [side, [...side, instance]]);
  const round = sides.flatMap((side) => side.map((proposer) => ({ proposer, side })));
  let words: readonly TwinCase[] = [[]];
  for (let at = 0; at < rounds; at++) words = words.flatMap((word) => round.map((one) => [...word, one]));
  return words;
}

function textOf(twinCase: TwinCase): string {
  return twinCase.map(({ proposer, side }) => `${proposer} of ${side.join(",")}`).join("; ");
}

function renamed(twinCase: TwinCase, renaming: InstancePermutation): TwinCase {
  const to = (instance: number): number => renaming[instance] as number;
  return twinCase.map(({ proposer, side }) => ({ proposer: to(proposer), side: side.map(to).sort((a, b) => a - b) }));
}

/** Returns the first name of a case in text order. */
function firstName(twinCase: TwinCase, all: readonly InstancePermutation[]): string {
  return all.map((renaming) => textOf(renamed(twinCase, renaming))).sort()[0] as string;
}

test.each(SMALL)(
  "for n = %i with %i twins, %i rounds: each case once up to renaming, and none left out",
  (...sizes) => {
    const [n, twins, rounds] = sizes;
    const all = instancePermutations({ n, twins, rounds });
    const brute = new Set(allCases({ n, twins, rounds }).map((one) => firstName(one, all)));
    const found = [...twinCases({ n, twins, rounds })].map((one) => firstName(one, all));
    expect(new Set(found)).toEqual(brute);
    expect(found).toHaveLength(brute.size);
    expect(countTwinCases({ n, twins, rounds })).toBe(BigInt(brute.size));
  },
);

test.each([
  [1, 17n],
  [2, 740n],
  [3, 47_376n],
])("four validators with one pair of twins, in %i rounds, make %i cases", (rounds, count) => {
  expect(countTwinCases({ n: 4, twins: 1, rounds })).toBe(count);
});

test("renamings are a group of their size", () => {
  for (const [n, twins, size] of [
    [4, 1, 12],
    [4, 2, 16],
    [5, 0, 120],
  ] as const) {
    const texts = instancePermutations({ n, twins, rounds: 1 }).map((permutation) => permutation.join(" "));
    expect([n, twins, new Set(texts).size]).toEqual([n, twins, size]);
    expect(texts[0]).toBe(Array.from({ length: n + twins }, (_, at) => at).join(" "));
  }
});

test("sizes beyond the limits are rejected", () => {
  const count = (n: number, twins: number, rounds: number): bigint => countTwinCases({ n, twins, rounds });
  expect(count(INSTANCES_MAX - 1, 1, 1)).toBeGreaterThan(0n);
  expect(() => count(INSTANCES_MAX, 1, 1)).toThrow("twins: expected twins from 0 to 0, got 1");
  expect(() => count(INSTANCES_MAX + 1, 0, 1)).toThrow("twins: expected n from 1 to 9, got 10");
  expect(count(2, 0, ROUNDS_MAX)).toBeGreaterThan(0n);
  expect(() => count(2, 0, ROUNDS_MAX + 1)).toThrow("twins: expected rounds from 0 to 6, got 7");
  expect(() => count(2, 3, 1)).toThrow("twins: expected twins from 0 to 2, got 3");
});
