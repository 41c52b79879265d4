// Merkle roots of lists, and persistent crit-bit tries of the parts of a state (specification 10.4, validator wire 2).
import { H, raw, rlp, utf8 } from "./bytes.mjs";

const EMPTY_LIST = H("empty list");
export const EMPTY_PART = H("empty");

/** The root of a list: the bytes of a leaf are those of a hash, or the RLP of another item. */
export function listRoot(items) {
  const leaves = items.map((item) => H("list leaf", item instanceof Uint8Array ? item : rlp(item)));
  return H("list", items.length, raw(listTop(leaves)));
}

function listTop(leaves) {
  if (leaves.length === 0) return EMPTY_LIST;
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return H("list node", raw(listTop(leaves.slice(0, split))), raw(listTop(leaves.slice(split))));
}

const keyBytes = new Map();
function bytesOfKey(key) {
  let bytes = keyBytes.get(key);
  if (bytes === undefined) {
    bytes = utf8(key);
    if (keyBytes.size > 20000) keyBytes.clear();
    keyBytes.set(key, bytes);
  }
  return bytes;
}

function bitOf(bytes, bit) {
  const byte = bytes[bit >> 3];
  return byte === undefined ? 0 : (byte >> (7 - (bit & 7))) & 1;
}

function firstDifference(a, b) {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) ^ (b[i] ?? 0);
    if (difference !== 0) return 8 * i + Math.clz32(difference) - 24;
  }
  return -1;
}

const leafOf = (key, value) => ({ key, value, size: 1, hash: null });
const branchOf = (bit, left, right) => ({ bit, left, right, size: left.size + right.size, hash: null });

function closestLeaf(root, bytes) {
  let node = root;
  while (node.bit !== undefined) node = bitOf(bytes, node.bit) ? node.right : node.left;
  return node;
}

export function get(root, key) {
  if (root === null) return undefined;
  const leaf = closestLeaf(root, bytesOfKey(key));
  return leaf.key === key ? leaf.value : undefined;
}

/** The trie with this entry; the given one stays as it is. */
export function set(root, key, value) {
  if (root === null) return leafOf(key, value);
  const bytes = bytesOfKey(key);
  const near = closestLeaf(root, bytes);
  const bit = near.key === key ? Number.POSITIVE_INFINITY : firstDifference(bytes, bytesOfKey(near.key));
  return insert(root, bytes, bit, leafOf(key, value));
}

function insert(node, bytes, bit, leaf) {
  if (node.bit === undefined || node.bit > bit) {
    if (bit === Number.POSITIVE_INFINITY) return leaf;
    return bitOf(bytes, bit) ? branchOf(bit, node, leaf) : branchOf(bit, leaf, node);
  }
  if (bitOf(bytes, node.bit)) return branchOf(node.bit, node.left, insert(node.right, bytes, bit, leaf));
  return branchOf(node.bit, insert(node.left, bytes, bit, leaf), node.right);
}

export function remove(root, key) {
  if (root === null || get(root, key) === undefined) return root;
  return removeFrom(root, bytesOfKey(key));
}

function removeFrom(node, bytes) {
  if (node.bit === undefined) return null;
  if (bitOf(bytes, node.bit)) {
    const right = removeFrom(node.right, bytes);
    return right === null ? node.left : branchOf(node.bit, node.left, right);
  }
  const left = removeFrom(node.left, bytes);
  return left === null ? node.right : branchOf(node.bit, left, node.right);
}

/** Entries in the order of their keys. */
export function* entries(node) {
  if (node === null) return;
  if (node.bit === undefined) yield [node.key, node.value];
  else {
    yield* entries(node.left);
    yield* entries(node.right);
  }
}

/** Entries whose keys begin with a prefix. */
export function withPrefix(root, prefix) {
  const bytes = bytesOfKey(prefix);
  let node = root;
  while (node !== null && node.bit !== undefined && node.bit < 8 * bytes.length) {
    node = bitOf(bytes, node.bit) ? node.right : node.left;
  }
  return [...entries(node)].filter(([key]) => key.startsWith(prefix));
}

/** The hash of a subtree; `item` gives the bytes of a value. */
export function hashOf(node, item) {
  if (node === null) return EMPTY_PART;
  if (node.hash === null) {
    node.hash =
      node.bit === undefined
        ? H("leaf", node.key, rlp(item(node.value)))
        : H("node", node.bit, raw(hashOf(node.left, item)), raw(hashOf(node.right, item)));
  }
  return node.hash;
}

/** The subtree at a path of sides from the root, if there is one. */
export function subtree(root, path) {
  let node = root;
  for (const side of path) {
    if (node === null || node.bit === undefined) return undefined;
    node = side === "l" ? node.left : node.right;
  }
  return node;
}

/** A trie of entries in any order. */
export function fromEntries(list) {
  let root = null;
  for (const [key, value] of list) root = set(root, key, value);
  return root;
}
