import fc from "fast-check";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { describe, expect, test } from "vitest";
import { bool, decode, encode, fromHex, hex, type Item, text, toHex, uint } from "../../../src/core/base/encoding.ts";

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

  test("reads back what it wrote", () => {
    fc.assert(
      fc.property(item, (value) => {
        expect(decode(encode(value))).toEqual(value);
      }),
    );
  });

  test("accepts only the one encoding of an item", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (input) => {
        let read: Item;
        try {
          read = decode(input);
        } catch {
          return;
        }
        expect(encode(read)).toEqual(input);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["no bytes", "0x"],
    ["a trailing byte", "0x8000"],
    ["a short byte with a prefix", "0x8101"],
    ["a short string with a long length", `0xb801${"ff"}`],
    ["a cut list", "0xc380"],
    ["a cut string", "0x83ffff"],
  ])("refuses %s", (_, input) => {
    expect(() => decode(fromHex(input))).toThrow();
  });

  test("encodes integers as in wire 3.1", () => {
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

  test("never takes a text for hex", () => {
    expect(toHex(encode(text("0x12")))).toBe("0x8430783132");
    expect(toHex(encode(hex("0x12")))).toBe("0x12");
  });

  test.each([-1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN])("refuses the integer %s", (value) => {
    expect(() => uint(value)).toThrow(RangeError);
  });
});
