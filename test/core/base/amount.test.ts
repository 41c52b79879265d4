import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, add, subtract, toAmount } from "../../../src/core/base/amount.ts";

const amount = fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(toAmount);

describe("amounts", () => {
  test("a sum is exact or refused, never wrapped or clamped", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(add(a, b)).toBe(a + b > AMOUNT_MAX ? undefined : a + b);
        expect(subtract(a, b)).toBe(a < b ? undefined : a - b);
      }),
    );
    expect(add(AMOUNT_MAX, toAmount(0n))).toBe(AMOUNT_MAX);
    expect(add(AMOUNT_MAX, toAmount(1n))).toBeUndefined();
  });

  test("nothing outside 256 bits is an amount", () => {
    expect(() => toAmount(-1n)).toThrow(RangeError);
    expect(() => toAmount(AMOUNT_MAX + 1n)).toThrow(RangeError);
  });
});
