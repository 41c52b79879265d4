/**
 * Keccak Merkle roots of tries, with proofs that a key is present or absent (specification 10.4: roots). Leaves, nodes
 * and the empty tree have tags of their own. A node's hash covers the bit in which its sides differ, so the path of a
 * search for a key is itself proved: if it ends at another key, the key is absent.
 */
import { fromHex, type Item, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import { type Branch, bitOf, isLeaf, type Trie, type TrieNode } from "../base/trie.ts";
import { taggedHash } from "./hash.ts";

/** Returns the canonical bytes of a value; a pure function, the same for every root of one trie. */
export type ValueBytes<V> = (value: V) => Uint8Array;

/** `taggedHash`, or one that counts in a test. */
export type TaggedHash = (tag: string, ...items: readonly Item[]) => Hash;

export interface PathStep {
  /** Bit in which the sides differ; the key's own bit there says on which side it lies. */
  readonly bit: number;
  /** Hash of the other side. */
  readonly sibling: Hash;
}

/** End of the search for `key`: at `found`, or nowhere in an empty tree. From the root down. */
export interface TrieProof {
  readonly key: string;
  readonly found: { readonly key: string; readonly value: Uint8Array } | undefined;
  readonly path: readonly PathStep[];
}

export type ProofResult =
  | { readonly result: "included"; readonly value: Uint8Array }
  | { readonly result: "absent" }
  | { readonly result: "invalid"; readonly reason: string };

/**
 * Returns the root of a trie. Each node caches the hash of its subtree, so after a change only the path from the
 * changed leaf to the root is hashed: O(depth). Depends on keys and values only, not on the order of insertion.
 */
export function merkleRoot<V>(trie: Trie<V>, bytes: ValueBytes<V>, hash: TaggedHash = taggedHash): Hash {
  return trie.root === undefined ? hash("empty") : nodeHash(trie.root, bytes, hash);
}

/** Returns the hash of the subtree at a node, from its cache or into it. */
export function nodeHash<V>(node: TrieNode<V>, bytes: ValueBytes<V>, hash: TaggedHash = taggedHash): Hash {
  if (node.memo !== undefined) return node.memo as Hash;
  const computed = isLeaf(node)
    ? leafHash(node.key, bytes(node.value), hash)
    : branchHash(node.bit, nodeHash(node.left, bytes, hash), nodeHash(node.right, bytes, hash), hash);
  node.memo = computed;
  return computed;
}

/** Returns the hashes of a branch's two sides. */
export function childHashes<V>(node: Branch<V>, bytes: ValueBytes<V>): readonly [left: Hash, right: Hash] {
  return [nodeHash(node.left, bytes, taggedHash), nodeHash(node.right, bytes, taggedHash)];
}

/** Returns the path to `key` with its sibling hashes: O(depth). `verifyTrieProof` needs only it and the root. */
export function proveKey<V>(trie: Trie<V>, key: string, bytes: ValueBytes<V>): TrieProof {
  const path: PathStep[] = [];
  let node = trie.root;
  if (node === undefined) return { key, found: undefined, path };
  while (!isLeaf(node)) {
    const goesLeft: boolean = bitOf(key, node.bit) === 0;
    path.push({ bit: node.bit, sibling: nodeHash(goesLeft ? node.right : node.left, bytes, taggedHash) });
    node = goesLeft ? node.left : node.right;
  }
  return { key, found: { key: node.key, value: bytes(node.value) }, path };
}

/** Verifies a proof against a root, offline. Never throws for a proof of the right types. */
export function verifyTrieProof(root: Hash, proof: TrieProof): ProofResult {
  const { key, found, path } = proof;
  if (found === undefined) {
    const isEmpty = path.length === 0 && taggedHash("empty") === root;
    return isEmpty ? { result: "absent" } : { result: "invalid", reason: "the tree is not empty" };
  }
  let hash = leafHash(found.key, found.value, taggedHash);
  // The key's own bits choose the sides, and the hashes cover the bits: only the key's own path leads to the root.
  for (const { bit, sibling } of path.toReversed()) {
    if (!Number.isSafeInteger(bit) || bit < 0) return { result: "invalid", reason: "a bit index is out of range" };
    const sides = bitOf(key, bit) === 0 ? ([hash, sibling] as const) : ([sibling, hash] as const);
    hash = branchHash(bit, ...sides, taggedHash);
  }
  if (hash !== root) return { result: "invalid", reason: "the hashes lead to another root" };
  return found.key === key ? { result: "included", value: found.value } : { result: "absent" };
}

function leafHash(key: string, value: Uint8Array, hash: TaggedHash): Hash {
  return hash("leaf", text(key), value);
}

/** Returns the hash of a node with two sides, which differ first in this bit. */
export function branchHash(bit: number, left: Hash, right: Hash, hash: TaggedHash = taggedHash): Hash {
  return hash("node", uint(bit), fromHex(left), fromHex(right));
}
