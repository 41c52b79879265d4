/** Batches of signatures: each statement of one verifies with its path, and nothing else does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Hash, Signature } from "../../../src/core/base/ids.ts";
import {
  BATCH_LIMIT,
  type BatchedParts,
  bareSignature,
  batchCount,
  batchedParts,
  batchedSignature,
  batchRules,
  isPlain,
  PATH_MAX,
  type SealSignature,
} from "../../../src/core/crypto/batch.ts";
import { taggedHash } from "../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { createVerifier, type PrivateKey, type Scheme } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";

const KEY = `0x${"11".repeat(32)}` as PrivateKey;
const digestOf = (seed: number): Hash => taggedHash("test", new Uint8Array([seed >> 8, seed & 255]));
const digests = fc.uniqueArray(fc.nat(4_000), { minLength: 2, maxLength: 70 }).map((seeds) => seeds.map(digestOf));
/** A batch with a place in it, and a statement that it does not hold. */
const placed = digests.chain((all) =>
  fc.tuple(fc.constant(all), fc.nat(all.length - 1), fc.integer({ min: 5_000, max: 6_000 })),
);

function sealsOf(scheme: Scheme, all: readonly Hash[]): readonly SealSignature[] {
  const { root, paths } = batchRules.batchOf(all);
  const signature = scheme.sign(KEY, root);
  return paths.map((path) => batchedSignature(signature, path));
}

const signer = keyedHash.addressOf(KEY);
const recovered = (digest: Hash, seal: SealSignature): Address | undefined =>
  batchRules.recover(keyedHash, digest, seal);
const partsOf = (seal: SealSignature): BatchedParts => batchedParts(seal) as BatchedParts;
const at = <T>(all: readonly T[], index: number): T => all[index] as T;

describe("a batch", () => {
  test("proves each of its statements at its place, and no other statement there", () => {
    fc.assert(
      fc.property(placed, ([all, index, other]) => {
        const seals = sealsOf(keyedHash, all);
        const seal = at(seals, index);
        expect(recovered(at(all, index), seal)).toBe(signer);
        expect(recovered(digestOf(other), seal)).not.toBe(signer);
        for (const [place, digest] of all.entries())
          expect(batchRules.verifies(keyedHash, digest, seal, signer)).toBe(place === index);
      }),
    );
  });

  test("is bound in index, count, each hash of the path and their number", () => {
    fc.assert(
      fc.property(placed, fc.nat(80), fc.nat(80), fc.nat(), ([all, index], otherIndex, otherCount, which) => {
        const { signature, place } = partsOf(at(sealsOf(keyedHash, all), index));
        const holds = (changed: Partial<typeof place>): boolean =>
          recovered(at(all, index), batchedSignature(signature, { ...place, ...changed })) === signer;
        expect(holds({ index: otherIndex })).toBe(otherIndex === index);
        expect(holds({ count: otherCount })).toBe(otherCount === place.count);
        const { path } = place;
        const hit = which % path.length;
        expect(holds({ path: path.map((hash, step) => (step === hit ? digestOf(7_000) : hash)) })).toBe(false);
        expect(holds({ path: path.slice(1) })).toBe(false);
        expect(holds({ path: [...path, at(path, hit)] })).toBe(false);
        if (path.length > 1 && at(path, 0) !== at(path, 1)) expect(holds({ path: path.toReversed() })).toBe(false);
      }),
    );
  });

  test("has one form of each seal: no other text proves the statement", () => {
    fc.assert(
      fc.property(placed, fc.nat(), fc.constantFrom(..."0123456789abcdefABCDEFgx "), ([all, index], where, digit) => {
        const seal = at(sealsOf(keyedHash, all), index);
        const changed = `${seal.slice(0, where % seal.length)}${digit}${seal.slice((where % seal.length) + 1)}`;
        fc.pre(changed !== seal);
        expect(recovered(at(all, index), changed as SealSignature)).not.toBe(signer);
        for (const text of [`${seal}00`, `${seal}${"0".repeat(64)}`, seal.slice(0, -2), seal.toUpperCase()])
          expect(recovered(at(all, index), text as SealSignature)).not.toBe(signer);
      }),
    );
  });

  test("separates roots, nodes, leaves and statements", () => {
    fc.assert(
      fc.property(placed, ([all, index]) => {
        const { root, paths } = batchRules.batchOf(all);
        const plain = keyedHash.sign(KEY, root);
        expect(recovered(at(all, index), plain)).not.toBe(signer);
        // A node in place of a statement, one step further up.
        const { count, path } = at(paths, index);
        const [sibling] = path;
        if (sibling === undefined || path.length < 2) return;
        const shorter = batchedSignature(plain, {
          index: index >> 1,
          count: Math.ceil(count / 2),
          path: path.slice(1),
        });
        expect(recovered(sibling, shorter)).not.toBe(signer);
      }),
    );
  });

  test("costs one recovery for all its statements, with real signatures", () => {
    const all = Array.from({ length: 21 }, (_, seed) => digestOf(seed));
    let recoveries = 0;
    const counting: Scheme = {
      ...secp256k1,
      recover: (digest, signature) => {
        recoveries += 1;
        return secp256k1.recover(digest, signature);
      },
    };
    const verifier = createVerifier(counting);
    for (const [place, seal] of sealsOf(secp256k1, all).entries())
      expect(batchRules.recover(verifier, at(all, place), seal)).toBe(secp256k1.addressOf(KEY));
    expect(recoveries).toBe(1);
  });

  test("covers two statements to its limit; a longer path is refused", () => {
    expect(() => batchRules.batchOf([digestOf(1)])).toThrow(/expected 2 to 1024/);
    const all = Array.from({ length: BATCH_LIMIT }, (_, seed) => digestOf(seed));
    const seals = sealsOf(keyedHash, all);
    expect(recovered(at(all, BATCH_LIMIT - 1), at(seals, BATCH_LIMIT - 1))).toBe(signer);
    expect(partsOf(at(seals, 0)).place.path).toHaveLength(PATH_MAX);
    expect(() => batchRules.batchOf([...all, digestOf(BATCH_LIMIT)])).toThrow(RangeError);
    const { signature, place } = partsOf(at(seals, 0));
    const deeper = batchedSignature(signature, { index: 0, count: BATCH_LIMIT + 1, path: [...place.path, at(all, 0)] });
    expect(batchedParts(deeper)).toBeUndefined();
    expect(batchedParts(deeper, BATCH_LIMIT + 1)).toBeDefined();
  });
});

describe("a seal", () => {
  test("of a single statement is its plain signature", () => {
    const plain = keyedHash.sign(KEY, digestOf(1));
    expect(isPlain(plain)).toBe(true);
    expect(batchCount(plain)).toBe(1);
    expect(recovered(digestOf(1), plain)).toBe(signer);
    expect(recovered(digestOf(1), `${plain}00000001` as Signature)).toBeUndefined();
  });

  test("shows the signature of its root and the number of statements under it", () => {
    const all = [1, 2, 3].map(digestOf);
    const [seal] = sealsOf(keyedHash, all) as [SealSignature];
    expect(bareSignature(seal)).toBe(keyedHash.sign(KEY, batchRules.batchOf(all).root));
    expect([isPlain(seal), batchCount(seal)]).toEqual([false, 3]);
  });
});
