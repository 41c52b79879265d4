/** Goal: guards hold for the sets that they name, and joining guards is sound. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { atLeast, conjunction, disjunction, type Guard, isSatisfied } from "../../../src/explore/model/guard.ts";

const statement = fc.nat(99);
const guard: fc.Arbitrary<Guard> = fc.array(
  fc.uniqueArray(statement, { maxLength: 4 }).map((one) => one.sort((a, b) => a - b)),
  { maxLength: 4 },
);
const signed = fc.uniqueArray(statement, { maxLength: 60 });

function holds(one: Guard, statements: readonly number[]): boolean {
  return one.some((alternative) => alternative.every((number) => statements.includes(number)));
}

function wordsOf(statements: readonly number[]): Int32Array {
  const words = new Int32Array(4);
  for (const number of statements) words[number >>> 5] = (words[number >>> 5] as number) | (1 << (number & 31));
  return words;
}

it("a guard is satisfied by the sets that hold one of its alternatives", () => {
  fc.assert(
    fc.property(guard, signed, (one, statements) => {
      expect(isSatisfied(one, wordsOf(statements))).toBe(holds(one, statements));
    }),
  );
});

it("any, all and at least", () => {
  fc.assert(
    fc.property(guard, guard, signed, fc.nat(4), (one, other, statements, count) => {
      expect(holds(disjunction([one, other]), statements)).toBe(holds(one, statements) || holds(other, statements));
      expect(holds(conjunction([one, other]), statements)).toBe(holds(one, statements) && holds(other, statements));
      const some = [1, 2, 3, 40];
      expect(holds(atLeast(some, count), statements)).toBe(
        some.filter((number) => statements.includes(number)).length >= count,
      );
    }),
  );
});
