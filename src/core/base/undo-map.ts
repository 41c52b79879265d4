/**
 * Persistent map for many entries: one version is current, as a plain `Map`, and every other one records how to undo
 * the changes between them. A change costs O(1) for any number of entries, while a `Trie` copies a path. Going back to
 * an older version, as a fork does, costs as much as has changed since: no version ever shows what another one holds.
 *
 * A reference to an old version keeps all changes since alive, so each state creates its own empty map; no module holds
 * one as a constant.
 */
export class UndoMap<V> {
  /** Entries, while this version is current. */
  #entries: Map<string, V> | undefined;
  /** Else the next version on the path to the current one, and the one entry in which they differ. */
  #next: UndoMap<V> | undefined;
  #key = "";
  /** Value of this version under `#key`; `undefined` if absent. */
  #held: V | undefined;

  private constructor(entries: Map<string, V>) {
    this.#entries = entries;
  }

  static empty<V>(): UndoMap<V> {
    return new UndoMap<V>(new Map());
  }

  /** Returns a map of these entries; the last one of a repeated key counts. */
  static of<V>(entries: Iterable<readonly [string, V]>): UndoMap<V> {
    return new UndoMap<V>(new Map(entries));
  }

  get size(): number {
    return this.#standing().size;
  }

  get(key: string): V | undefined {
    return this.#standing().get(key);
  }

  has(key: string): boolean {
    return this.#standing().has(key);
  }

  /** Returns a map in which `key` holds `value`, which is not `undefined`. */
  set(key: string, value: V & {}): UndoMap<V> {
    const entries = this.#standing();
    const held = entries.get(key);
    if (held === value) return this;
    entries.set(key, value);
    return this.#followedBy(entries, key, held);
  }

  /** Returns a map without `key`; the same map if it was absent. */
  delete(key: string): UndoMap<V> {
    const entries = this.#standing();
    const held = entries.get(key);
    if (held === undefined) return this;
    entries.delete(key);
    return this.#followedBy(entries, key, held);
  }

  /** Returns all entries in key order: O(n log n). */
  entries(): (readonly [key: string, value: V])[] {
    return [...this.#standing()].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns the values in key order: O(n log n). */
  values(): V[] {
    return this.entries().map(([, value]) => value);
  }

  #followedBy(entries: Map<string, V>, key: string, held: V | undefined): UndoMap<V> {
    const newer = new UndoMap<V>(entries);
    this.#leadTo(newer, key, held);
    return newer;
  }

  #leadTo(next: UndoMap<V>, key: string, held: V | undefined): void {
    this.#entries = undefined;
    this.#next = next;
    this.#key = key;
    this.#held = held;
  }

  /** Makes this version the current one and returns its entries. */
  #standing(): Map<string, V> {
    if (this.#entries !== undefined) return this.#entries;
    const path: UndoMap<V>[] = [];
    let current: UndoMap<V> = this;
    while (current.#next !== undefined) {
      path.push(current);
      current = current.#next;
    }
    const entries = current.#entries as Map<string, V>;
    for (const version of path.reverse()) {
      const key = version.#key;
      const held = version.#held;
      current.#leadTo(version, key, entries.get(key));
      if (held === undefined) entries.delete(key);
      else entries.set(key, held);
      version.#entries = entries;
      version.#next = undefined;
      version.#held = undefined;
      current = version;
    }
    return entries;
  }
}
