/** Signatures that are computed when they are read (decision 043). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hash, Signature } from "../../../src/core/base/ids.ts";
import { DeferredSignatures } from "../../../src/core/crypto/deferred-signatures.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";

const word = fc.integer({ min: 1, max: 6 }).map((number) => `0x${String(number).padStart(64, "0")}`);
const keys = word.map((text) => text as PrivateKey);
const digests = word.map((text) => text as Hash);
const [KEY, DIGEST] = [`0x${"1".padStart(64, "0")}` as PrivateKey, `0x${"2".padStart(64, "0")}` as Hash];

describe("a mark", () => {
  test("recovers to its signer over its digest only, and stands for the one signature of both", () => {
    fc.assert(
      fc.property(keys, digests, digests, (key, digest, other) => {
        const signatures = new DeferredSignatures(secp256k1);
        const mark = signatures.markingScheme.sign(key, digest);
        const signer = secp256k1.addressOf(key);
        expect(signatures.fullScheme.recover(digest, mark)).toBe(signer);
        expect(signatures.fullScheme.recover(other, mark)).toBe(other === digest ? signer : undefined);
        expect(signatures.reveal(digest, mark)).toBe(secp256k1.sign(key, digest));
      }),
      { numRuns: 30 },
    );
  });

  test("counts where a signer has its key, whether it has signed there or not, and nowhere else", () => {
    const mark = new DeferredSignatures(secp256k1).markingScheme.sign(KEY, DIGEST);
    expect(secp256k1.recover(DIGEST, mark)).toBeUndefined();
    const another = new DeferredSignatures(secp256k1);
    expect(another.fullScheme.recover(DIGEST, mark)).toBeUndefined();
    const signer = another.markingScheme.addressOf(KEY);
    expect(another.fullScheme.recover(DIGEST, mark)).toBe(signer);
    expect(another.reveal(DIGEST, mark)).toBe(secp256k1.sign(KEY, DIGEST));
  });

  test("is refused once a digit of it changes", () => {
    const signatures = new DeferredSignatures(secp256k1);
    const mark = signatures.markingScheme.sign(KEY, DIGEST);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: mark.length - 3 }), (at) => {
        const digit = mark[at] === "0" ? "1" : "0";
        const changed = `${mark.slice(0, at)}${digit}${mark.slice(at + 1)}` as Signature;
        expect(signatures.fullScheme.recover(DIGEST, changed)).toBeUndefined();
      }),
    );
  });

  test("cannot be revealed over another digest", () => {
    const signatures = new DeferredSignatures(secp256k1);
    const mark = signatures.markingScheme.sign(KEY, DIGEST);
    expect(() => signatures.reveal(`0x${"3".padStart(64, "0")}` as Hash, mark)).toThrow("a mark of another digest");
  });
});

test("signatures themselves are made, recovered and revealed as without marks", () => {
  fc.assert(
    fc.property(keys, digests, digests, (key, digest, other) => {
      const signatures = new DeferredSignatures(keyedHash);
      const signature = signatures.fullScheme.sign(key, digest);
      expect(signature).toBe(keyedHash.sign(key, digest));
      expect(signatures.fullScheme.recover(other, signature)).toBe(keyedHash.recover(other, signature));
      expect(signatures.reveal(other, signature)).toBe(signature);
    }),
  );
});
