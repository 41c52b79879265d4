import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode, type Item, uint } from "../../../src/core/base/encoding.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { keccak, taggedHash } from "../../../src/core/crypto/hash.ts";
import { merkleRoot, proveKey, type TrieProof, verifyTrieProof } from "../../../src/core/crypto/merkle.ts";

const bytes = (value: number): Uint8Array => encode(uint(value));
const key = fc.string({ unit: fc.constantFrom("0", "1", "8", "f", "/"), maxLength: 5 });
const content = fc.uniqueArray(fc.tuple(key, fc.nat(9)), { selector: ([name]) => name, maxLength: 40 });

describe("a Merkle root", () => {
  test("depends on the content and not on the order of edits", () => {
    fc.assert(
      fc.property(content, key, (entries, extra) => {
        const forward = Trie.of(entries);
        const detour = Trie.of([...entries].reverse());
        expect(merkleRoot(detour, bytes)).toBe(merkleRoot(forward, bytes));
        if (!forward.has(extra))
          expect(merkleRoot(detour.set(extra, 1).delete(extra), bytes)).toBe(merkleRoot(forward, bytes));
      }),
    );
  });

  test("depends on the content after changes, too, with any hashes cached before", () => {
    const change = fc.tuple(key, fc.option(fc.nat(9)));
    fc.assert(
      fc.property(content, fc.array(change, { maxLength: 20 }), (entries, changes) => {
        let trie = Trie.of(entries);
        for (const [name, value] of changes) {
          merkleRoot(trie, bytes);
          trie = value === null ? trie.delete(name) : trie.set(name, value);
          expect(merkleRoot(trie, bytes)).toBe(merkleRoot(Trie.of(trie.entries()), bytes));
        }
      }),
    );
  });

  test("differs for different contents", () => {
    fc.assert(
      fc.property(content, content, (a, b) => {
        const [left, right] = [Trie.of(a), Trie.of(b)];
        const isSame = left.differences(right).length === 0;
        expect(merkleRoot(left, bytes) === merkleRoot(right, bytes)).toBe(isSame);
      }),
    );
  });

  test("costs one hash a level after a change", () => {
    let trie = Trie.empty<number>();
    for (let at = 0; at < 4_096; at++) trie = trie.set(keccak(bytes(at)), at);
    let hashes = 0;
    const counted = (tag: string, ...items: readonly Item[]) => {
      hashes++;
      return taggedHash(tag, ...items);
    };
    merkleRoot(trie, bytes, counted);
    expect(hashes).toBe(2 * 4_096 - 1);
    for (let at = 0; at < 50; at++) {
      hashes = 0;
      trie = at % 2 === 0 ? trie.set(keccak(bytes(at)), at + 1) : trie.delete(keccak(bytes(at)));
      merkleRoot(trie, bytes, counted);
      // Twice the depth of a full tree of 2^12 leaves; random keys stay well below.
      expect(hashes).toBeLessThanOrEqual(24);
      hashes = 0;
      merkleRoot(trie, bytes, counted);
      expect(hashes).toBe(0);
    }
  });
});

describe("a Merkle proof", () => {
  test("proves a key's value, or its absence, against the root alone", () => {
    fc.assert(
      fc.property(content, key, (entries, name) => {
        const trie = Trie.of(entries);
        const value = trie.get(name);
        const result = verifyTrieProof(merkleRoot(trie, bytes), proveKey(trie, name, bytes));
        expect(result).toEqual(
          value === undefined ? { result: "absent" } : { result: "included", value: bytes(value) },
        );
      }),
    );
  });

  test("proves nothing against another root", () => {
    fc.assert(
      fc.property(content, content, key, (entries, others, name) => {
        const [trie, other] = [Trie.of(entries), Trie.of(others)];
        if (trie.differences(other).length === 0) return;
        expect(verifyTrieProof(merkleRoot(other, bytes), proveKey(trie, name, bytes)).result).toBe("invalid");
      }),
    );
  });

  test("cannot be bent to another key or value", () => {
    fc.assert(
      fc.property(content, key, key, fc.nat(9), (entries, name, other, value) => {
        const trie = Trie.of(entries);
        const root = merkleRoot(trie, bytes);
        const proof = proveKey(trie, name, bytes);
        if (proof.found === undefined) return;
        for (const forged of [
          { ...proof, key: other },
          { ...proof, found: { key: other, value: bytes(value) } },
        ]) {
          const result = verifyTrieProof(root, forged);
          const truth = trie.get(forged.key);
          if (result.result === "included") expect(result.value).toEqual(bytes(truth ?? -1));
          if (result.result === "absent") expect(truth).toBeUndefined();
        }
      }),
    );
  });

  test("cannot hide a key behind an inner node read as a leaf, or a cut path", () => {
    const trie = Trie.of([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const);
    const root = merkleRoot<number>(trie, bytes);
    const proof = proveKey<number>(trie, "b", bytes);
    const bent: readonly TrieProof[] = [
      { ...proof, path: proof.path.slice(1) },
      { ...proof, path: [...proof.path].reverse() },
      { ...proof, found: undefined },
      { ...proof, path: proof.path.map((step) => ({ ...step, bit: step.bit + 1 })) },
      { ...proof, path: proof.path.map((step) => ({ ...step, bit: -1 })) },
    ];
    for (const forged of bent) expect(verifyTrieProof(root, forged).result).toBe("invalid");
  });
});
