/**
 * Bounded cache of a pure function, of texts or, by identity, of immutable objects: two generations of at most half the
 * limit each. A hit in the old one moves to the young one; when that is full it becomes the old one and the oldest half is
 * dropped. All operations are O(1), unlike evicting single entries of a `Map` in order.
 *
 * A `WeakMap` needs no bound, but an entry of it costs seven times as much, and every scavenge walks it: it is for
 * records that are few, or large.
 */
export class MemoTable<K, V extends {}> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** @throws RangeError if `limit` is below 2. */
  constructor(limit = 2_048) {
    if (!Number.isSafeInteger(limit) || limit < 2) throw new RangeError(`memo: expected a limit from 2, got ${limit}`);
    this.#half = Math.floor(limit / 2);
  }

  /** Number of entries, at most the limit. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** Returns the cached value, or computes and caches it. */
  getOrCompute(key: K, compute: (key: K) => V): V {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const computed = compute(key);
    this.set(key, computed);
    return computed;
  }
}
