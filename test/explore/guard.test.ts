/** Goal: guard trees are equivalent to their guards, and joining guards is sound. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { all, any, atLeast, type Guard, guardTree, isSatisfied } from "../../src/explore/guard.ts";

const statement = fc.nat(99);
const guard: fc.Arbitrary<Guard> = fc.array(
  fc.uniqueArray(statement, { maxLength: 4 }).map((one) => one.sort((a, b) => a - b)),
  { maxLength: 4 },
);
const signed = fc.uniqueArray(statement, { maxLength: 60 });

function holds(one: Guard, said: readonly number[]): boolean {
  return one.some((alternative) => alternative.every((number) => said.includes(number)));
}

function wordsOf(said: readonly number[]): Int32Array {
  const words = new Int32Array(4);
  for (const number of said) words[number >>> 5] = (words[number >>> 5] as number) | (1 << (number & 31));
  return words;
}

it("trees are satisfied by the same sets as their guards", () => {
  fc.assert(
    fc.property(guard, signed, (one, said) => {
      expect(isSatisfied(guardTree(one), wordsOf(said))).toBe(holds(one, said));
    }),
  );
});

it("any, all and at least", () => {
  fc.assert(
    fc.property(guard, guard, signed, fc.nat(4), (one, other, said, count) => {
      expect(holds(any([one, other]), said)).toBe(holds(one, said) || holds(other, said));
      expect(holds(all([one, other]), said)).toBe(holds(one, said) && holds(other, said));
      const some = [1, 2, 3, 40];
      expect(holds(atLeast(some, count), said)).toBe(some.filter((number) => said.includes(number)).length >= count);
    }),
  );
});
