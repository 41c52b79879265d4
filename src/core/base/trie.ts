/**
 * Persistent map from ASCII strings: a crit-bit trie. Old versions stay valid, so a state that holds its collections in
 * tries forks by copying one record and undoes by keeping the old one (architecture law 7).
 *
 * Its shape depends on its keys alone, never on the order of insertion, and it iterates in key order: no root and no
 * message can depend on arrival. Each node has room for one cached value, in which `crypto/merkle.ts` keeps the hash of
 * an unchanged subtree.
 */
export interface Leaf<V> {
  /** `LEAF`: the discriminating field stands first in both shapes. */
  readonly bit: typeof LEAF;
  readonly key: string;
  readonly value: V;
  memo: string | undefined;
}

export interface Branch<V> {
  /** Index of the first bit in which the two sides differ; bit `i` is bit `7 - i % 8` of character `i >> 3`. */
  readonly bit: number;
  readonly left: TrieNode<V>;
  readonly right: TrieNode<V>;
  memo: string | undefined;
}

export type TrieNode<V> = Leaf<V> | Branch<V>;

/** Marks a leaf in the field where a branch holds the index of a bit. */
const LEAF = -1;

/** Returns true if a node holds an entry. */
export function isLeaf<V>(node: TrieNode<V>): node is Leaf<V> {
  return node.bit === LEAF;
}

/** Difference between two versions: `before` or `after` is `undefined` if the key was absent. */
export type TrieDifference<V> = Readonly<{ key: string; before: V | undefined; after: V | undefined }>;

export class Trie<V> {
  readonly root: TrieNode<V> | undefined;
  readonly size: number;

  private constructor(root: TrieNode<V> | undefined, size: number) {
    this.root = root;
    this.size = size;
  }

  /** Shared empty trie: it never changes. */
  static empty<V>(): Trie<V> {
    return Trie.#nothing;
  }

  static readonly #nothing = new Trie<never>(undefined, 0);

  /** Returns the trie of these entries, of equal keys the last. O(entries) if their keys ascend. */
  static of<V>(entries: Iterable<readonly [string, V]>): Trie<V> {
    const entryList = Array.isArray(entries) ? (entries as readonly (readonly [string, V])[]) : [...entries];
    if (entryList.length > 1 && isAscending(entryList))
      return new Trie(buildNode(entryList, 0, entryList.length), entryList.length);
    let trie = Trie.empty<V>();
    for (const [key, value] of entryList) trie = trie.set(key, value);
    return trie;
  }

  /** Returns the trie of nodes that others put together; `undefined` if its shape is not that of its keys. O(entries). */
  static fromUntrusted<V>(root: TrieNode<V> | undefined): Trie<V> | undefined {
    if (root === undefined) return Trie.empty();
    const size = checkedSize(root);
    return size === undefined ? undefined : new Trie(root, size);
  }

  /** Returns the trie of a root that another trie had, or that was made of the nodes of one. */
  static from<V>(root: TrieNode<V>, size: number): Trie<V> {
    return new Trie(root, size);
  }

  get(key: string): V | undefined {
    let node = this.root;
    if (node === undefined) return undefined;
    while (!isLeaf(node)) node = bitOf(key, node.bit) === 0 ? node.left : node.right;
    return node.key === key ? node.value : undefined;
  }

  has(key: string): boolean {
    let node = this.root;
    if (node === undefined) return false;
    while (!isLeaf(node)) node = bitOf(key, node.bit) === 0 ? node.left : node.right;
    return node.key === key;
  }

  /** Returns a trie in which `key` holds `value`: O(depth), the rest is shared. */
  set(key: string, value: V): Trie<V> {
    const leaf: Leaf<V> = { bit: LEAF, key, value, memo: undefined };
    if (this.root === undefined) return new Trie(leaf, 1);
    let nearest: TrieNode<V> = this.root;
    while (!isLeaf(nearest)) nearest = bitOf(key, nearest.bit) === 0 ? nearest.left : nearest.right;
    if (nearest.key === key) {
      return nearest.value === value ? this : new Trie(replace(this.root, leaf), this.size);
    }
    return new Trie(insert(this.root, leaf, firstDifference(key, nearest.key)), this.size + 1);
  }

