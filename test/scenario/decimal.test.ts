import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText, parseDecimal } from "../../src/scenario/decimal.ts";

describe("decimal text in a token's units", () => {
  it("becomes the shortest text of the same amount after a round trip", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.nat(18), (amount, decimals) => {
        expect(parseDecimal(decimalText(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });

  it("reads every digit and no more", () => {
    expect(parseDecimal("10.5", 6)).toBe(10_500_000n);
    expect(parseDecimal("0.000001", 6)).toBe(1n);
    expect(parseDecimal("7", 0)).toBe(7n);
    expect(parseDecimal("0.0000001", 6)).toMatch(/at most 6 digits/);
    expect(parseDecimal("0.1", 0)).toMatch(/at most 0 digits/);
  });

  it("accepts the largest amount and rejects a larger one", () => {
    const largest = (1n << 256n) - 1n;
    expect(parseDecimal(String(largest), 0)).toBe(largest);
    expect(parseDecimal(String(largest + 1n), 0)).toMatch(/2\^256/);
  });

  it("has no trailing zeros", () => {
    expect(decimalText(1_500_000n, 6)).toBe("1.5");
    expect(decimalText(0n, 18)).toBe("0");
    expect(decimalText(1n, 18)).toBe("0.000000000000000001");
  });
});
