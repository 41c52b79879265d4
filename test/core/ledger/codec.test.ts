import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode, type Item } from "../../../src/core/base/encoding.ts";
import type { Recovery, Submission } from "../../../src/core/base/operation.ts";
import { decodeSigned, decodeSubmission, encodeSigned, encodeSubmission } from "../../../src/core/ledger/codec.ts";
import { address, anyAddress, anyNonce, anySigned, CHAIN, signed } from "./support/operations.ts";

const anyRecovery: fc.Arbitrary<Recovery> = fc.record({
  kind: fc.constant("recovery" as const),
  chainId: fc.constant(CHAIN),
  account: anyAddress,
  nonce: anyNonce,
  evidence: fc.record({ first: anySigned, second: anySigned }),
});
const anySubmission: fc.Arbitrary<Submission> = fc.oneof(anySigned, anyRecovery);

/** Returns an item with one change at a random position. */
function mutated(item: Item, pick: (limit: number) => number): Item {
  if (item instanceof Uint8Array) {
    const copy = Uint8Array.from([...item, 0]);
    return pick(2) === 0 || item.length === 0 ? copy : Uint8Array.from([0, ...item]);
  }
  if (item.length === 0 || pick(4) === 0) return pick(2) === 0 ? [...item, new Uint8Array(0)] : item.slice(1);
  const at = pick(item.length);
  return item.map((part, index) => (index === at ? mutated(part, pick) : part));
}

describe("the codec", () => {
  test("reads back every operation that it wrote, in every field", () => {
    fc.assert(
      fc.property(anySigned, (operation) => {
        expect(decodeSigned(encodeSigned(operation))).toEqual(operation);
      }),
    );
  });

  test("reads back every submission that it wrote", () => {
    fc.assert(
      fc.property(anySubmission, (submission) => {
        expect(decodeSubmission(encodeSubmission(submission))).toEqual(submission);
      }),
    );
  });

  test("gives different submissions different bytes", () => {
    const text = (submission: Submission) =>
      JSON.stringify(submission, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
    const ordered = (submission: Submission) => text(decodeSubmission(encodeSubmission(submission)));
    fc.assert(
      fc.property(anySubmission, anySubmission, (a, b) => {
        const isSame = Buffer.from(encodeSubmission(a)).equals(Buffer.from(encodeSubmission(b)));
        expect(isSame).toBe(ordered(a) === ordered(b));
      }),
    );
  });

  test("refuses bytes that are not the one encoding of their value", () => {
    fc.assert(
      fc.property(anySubmission, fc.gen(), (submission, gen) => {
        const pick = (limit: number) => gen(fc.nat, limit - 1);
        const bytes = encode(mutated(decode(encodeSubmission(submission)), pick));
        let read: Submission;
        try {
          read = decodeSubmission(bytes);
        } catch {
          return;
        }
        expect(encodeSubmission(read)).toEqual(bytes);
      }),
      { numRuns: 1_000 },
    );
  });

  test("refuses trailing bytes, and names the field in what it throws", () => {
    const bytes = encodeSigned(signed(address(1), 0, { kind: "cancellation" }));
    expect(() => decodeSigned(Uint8Array.from([...bytes, 0]))).toThrow();
    const [operation, , signature] = decode(bytes) as readonly Item[];
    const short = encode([operation as Item, new Uint8Array(19), signature as Item]);
    expect(() => decodeSigned(short)).toThrow("sender: expected 20 bytes, got 19");
  });
});
