/**
 * Bounded cache of a pure function: two generations of at most half the limit each. A hit moves to the young one; when
 * that is full it becomes the old one and the oldest half is dropped. All operations are O(1), unlike evicting single
 * entries of a `Map` in order.
 */
export class MemoTable<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** @throws RangeError if `limit` is below 2. */
  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 2) throw new RangeError(`memo: expected a limit from 2, got ${limit}`);
    this.#half = Math.floor(limit / 2);
  }

  /** Number of entries, at most the limit. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns the cached value, or computes and caches it. `undefined` is a value too. */
  getOrCompute(key: string, compute: (key: string) => V): V {
    const known = this.#young.get(key);
    if (known !== undefined || this.#young.has(key)) return known as V;
    const older = this.#old.get(key);
    const value = older !== undefined || this.#old.delete(key) ? (older as V) : compute(key);
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
