import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoTable } from "../../../src/core/base/memo-table.ts";

describe("a memo", () => {
  const records = Array.from({ length: 30 }, (_, number) => ({ number }));
  test.each([
    ["texts", ({ number }: { number: number }) => `key ${number}`],
    ["objects", (record: object) => record],
  ] as const)("of %s returns the same with and without the cache, and never exceeds its limit", (_, keyOf) => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(fc.nat(29), { maxLength: 200 }), (limit, asked) => {
        const memo = new MemoTable<object | string, number>(limit);
        for (const at of asked) {
          const record = records[at] as { number: number };
          expect(memo.getOrCompute(keyOf(record), () => record.number * 2)).toBe(record.number * 2);
          expect(memo.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  test("keeps what is asked for again, and forgets what is not", () => {
    const memo = new MemoTable<object, string>(4);
    const [kept, lost] = [{}, {}];
    memo.set(lost, "lost");
    for (let other = 0; other < 8; other++) {
      expect(memo.getOrCompute(kept, () => (other === 0 ? "kept" : "computed again"))).toBe("kept");
      memo.set({}, "other");
    }
    expect(memo.get(lost)).toBeUndefined();
  });

  test("tells equal records apart", () => {
    const memo = new MemoTable<object, number>();
    memo.set({ same: true }, 1);
    expect(memo.get({ same: true })).toBeUndefined();
  });

  test("needs room for two generations", () => expect(() => new MemoTable(1)).toThrow(RangeError));
});
