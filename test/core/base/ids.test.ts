/** Ids, amounts, lists, assertions, refusals and slots. */

import fc, { array, assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, add, subtract, toAmount } from "../../../src/core/base/amount.ts";
import { append } from "../../../src/core/base/append.ts";
import { AssertionError, unreachable } from "../../../src/core/base/assert.ts";
import {
  isSignature,
  type Nonce,
  nextCount,
  toAddress,
  toCount,
  toHash,
  toSignature,
} from "../../../src/core/base/ids.ts";
import { REFUSAL_CODES, REFUSALS } from "../../../src/core/base/refusal.ts";
import { parseSlotKey, type Slot, slotKey } from "../../../src/core/base/slot.ts";

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

test("adds one item at the end and leaves the list as it is", () => {
  assert(
    property(array(integer(), { maxLength: 6 }), integer(), (list, item) => {
      const before = [...list];
      expect(append(list, item)).toEqual([...before, item]);
      expect(list).toEqual(before);
    }),
  );
});

test("adds a list as one item", () => {
  const lists: readonly (readonly number[])[] = [[1], [2], [3], [4]];
  expect(append<readonly number[]>(lists, [5, 6])).toEqual([[1], [2], [3], [4], [5, 6]]);
});

test("`unreachable` reports any value, amounts included", () => {
  const anything = fc.anything({ withBigInt: true, maxDepth: 2 });
  fc.assert(
    fc.property(anything, (value) => {
      expect(() => unreachable(value as never)).toThrow(AssertionError);
    }),
  );
  expect(() => unreachable({ kind: "payment", value: 5n } as never)).toThrow('{"kind":"payment","value":"5n"}');
});

describe("the table of refusals", () => {
  // holds: 123
  test.each(REFUSAL_CODES)("%s has the status that its prefix promises", (code) => {
    const byPrefix = { validation: 400, resource: 404, business: 422, system: 429 } as const;
    expect(REFUSALS[code].status).toBe(byPrefix[code.split("_")[0] as keyof typeof byPrefix]);
  });

  test("names a different rule for every code", () => {
    expect(new Set(REFUSAL_CODES.map((code) => REFUSALS[code].rule)).size).toBe(REFUSAL_CODES.length);
  });
});

const ADDRESS = toAddress(`0x${"ab".repeat(20)}`);

describe("slot keys", () => {
  test.each<Slot>([
    { kind: "account", address: ADDRESS, sequence: 7 as never },
    { kind: "token", token: ADDRESS, version: 0 as never },
    { kind: "checkpoint", number: 12 as never },
    { kind: "epoch", epoch: 3 as never },
  ])("say which slot they are of: $kind", (slot) => expect(parseSlotKey(slotKey(slot))).toEqual(slot));

  test.each([
    "",
    "account",
    `account/${ADDRESS}/7`,
    `account/${ADDRESS}`,
    `epoch/${ADDRESS}/0000000000000007`,
    `token/${ADDRESS.slice(0, -1)}/0000000000000007`,
    "checkpoint/0000000000000007/",
    "checkpoint/-000000000000007",
  ])("are nothing else: %j", (key) => expect(() => parseSlotKey(key)).toThrow(RangeError));
});
