import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isSignature,
  type Nonce,
  nextCount,
  toAddress,
  toCount,
  toHash,
  toSignature,
} from "../../../src/core/base/ids.ts";

const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-fA-F]{${digits}}$`));

describe.each([
  // holds: 22
  ["an address", 40, toAddress],
  // holds: 24
  ["a hash", 64, toHash],
  ["a signature", 130, toSignature],
])("%s", (_, digits, read) => {
  test("has one text for both cases of its digits", () => {
    fc.assert(
      fc.property(hex(digits), (text) => {
        expect(read(`0x${text}`)).toBe(`0x${text.toLowerCase()}`);
      }),
    );
  });

  test("is nothing shorter, longer, bare, or with something else than digits in it", () => {
    const whole = `0x${"a".repeat(digits)}`;
    for (const text of [
      "",
      "0x",
      whole.slice(2),
      whole.slice(0, -1),
      `${whole}0`,
      ` ${whole}`,
      whole.replace("a", "g"),
    ])
      expect(() => read(text), text).toThrow(RangeError);
  });
});

test("a signature in capitals is not written as one", () => {
  expect(isSignature(`0x${"a".repeat(130)}`)).toBe(true);
  expect(isSignature(`0x${"A".repeat(130)}`)).toBe(false);
});

describe("counts", () => {
  test("are whole, from 0 to 2^53 - 1", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(toCount<Nonce>(value)).toBe(value);
      }),
    );
    for (const value of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => toCount<Nonce>(value), String(value)).toThrow(RangeError);
  });

  test("go up by one and never wrap", () => {
    expect(nextCount(7 as Nonce)).toBe(8);
    expect(() => nextCount(Number.MAX_SAFE_INTEGER as Nonce)).toThrow(RangeError);
  });
});
