import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hash, Signature } from "../../../src/core/base/ids.ts";
import { CachingScheme } from "../../../src/core/crypto/caching-scheme.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey, Scheme } from "../../../src/core/crypto/scheme.ts";

const word = fc.nat(5).map((number) => `0x${String(number).padStart(64, "0")}`);
const keys = word.map((text) => text as PrivateKey);
const digests = word.map((text) => text as Hash);

/** Counts the calls of the underlying scheme. */
function counting(): Scheme & { count: number } {
  const scheme = {
    ...keyedHash,
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
  test("returns what the underlying scheme returns, with any cache size", () => {
    const call = fc.record({ key: keys, digest: digests, other: digests, limit: fc.integer({ min: 2, max: 6 }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40 }), fc.integer({ min: 2, max: 6 }), (calls, limit) => {
        const scheme = new CachingScheme(keyedHash, limit);
        for (const { key, digest, other } of calls) {
          const signature = scheme.sign(key, digest);
          expect(signature).toBe(keyedHash.sign(key, digest));
          expect(scheme.recover(digest, signature)).toBe(keyedHash.addressOf(key));
          expect(scheme.recover(other, signature)).toBe(keyedHash.recover(other, signature));
        }
      }),
    );
  });

  test("checks nothing that it signed and computes nothing twice", () => {
    const behind = counting();
    const scheme = new CachingScheme(behind);
    const key = `0x${"1".padStart(64, "0")}` as PrivateKey;
    const digest = `0x${"2".padStart(64, "0")}` as Hash;
    const signature = scheme.sign(key, digest);
    scheme.recover(digest, signature);
    scheme.sign(key, digest);
    expect(behind.count).toBe(1);
  });
});
