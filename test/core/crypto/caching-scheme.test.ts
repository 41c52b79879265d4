import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hash, Signature } from "../../../src/core/base/ids.ts";
import { CachingScheme } from "../../../src/core/crypto/caching-scheme.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { createVerifier, type PrivateKey, type Scheme } from "../../../src/core/crypto/scheme.ts";

const word = fc.nat(5).map((number) => `0x${String(number).padStart(64, "0")}`);
const keys = word.map((text) => text as PrivateKey);
const digests = word.map((text) => text as Hash);
const KEY = `0x${"1".padStart(64, "0")}` as PrivateKey;
const digest = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}` as Hash;
const BROKEN = `0x${"ff".repeat(65)}` as Signature;

/** Counts the calls of the underlying scheme. */
function counting(): Scheme & { count: number } {
  const scheme = {
    ...keyedHash,
    isQuick: false,
    count: 0,
    sign: (key: PrivateKey, digest: Hash) => {
      scheme.count += 1;
      return keyedHash.sign(key, digest);
    },
    recover: (digest: Hash, signature: Signature) => {
      scheme.count += 1;
      return keyedHash.recover(digest, signature);
    },
  };
  return scheme;
}

describe("a caching scheme", () => {
  test("returns what the underlying scheme returns", () => {
    const scheme = new CachingScheme(keyedHash);
    fc.assert(
      fc.property(keys, digests, digests, (key, digest, other) => {
        const signature = scheme.sign(key, digest);
        expect(signature).toBe(keyedHash.sign(key, digest));
        expect(scheme.recover(digest, signature)).toBe(keyedHash.addressOf(key));
        expect(scheme.recover(other, signature)).toBe(keyedHash.recover(other, signature));
      }),
    );
  });

  test("checks nothing that it signed and computes nothing twice", () => {
    const behind = counting();
    const scheme = new CachingScheme(behind);
    const signature = scheme.sign(KEY, digest(2));
    scheme.recover(digest(2), signature);
    scheme.sign(KEY, digest(2));
    expect(behind.count).toBe(1);
  });
});

describe("a verifier", () => {
  test("recovers once for the same bytes, a failure too", () => {
    const scheme = counting();
    const verifier = createVerifier(scheme);
    for (let again = 0; again < 3; again++) {
      expect(verifier.recover(digest(1), keyedHash.sign(KEY, digest(1)))).toBe(keyedHash.addressOf(KEY));
      expect(verifier.recover(digest(1), BROKEN)).toBeUndefined();
    }
    expect(scheme.count).toBe(2);
  });

  test("shares nothing with another verifier", () => {
    const scheme = counting();
    createVerifier(scheme).recover(digest(1), BROKEN);
    createVerifier(scheme).recover(digest(1), BROKEN);
    expect(scheme.count).toBe(2);
  });

  test("calls a fast scheme again, since that costs less than a cache lookup", () => {
    const scheme = counting();
    const verifier = createVerifier(Object.assign(scheme, { isQuick: true }));
    for (let again = 0; again < 3; again++) expect(verifier.recover(digest(1), BROKEN)).toBeUndefined();
    expect(scheme.count).toBe(3);
  });
});
