/**
 * Refusals common to every signature scheme: the stand-in must not hide what the real one would show (protocol 3.0).
 */
import { addr } from "micro-eth-signer";
import { describe, expect, test } from "vitest";
import type { Signature } from "../../../src/core/base/ids.ts";
import { keccak } from "../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY = `0x${"ab".repeat(32)}` as PrivateKey;
const OTHER_KEY = `0x${"cd".repeat(32)}` as PrivateKey;
const DIGEST = keccak(new Uint8Array([1, 2, 3]));
const OTHER_DIGEST = keccak(new Uint8Array([4]));

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function r(signature: string): string {
  return signature.slice(2, 66);
}

function s(signature: string): string {
  return signature.slice(66, 130);
}

function v(signature: string): string {
  return signature.slice(130);
}

test.each([keyedHash, secp256k1])(
  "$name makes a second signature that recovers to the same signer, and to no other digest",
  (scheme) => {
    const [first, second] = [scheme.sign(KEY, DIGEST), scheme.signAgain(KEY, DIGEST)];
    expect(second).not.toBe(first);
    expect(scheme.signAgain(KEY, DIGEST)).toBe(second);
    expect([first, second].map((one) => scheme.recover(DIGEST, one))).toEqual(Array(2).fill(scheme.addressOf(KEY)));
    expect(scheme.recover(OTHER_DIGEST, second)).not.toBe(scheme.addressOf(KEY));
    expect(BigInt(`0x${s(second)}`)).toBeLessThanOrEqual(ORDER / 2n);
  },
);

/** Raises the first hex letter from `at` on to upper case. */
function raised(signature: string, at: number): string {
  return signature.slice(0, at) + signature.slice(at).replace(/[a-f]/, (digit) => digit.toUpperCase());
}

/** Each turns a valid signature into text from which no scheme may recover a signer. */
const REFUSED: readonly (readonly [what: string, of: (good: string) => string])[] = [
  ["all in upper case", (good) => `0x${good.slice(2).toUpperCase()}`],
  ["an upper-case prefix", (good) => `0X${good.slice(2)}`],
  ["one letter of r in upper case", (good) => raised(good, 26)],
  ["one letter of s in upper case", (good) => raised(good, 98)],
  ["the high twin", (good) => `0x${r(good)}${word(ORDER - BigInt(`0x${s(good)}`))}${v(good) === "00" ? "01" : "00"}`],
  ["r = 0", (good) => `0x${word(0n)}${s(good)}${v(good)}`],
  ["r past the order", (good) => `0x${word(ORDER + 1n)}${s(good)}${v(good)}`],
  ["s = 0", (good) => `0x${r(good)}${word(0n)}${v(good)}`],
  ["s = the order", (good) => `0x${r(good)}${word(ORDER)}${v(good)}`],
  ["parity 2", (good) => `0x${r(good)}${s(good)}02`],
  ["parity 3", (good) => `0x${r(good)}${s(good)}03`],
  ["parity 27", (good) => `0x${r(good)}${s(good)}1b`],
  ["no prefix", (good) => good.slice(2)],
  ["a digit too few", (good) => good.slice(0, -1)],
  ["a byte too few", (good) => good.slice(0, -2)],
  ["a byte too many", (good) => `${good}00`],
  ["a new line at its end", (good) => `${good}\n`],
  ["a space in its middle", (good) => `${good.slice(0, 66)} ${good.slice(67)}`],
  ["no hex", (good) => `${good.slice(0, 40)}g${good.slice(41)}`],
  ["nothing", () => ""],
  ["the prefix alone", () => "0x"],
];

/** Each is a valid signature of another key or over another digest: never this signer's. */
const NOT_THIS_SIGNERS: readonly (readonly [what: string, of: (sign: typeof keyedHash.sign) => string])[] = [
  ["another key's", (sign) => sign(OTHER_KEY, DIGEST)],
  ["over another digest", (sign) => sign(KEY, OTHER_DIGEST)],
  ["of the other parity", (sign) => sign(KEY, DIGEST).replace(/0([01])$/, (_, bit) => `0${1 - Number(bit)}`)],
];

describe.each([secp256k1, keyedHash])("$name", ({ sign, recover, addressOf }) => {
  const good = sign(KEY, DIGEST);

  test("recovers the signer of a good signature", () => expect(recover(DIGEST, good)).toBe(addressOf(KEY)));

  test.each(REFUSED)("refuses %s", (_what, of) => {
    expect(of(good)).not.toBe(good);
    expect(recover(DIGEST, of(good) as Signature)).toBeUndefined();
  });

  test.each(NOT_THIS_SIGNERS)("does not take %s for the signer's", (_what, of) => {
    expect(recover(DIGEST, of(sign) as Signature)).not.toBe(addressOf(KEY));
  });
});

describe("secp256k1", () => {
  // holds: 22, 40
  test("has the addresses of Ethereum", () => {
    expect(secp256k1.addressOf(KEY)).toBe(addr.fromPrivateKey(KEY.slice(2)).toLowerCase());
  });

  test("signs with low s", () => {
    for (let at = 0; at < 8; at++) {
      const signature = secp256k1.sign(KEY, keccak(new Uint8Array([at])));
      expect(BigInt(`0x${s(signature)}`)).toBeLessThanOrEqual(ORDER / 2n);
    }
  });

  test("refuses r on no point, and parities of an r that has wrapped around the order, though some key would fit", () => {
    const good = secp256k1.sign(KEY, DIGEST);
    const recovered = (of: bigint, parity: string): string | undefined =>
      secp256k1.recover(DIGEST, `0x${word(of)}${s(good)}${parity}` as Signature);
    expect(recovered(5n, "00")).toBeUndefined();
    for (const parity of ["02", "03"])
      for (let small = 1n; small <= 20n; small++) expect(recovered(small, parity)).toBeUndefined();
  });
});
