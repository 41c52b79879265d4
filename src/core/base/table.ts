/**
 * Map that changes in place and forks in O(1): both sides share the entries, and each copies them before its
 * first change after the fork. It iterates in key order whatever the order of arrival, so nothing that is signed or sent
 * depends on that.
 */
export class Table<K extends string | number, V> {
  #entries: Map<K, V>;
  /** True if another table may hold the same entries. */
  #isShared: boolean;

  constructor(entries?: Iterable<readonly [K, V]>) {
    this.#entries = entries === undefined ? (NO_ENTRIES as Map<K, V>) : new Map(entries);
    this.#isShared = entries === undefined;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    if (this.#isShared) {
      if (value !== undefined && this.#entries.get(key) === value) return;
      this.#copyEntries();
    }
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    if (!this.#entries.has(key)) return;
    if (this.#isShared) this.#copyEntries();
    this.#entries.delete(key);
  }

  /** Deletes the entries for which `isOver` holds: O(n), without an order. */
  deleteWhere(isOver: (key: K, value: V) => boolean): void {
    for (const [key, value] of this.#entries) if (isOver(key, value)) this.delete(key);
  }

  clear(): void {
    if (this.size === 0) return;
    this.#entries = NO_ENTRIES as Map<K, V>;
    this.#isShared = true;
  }

  /** Returns the entries in key order, as they are now: O(n log n). */
  entries(): readonly (readonly [key: K, value: V])[] {
    if (this.#entries.size === 0) return NOTHING;
    return [...this.#entries].sort(byKey);
  }

  /** Returns the keys of the entries for which `holds` is true, in their order, as they are now: O(n). */
  keysWhere(holds: (key: K, value: V) => boolean): readonly K[] {
    const keys: K[] = [];
    for (const [key, value] of this.#entries) if (holds(key, value)) keys.push(key);
    return keys.sort((a, b) => (a < b ? -1 : 1));
  }

  /** Iterates over the entries in the order of their arrival, on which nothing may depend but a copy of the table. */
  inOrderOfArrival(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  /** Returns the values in key order, as they are now: O(n log n). */
  values(): readonly V[] {
    if (this.#entries.size < 2) return [...this.#entries.values()];
    return this.entries().map(([, value]) => value);
  }

  /** Returns the entries whose key starts with `prefix`, in key order, as they are now: O(n). */
  entriesWithPrefix(this: Table<string, V>, prefix: string): readonly (readonly [key: string, value: V])[] {
    if (this.#entries.size === 0) return NOTHING;
    return [...this.#entries].filter(([key]) => key.startsWith(prefix)).sort(byKey);
  }

  /** Returns the entry that was added first of those that are left. */
  get first(): readonly [key: K, value: V] | undefined {
    const [first] = this.#entries;
    return first;
  }

  /** Returns an independent copy. */
  fork(): Table<K, V> {
    const copy = new Table<K, V>();
    copy.#entries = this.#entries;
    this.#isShared = true;
    return copy;
  }

  /** Returns true if one is a fork of the other, or both of a third, and none of them has changed since. */
  isUnchangedSince(other: Table<K, V>): boolean {
    return this.#entries === other.#entries;
  }

  #copyEntries(): void {
    this.#entries = new Map(this.#entries);
    this.#isShared = false;
  }
}

const NOTHING: readonly [] = [];

/** Shared by all empty tables, most of which are never filled: a `Map` costs far more than the table around it. */
const NO_ENTRIES: Map<never, never> = new Map<never, never>();

function byKey(a: readonly [string | number, unknown], b: readonly [string | number, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
