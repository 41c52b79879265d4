/**
 * Bounded cache of facts about immutable objects, by identity: two generations of at most `half` entries each. A hit in
 * the old one moves to the young one; when that is full it becomes the old one. All operations are O(1).
 *
 * A `WeakMap` needs no bound, but an entry of it costs seven times as much, and every scavenge walks it: it is for
 * records that are few, or large.
 */
export class IdentityMemo<K extends object, V extends {}> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(half = 1_024) {
    this.#half = half;
  }

  get(key: K): V | undefined {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
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
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = compute(key);
    this.set(key, made);
    return made;
  }
}
