/**
 * Keccak Merkle roots of ordered lists, with proofs of the leaf at an index (specification 10.4: transactions and
 * receipts root). A list of n > 1 splits at the largest power of two below n, as in RFC 6962, so that no leaf stands
 * for two; leaves, nodes and the empty list have tags of their own, and the root covers the count.
 */
import { fromHex, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import { taggedHash } from "./hash.ts";

/** Proof that `count` leaves lead to a root: the sibling hashes on the path from the leaf at `index` up to it. */
export type ListProof = Readonly<{ index: number; count: number; path: readonly Hash[] }>;

/** Returns the root of the leaves in their order. */
export function listRoot(leaves: readonly Uint8Array[]): Hash {
  return rootOf(leaves.length, leaves.length === 0 ? taggedHash("empty list") : treeOf(leaves).hash);
}

/** Gives the path from the leaf at an index to the root, O(log n) like its verification. @throws RangeError outside of the list */
export type ListProver = (index: number) => ListProof;

/** Returns the prover of a list, which is hashed once, O(n). */
export function listProver(leaves: readonly Uint8Array[]): ListProver {
  const count = leaves.length;
  const tree = count === 0 ? undefined : treeOf(leaves);
  return (index) => {
    if (tree === undefined || !Number.isSafeInteger(index) || index < 0 || index >= count)
      throw new RangeError(`list proof: expected an index from 0 to ${count - 1}, got ${index}`);
    return { index, count, path: pathTo(tree, count, index) };
  };
}

/** Returns why a proof does not show that `leaf` is at its index under `root`; `undefined` if it does. Never throws. */
export function listProofFault(root: Hash, leaf: Uint8Array, { index, count, path }: ListProof): string | undefined {
  const inside = Number.isSafeInteger(index) && Number.isSafeInteger(count) && 0 <= index && index < count;
  if (!inside) return "the index is outside the list";
  const sides = sidesOf(index, count);
  if (sides.length !== path.length) return `expected ${sides.length} hashes, got ${path.length}`;
  let hash = leafHash(leaf);
  sides.forEach((side, at) => {
    const sibling = path[at] as Hash;
    hash = side === "left" ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  });
  return rootOf(count, hash) === root ? undefined : "the hashes lead to another root";
}

/** Returns the side of each node, from the leaf up, on which the path to the root arrives. */
function sidesOf(index: number, count: number): readonly ("left" | "right")[] {
  if (count === 1) return [];
  const split = splitOf(count);
  return index < split ? [...sidesOf(index, split), "left"] : [...sidesOf(index - split, count - split), "right"];
}

interface Tree {
  readonly hash: Hash;
  readonly children: readonly [left: Tree, right: Tree] | undefined;
}

function treeOf(leaves: readonly Uint8Array[]): Tree {
  const [first] = leaves;
  if (leaves.length === 1 && first !== undefined) return { hash: leafHash(first), children: undefined };
  const split = splitOf(leaves.length);
  const children = [treeOf(leaves.slice(0, split)), treeOf(leaves.slice(split))] as const;
  return { hash: nodeHash(children[0].hash, children[1].hash), children };
}

function pathTo({ children }: Tree, count: number, index: number): readonly Hash[] {
  if (children === undefined) return [];
  const [left, right] = children;
  const split = splitOf(count);
  return index < split
    ? [...pathTo(left, split, index), right.hash]
    : [...pathTo(right, count - split, index - split), left.hash];
}

/** Returns the largest power of two below a count of at least 2. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function rootOf(count: number, top: Hash): Hash {
  return taggedHash("list", uint(count), fromHex(top));
}

function leafHash(leaf: Uint8Array): Hash {
  return taggedHash("list leaf", leaf);
}

function nodeHash(left: Hash, right: Hash): Hash {
  return taggedHash("list node", fromHex(left), fromHex(right));
}
