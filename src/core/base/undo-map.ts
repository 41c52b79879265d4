/**
 * A persistent map for many entries: one version stands, as a plain `Map`, and every other one knows what to undo on
 * the way back to it. A change costs O(1) however many entries there are, where a `Trie` copies a path. Going back to
 * an older version, as a fork does, costs as much as has changed since: no version ever shows what another one holds.
 *
 * Whoever holds an old version holds all changes since, so an empty map is made where a state begins, and is no
 * constant of a module.
 */
export class UndoMap<V> {
  /** The entries, while this version stands. */
  #entries: Map<string, V> | undefined;
  /** Else the version next to this one on the way to the one that stands, and the one entry in which they differ. */
  #next: UndoMap<V> | undefined;
  #key = "";
  /** What this version holds under `#key`; `undefined` for nothing. */
  #held: V | undefined;

  private constructor(entries: Map<string, V>) {
    this.#entries = entries;
  }

  static empty<V>(): UndoMap<V> {
    return new UndoMap<V>(new Map());
  }

  /** Of several entries with one key the last one counts. */
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

  /** A map in which `key` holds `value`, which is not `undefined`. */
  set(key: string, value: V & {}): UndoMap<V> {
    const entries = this.#standing();
    const held = entries.get(key);
    if (held === value) return this;
    entries.set(key, value);
    return this.#followedBy(entries, key, held);
  }

  /** A map without `key`; the same map when it was not there. */
  delete(key: string): UndoMap<V> {
    const entries = this.#standing();
    const held = entries.get(key);
    if (held === undefined) return this;
    entries.delete(key);
    return this.#followedBy(entries, key, held);
  }

  /** All entries in key order: O(n log n). */
  entries(): (readonly [key: string, value: V])[] {
    return [...this.#standing()].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The values in key order: O(n log n). */
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

  /** The entries of this version, which stands from here on. */
  #standing(): Map<string, V> {
    if (this.#entries !== undefined) return this.#entries;
    const way: UndoMap<V>[] = [];
    let stands: UndoMap<V> = this;
    while (stands.#next !== undefined) {
      way.push(stands);
      stands = stands.#next;
    }
    const entries = stands.#entries as Map<string, V>;
    for (const version of way.reverse()) {
      const key = version.#key;
      const held = version.#held;
      stands.#leadTo(version, key, entries.get(key));
      if (held === undefined) entries.delete(key);
      else entries.set(key, held);
      version.#entries = entries;
      version.#next = undefined;
      version.#held = undefined;
      stands = version;
    }
    return entries;
  }
}