  /** Returns a trie without `key`; the same trie if it was absent. */
  delete(key: string): Trie<V> {
    if (this.root === undefined || !this.has(key)) return this;
    return new Trie(remove(this.root, key), this.size - 1);
  }

  /** Returns all entries in key order. */
  entries(): readonly (readonly [string, V])[] {
    if (this.root === undefined) return NOTHING;
    const entries: (readonly [string, V])[] = [];
    eachLeaf(this.root, ({ key, value }) => entries.push([key, value]));
    return entries;
  }

  /** Returns all values in key order. */
  values(): readonly V[] {
    if (this.root === undefined) return NOTHING;
    const values: V[] = [];
    eachLeaf(this.root, ({ value }) => values.push(value));
    return values;
  }

  /** Returns the entries whose key starts with `prefix`, in key order. */
  entriesWithPrefix(prefix: string): readonly (readonly [string, V])[] {
    let node = this.root;
    if (node === undefined) return NOTHING;
    const bits = prefix.length << 3;
    while (!isLeaf(node) && node.bit < bits) node = bitOf(prefix, node.bit) === 0 ? node.left : node.right;
    // All keys below agree on the prefix's bits, so any one of them shows whether they have the prefix.
    let sample = node;
    while (!isLeaf(sample)) sample = sample.left;
    if (!sample.key.startsWith(prefix)) return NOTHING;
    const entries: (readonly [string, V])[] = [];
    eachLeaf(node, ({ key, value }) => entries.push([key, value]));
    return entries;
  }

  /** Returns the changes from this version to `later`, in no order: O(changes * depth), thanks to shared nodes. */
  differences(later: Trie<V>): TrieDifference<V>[] {
    const differences: TrieDifference<V>[] = [];
    compareNodes(this.root, later.root, differences);
    return differences;
  }
}

const NOTHING: readonly [] = [];

/** Returns the bit of `key` at `index`; characters past its end count as 0. */
export function bitOf(key: string, index: number): 0 | 1 {
  const position = index >> 3;
  if (position >= key.length) return 0;
  return ((key.charCodeAt(position) >> (7 - (index & 7))) & 1) as 0 | 1;
}

function firstDifference(a: string, b: string): number {
  let position = 0;
  while (position < a.length && position < b.length && a.charCodeAt(position) === b.charCodeAt(position)) position++;
  const left = position < a.length ? a.charCodeAt(position) : 0;
  const right = position < b.length ? b.charCodeAt(position) : 0;
  return (position << 3) + Math.clz32(left ^ right) - 24;
}

function isAscending(entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.every(([key], at) => at === 0 || (entries[at - 1] as readonly [string, unknown])[0] < key);
}

/** Builds the trie of the entries from `start` to before `end`, whose keys ascend. */
function buildNode<V>(entries: readonly (readonly [string, V])[], start: number, end: number): TrieNode<V> {
  const [key, value] = entries[start] as readonly [string, V];
  if (end - start === 1) return { bit: LEAF, key, value, memo: undefined };
  const bit = firstDifference(key, (entries[end - 1] as readonly [string, V])[0]);
  let [low, high] = [start, end - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (bitOf((entries[middle] as readonly [string, V])[0], bit) === 0) low = middle;
    else high = middle;
  }
  return branch(bit, buildNode(entries, start, high), buildNode(entries, high, end));
}

/** Returns the number of entries below a node; `undefined` if a branch does not stand where its keys first differ. */
function checkedSize<V>(node: TrieNode<V>): number | undefined {
  if (isLeaf(node)) return 1;
  const { bit, left, right } = node;
  const [low, high] = [firstKey(left), firstKey(right)];
  const isSound =
    (isLeaf(left) || left.bit > bit) &&
    (isLeaf(right) || right.bit > bit) &&
    firstDifference(low, high) === bit &&
    bitOf(low, bit) < bitOf(high, bit);
  const [before, after] = isSound ? [checkedSize(left), checkedSize(right)] : [];
  return before && after && before + after;
}

