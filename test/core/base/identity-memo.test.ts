import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IdentityMemo } from "../../../src/core/base/identity-memo.ts";

describe("a memo by identity", () => {
  test("returns the same with and without the cache", () => {
    const records = Array.from({ length: 12 }, (_, number) => ({ number }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat(11), { maxLength: 200 }), (half, asked) => {
        const memo = new IdentityMemo<object, number>(half);
        for (const at of asked) {
          const record = records[at] as { number: number };
          expect(memo.getOrCompute(record, () => record.number + 1)).toBe(record.number + 1);
        }
      }),
    );
  });

  test("keeps what is asked for again, and forgets what is not", () => {
    const memo = new IdentityMemo<object, string>(2);
    const [kept, lost] = [{}, {}];
    memo.set(lost, "lost");
    for (let other = 0; other < 8; other++) {
      expect(memo.getOrCompute(kept, () => "kept")).toBe("kept");
      memo.set({}, "other");
    }
    expect(memo.get(kept)).toBe("kept");
    expect(memo.get(lost)).toBeUndefined();
  });

  test("tells equal records apart", () => {
    const memo = new IdentityMemo<object, number>();
    memo.set({ same: true }, 1);
    expect(memo.get({ same: true })).toBeUndefined();
  });
});
