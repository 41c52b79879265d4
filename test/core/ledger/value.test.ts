import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHash } from "../../../src/core/base/ids.ts";
import type { Value } from "../../../src/core/base/slot.ts";
import { decodeValue, encodeValue, slotKindOf, valueHash } from "../../../src/core/ledger/value.ts";
import { anyAddress } from "./support/operations.ts";

const id = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => toHash(`0x${Buffer.from(bytes).toString("hex")}`));
const anyValue: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ type: fc.constant("operation" as const), id }),
  fc.record({ type: fc.constant("burn" as const), id, outcome: fc.constantFrom("burned" as const, "failed" as const) }),
  fc.record({
    type: fc.constant("skip" as const),
    by: fc.constantFrom("cancellation" as const, "recovery" as const),
    id,
    feeToken: anyAddress,
    feeStep: fc.constantFrom("full" as const, "payment" as const, "zero" as const),
  }),
  fc.record({
    type: fc.constant("skip" as const),
    by: fc.constantFrom("cancellation" as const, "recovery" as const),
    id,
    feeToken: fc.constant(undefined),
    feeStep: fc.constant("zero" as const),
  }),
  fc.record({ type: fc.constant("list" as const), ids: fc.array(id, { maxLength: 5 }) }),
);

describe("a value", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(decodeValue(encodeValue(value))).toEqual(value);
      }),
    );
  });

  test("has a hash of its own", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const isSame = Buffer.from(encodeValue(a)).equals(Buffer.from(encodeValue(b)));
        expect(valueHash(a) === valueHash(b)).toBe(isSame);
      }),
    );
  });

  test("pays nothing in no token in one way only", () => {
    const skip = { type: "skip", by: "recovery", id: toHash(`0x${"1".repeat(64)}`), feeToken: undefined } as const;
    expect(decodeValue(encodeValue({ ...skip, feeStep: "zero" }))).toEqual({ ...skip, feeStep: "zero" });
    expect(() => decodeValue(encodeValue({ ...skip, feeStep: "full" }))).toThrow("fee step");
  });

  test("belongs in a token's slot if it is a list, else in an account's", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(slotKindOf(value)).toBe(value.type === "list" ? "token" : "account");
      }),
    );
  });
});
