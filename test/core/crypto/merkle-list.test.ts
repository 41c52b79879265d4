import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex } from "../../../src/core/base/encoding.ts";
import type { Hash } from "../../../src/core/base/ids.ts";
import { taggedHash } from "../../../src/core/crypto/hash.ts";
import { type ListProof, listProofFault, listProver, listRoot } from "../../../src/core/crypto/merkle-list.ts";

const leaves = fc.array(fc.uint8Array({ minLength: 0, maxLength: 40 }), { minLength: 1, maxLength: 40 });
const at = (all: readonly Uint8Array[], index: number): Uint8Array => all[index] as Uint8Array;
/** List with an index in it. */
const placed = leaves.chain((all) => fc.tuple(fc.constant(all), fc.nat(all.length - 1)));

describe("the root of a list", () => {
  test("proves the leaf at each index", () => {
    fc.assert(
      fc.property(placed, ([all, index]) => {
        expect(listProofFault(listRoot(all), at(all, index), listProver(all)(index))).toBeUndefined();
      }),
    );
  });

  test("proves nothing else there, and nothing at another index", () => {
    fc.assert(
      fc.property(placed, fc.uint8Array({ maxLength: 40 }), fc.nat(60), ([all, index], other, elsewhere) => {
        const here = Buffer.from(at(all, index));
        // Equal leaves at two indices may have one path, which is then valid for both.
        const isElsewhere = elsewhere < all.length && here.equals(at(all, elsewhere));
        fc.pre(!here.equals(other) && !isElsewhere);
        const root = listRoot(all);
        const proof = listProver(all)(index);
        expect(listProofFault(root, other, proof)).toBe("the hashes lead to another root");
        expect(listProofFault(root, at(all, index), { ...proof, index: elsewhere })).toMatch(
          elsewhere < all.length
            ? /^(expected \d+ hashes, got \d+|the hashes lead to another root)$/
            : /^the index is outside/,
        );
      }),
    );
  });

  test("binds the count, every hash of a proof and their number", () => {
    fc.assert(
      fc.property(placed, fc.nat(), fc.integer({ min: 1, max: 80 }), ([all, index], which, count) => {
        const root = listRoot(all);
        const proof = listProver(all)(index);
        const fault = (changed: ListProof): string | undefined => listProofFault(root, at(all, index), changed);
        const { length } = proof.path;
        const other = "the hashes lead to another root";
        if (count <= index) expect(fault({ ...proof, count })).toBe("the index is outside the list");
        else if (count !== all.length)
          expect(fault({ ...proof, count })).toMatch(
            /^(expected \d+ hashes, got \d+|the hashes lead to another root)$/,
          );
        const longer = `expected ${length} hashes, got ${length + 1}`;
        expect(fault({ ...proof, path: [...proof.path, root] })).toBe(longer);
        const { path } = proof;
        if (path.length === 0) return;
        expect(fault({ ...proof, path: path.slice(1) })).toBe(`expected ${length} hashes, got ${length - 1}`);
        const changed = path.map((hash, place) => (place === which % path.length ? root : hash));
        expect(fault({ ...proof, path: changed })).toBe(other);
      }),
    );
  });

  test("differs for lists that differ, in order and in length too", () => {
    fc.assert(
      fc.property(leaves, leaves, (a, b) => {
        const isSame = a.length === b.length && a.every((leaf, i) => Buffer.from(leaf).equals(Buffer.from(at(b, i))));
        expect(listRoot(a) === listRoot(b)).toBe(isSame);
      }),
    );
  });

  test("does not count an odd leaf twice", () => {
    const [a, b, c] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [Uint8Array, Uint8Array, Uint8Array];
    expect(listRoot([a, b, c])).not.toBe(listRoot([a, b, c, c]));
  });

  test("does not accept a node as a leaf", () => {
    const [a, b] = [1, 2].map((byte) => new Uint8Array([byte])) as [Uint8Array, Uint8Array];
    const [left, right] = [a, b].map((leaf) => fromHex(taggedHash("list leaf", leaf))) as [Uint8Array, Uint8Array];
    expect(listRoot([new Uint8Array([...left, ...right])])).not.toBe(listRoot([a, b]));
  });

  test.each([
    ["before the list", -1],
    ["behind it", 2],
    ["between two places", 0.5],
  ])("makes no proof of a place %s", (_, index) => {
    const all = [new Uint8Array(), new Uint8Array()];
    expect(() => listProver(all)(index)).toThrow(RangeError);
    expect(listProofFault(listRoot(all), new Uint8Array(), { index, count: 2, path: [listRoot([])] as Hash[] })).toBe(
      "the index is outside the list",
    );
  });
});
