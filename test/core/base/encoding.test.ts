import fc from "fast-check";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { describe, expect, test } from "vitest";
import { bool, encode, fromHex, hex, type Item, text, toHex, uint } from "../../../src/core/base/encoding.ts";

const bytes = fc.uint8Array({ maxLength: 70 });
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie("item"), { maxLength: 5 })),
}));

describe("the encoding", () => {
  test("agrees with an independent RLP encoder and decoder", () => {
    fc.assert(
      fc.property(item, (value) => {
        const encoded = encode(value);
        expect(encoded).toEqual(RLP.encode(value as Parameters<typeof RLP.encode>[0]));
        expect(RLP.decode(encoded)).toEqual(value);
      }),
    );
  });

  test("writes integers as wire 3.1 says", () => {
    expect([0n, 1n, 127n, 128n, 256n].map((value) => toHex(encode(uint(value))))).toEqual([
      "0x80",
      "0x01",
      "0x7f",
      "0x8180",
      "0x820100",
    ]);
    expect(encode(uint(1_212_101))).toEqual(encode(uint(1_212_101n)));
    expect([encode(bool(true)), encode(bool(false))].map(toHex)).toEqual(["0x01", "0x80"]);
  });

  test("writes and reads hex digits of any length, a hash like other bytes", () => {
    const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(bytes, hashes), (value) => {
        const written = toHex(value);
        expect(written).toBe(`0x${Buffer.from(value).toString("hex")}`);
        expect(fromHex(written)).toEqual(value);
      }),
    );
  });

  test("never takes a text for hex", () => {
    expect(toHex(encode(text("0x12")))).toBe("0x8430783132");
    expect(toHex(encode(hex("0x12")))).toBe("0x12");
  });

  test.each([-1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN])("refuses the integer %s", (value) => {
    expect(() => uint(value)).toThrow(RangeError);
  });
});
