import { addr } from "micro-eth-signer";
import { describe, expect, test } from "vitest";
import { type Hash, toSignature } from "../../../src/core/base/ids.ts";
import { keccak } from "../../../src/core/crypto/hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY = `0x${"07".repeat(32)}` as PrivateKey;
const DIGEST = keccak(new Uint8Array([1, 2, 3]));
const SIGNATURE = secp256k1.sign(KEY, DIGEST);
const R = BigInt(SIGNATURE.slice(0, 66));
const S = BigInt(`0x${SIGNATURE.slice(66, 130)}`);
const V = Number(SIGNATURE.slice(-1));

function recovered(r: bigint, s: bigint, v: number, digest: Hash = DIGEST): string | undefined {
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  return secp256k1.recover(digest, toSignature(`0x${word(r)}${word(s)}${v.toString(16).padStart(2, "0")}`));
}

describe("secp256k1", () => {
  // holds: 22, 40
  test("recovers the signer's address, which is the one that Ethereum uses", () => {
    expect(recovered(R, S, V)).toBe(secp256k1.addressOf(KEY));
    expect(secp256k1.addressOf(KEY)).toBe(addr.fromPrivateKey(KEY.slice(2)).toLowerCase());
  });

  test("signs the same bytes again", () => expect(secp256k1.sign(KEY, DIGEST)).toBe(SIGNATURE));

  test("signs with low s", () => {
    for (let at = 0; at < 8; at++) {
      const signature = secp256k1.sign(KEY, keccak(new Uint8Array([at])));
      expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(ORDER / 2n);
    }
  });

  test("refuses the high twin of a signature", () => expect(recovered(R, ORDER - S, 1 - V)).toBeUndefined());

  test("the other parity is another signer's", () => {
    expect(recovered(R, S, 1 - V)).not.toBe(secp256k1.addressOf(KEY));
  });

  test.each([2, 3, 27, 28, 255])("refuses parity %i", (parity) => expect(recovered(R, S, parity)).toBeUndefined());

  test.each([
    ["r = 0", 0n, S],
    ["r = order", ORDER, S],
    ["r past the order", ORDER + 1n, S],
    ["s = 0", R, 0n],
    ["r on no point", 5n, S],
  ])("refuses %s", (_, r, s) => expect(recovered(r, s, 0)).toBeUndefined());

  test.each([2, 3])("refuses parity %i also where r has wrapped around the order, and some key would fit", (parity) => {
    const small = Array.from({ length: 20 }, (_, at) => recovered(BigInt(at + 1), S, parity));
    expect(small).toEqual(small.map(() => undefined));
  });

  test("another digest gives another signer", () => {
    expect(recovered(R, S, V, keccak(new Uint8Array([9])))).not.toBe(secp256k1.addressOf(KEY));
  });
});
