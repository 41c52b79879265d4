/** Goal: guard trees are equivalent to their guards, and joining guards is sound. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { allOf, anyOf, isMet, manyOf, type Need, treeOf } from "../../src/explore/need.ts";

const saying = fc.nat(99);
const need: fc.Arbitrary<Need> = fc.array(
  fc.uniqueArray(saying, { maxLength: 4 }).map((one) => one.sort((a, b) => a - b)),
  { maxLength: 4 },
);
const signed = fc.uniqueArray(saying, { maxLength: 60 });

function holds(one: Need, said: readonly number[]): boolean {
  return one.some((alternative) => alternative.every((number) => said.includes(number)));
}

function wordsOf(said: readonly number[]): Int32Array {
  const words = new Int32Array(4);
  for (const number of said) words[number >>> 5] = (words[number >>> 5] as number) | (1 << (number & 31));
  return words;
}

it("trees are satisfied by the same sets as their guards", () => {
  fc.assert(
    fc.property(need, signed, (one, said) => {
      expect(isMet(treeOf(one), wordsOf(said))).toBe(holds(one, said));
    }),
  );
});

it("any, all and at least", () => {
  fc.assert(
    fc.property(need, need, signed, fc.nat(4), (one, other, said, count) => {
      expect(holds(anyOf([one, other]), said)).toBe(holds(one, said) || holds(other, said));
      expect(holds(allOf([one, other]), said)).toBe(holds(one, said) && holds(other, said));
      const some = [1, 2, 3, 40];
      expect(holds(manyOf(some, count), said)).toBe(some.filter((number) => said.includes(number)).length >= count);
    }),
  );
});