function firstKey<V>(node: TrieNode<V>): string {
  let sample = node;
  while (!isLeaf(sample)) sample = sample.left;
  return sample.key;
}

function replace<V>(node: TrieNode<V>, leaf: Leaf<V>): TrieNode<V> {
  if (isLeaf(node)) return leaf;
  return bitOf(leaf.key, node.bit) === 0
    ? branch(node.bit, replace(node.left, leaf), node.right)
    : branch(node.bit, node.left, replace(node.right, leaf));
}

function insert<V>(node: TrieNode<V>, leaf: Leaf<V>, bit: number): TrieNode<V> {
  if (isLeaf(node) || node.bit > bit) {
    return bitOf(leaf.key, bit) === 0 ? branch(bit, leaf, node) : branch(bit, node, leaf);
  }
  return bitOf(leaf.key, node.bit) === 0
    ? branch(node.bit, insert(node.left, leaf, bit), node.right)
    : branch(node.bit, node.left, insert(node.right, leaf, bit));
}

function remove<V>(node: TrieNode<V>, key: string): TrieNode<V> | undefined {
  if (isLeaf(node)) return undefined;
  if (bitOf(key, node.bit) === 0) {
    const left = remove(node.left, key);
    return left === undefined ? node.right : branch(node.bit, left, node.right);
  }
  const right = remove(node.right, key);
  return right === undefined ? node.left : branch(node.bit, node.left, right);
}

function branch<V>(bit: number, left: TrieNode<V>, right: TrieNode<V>): Branch<V> {
  return { bit, left, right, memo: undefined };
}

/** Calls `visit` with each leaf in key order. */
function eachLeaf<V>(node: TrieNode<V>, visit: (leaf: Leaf<V>) => void): void {
  if (isLeaf(node)) {
    visit(node);
    return;
  }
  eachLeaf(node.left, visit);
  eachLeaf(node.right, visit);
}

/**
 * Both sides hold every key that the other may share with them. If the shapes differ, the side that splits later lies
 * wholly under one child of the side that splits earlier, since its keys agree on all earlier bits.
 */
function compareNodes<V>(
  before: TrieNode<V> | undefined,
  after: TrieNode<V> | undefined,
  differences: TrieDifference<V>[],
): void {
  if (before === after) return;
  if (before === undefined || after === undefined) {
    if (before !== undefined)
      eachLeaf(before, ({ key, value }) => differences.push({ key, before: value, after: undefined }));
    if (after !== undefined)
      eachLeaf(after, ({ key, value }) => differences.push({ key, before: undefined, after: value }));
    return;
  }
  if (!isLeaf(before) && !isLeaf(after) && before.bit === after.bit) {
    compareNodes(before.left, after.left, differences);
    compareNodes(before.right, after.right, differences);
  } else if (!isLeaf(before) && (isLeaf(after) || before.bit < after.bit)) {
    const isUnderLeft = isLeft(after, before.bit);
    compareNodes(before.left, isUnderLeft ? after : undefined, differences);
    compareNodes(before.right, isUnderLeft ? undefined : after, differences);
  } else if (!isLeaf(after)) {
    const isUnderLeft = isLeft(before, after.bit);
    compareNodes(isUnderLeft ? before : undefined, after.left, differences);
    compareNodes(isUnderLeft ? undefined : before, after.right, differences);
  } else if (isLeaf(before)) {
    compareLeaves(before, after, differences);
  }
}

/** Returns true if the keys below a node, which agree on a bit, have 0 there. */
export function isLeft<V>(node: TrieNode<V>, bit: number): boolean {
  return bitOf(firstKey(node), bit) === 0;
}

function compareLeaves<V>(before: Leaf<V>, after: Leaf<V>, differences: TrieDifference<V>[]): void {
  if (before.key === after.key) {
    if (before.value !== after.value) differences.push({ key: before.key, before: before.value, after: after.value });
    return;
  }
  differences.push({ key: before.key, before: before.value, after: undefined });
  differences.push({ key: after.key, before: undefined, after: after.value });
}
