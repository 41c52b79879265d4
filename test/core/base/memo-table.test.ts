import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoTable } from "../../../src/core/base/memo-table.ts";

describe("a memo", () => {
  test("returns the same with and without the cache, and never exceeds its limit", () => {
    const key = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(key, { maxLength: 200 }), (limit, asked) => {
        const memo = new MemoTable<number | undefined>(limit);
        for (const number of asked) {
          const value = number % 3 === 0 ? undefined : number * 2;
          expect(memo.getOrCompute(`key ${number}`, () => value)).toBe(value);
          expect(memo.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  test("computes nothing twice in a row, an `undefined` neither", () => {
    const memo = new MemoTable<undefined>(2);
    let computed = 0;
    for (let again = 0; again < 3; again++) {
      memo.getOrCompute("key", () => {
        computed++;
        return undefined;
      });
    }
    expect(computed).toBe(1);
  });

  test("needs room for two generations", () => expect(() => new MemoTable(1)).toThrow(RangeError));
});
