/** Set of global states, tuples of numbers in the order in which they were reached. */
import { STATES_AT_FIRST, STATES_MAX } from "./limits.ts";

/** Writes the canonical form of a state. */
export type Canonical = (state: Int32Array, key: Int32Array) => void;

/** States of a set as plain numbers: concatenated tuples, and the parent of each state. */
export interface SavedStates {
  readonly tuples: Int32Array;
  readonly parents: Int32Array;
}

/**
 * Open addressing over flat arrays: a state costs 4 bytes for each component, 4 for its parent, and 8 to 16 in the
 * table; at worst as much again is empty. Canonical forms are computed again for comparisons.
 */
export class StateSet {
  readonly #width: number;
  readonly #canonical: Canonical;
  readonly #key: Int32Array;
  readonly #other: Int32Array;
  readonly #tuple: Int32Array;
  #tuples: Int32Array;
  #parents: Int32Array;
  #table: Int32Array;
  #size = 0;

  /** States with equal `canonical` forms count as one. */
  constructor(width: number, canonical: Canonical) {
    this.#width = width;
    this.#canonical = canonical;
    this.#key = new Int32Array(width);
    this.#other = new Int32Array(width);
    this.#tuple = new Int32Array(width);
    this.#tuples = new Int32Array(STATES_AT_FIRST * width);
    this.#parents = new Int32Array(STATES_AT_FIRST);
    this.#table = new Int32Array(STATES_AT_FIRST * 2).fill(-1);
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the states so far for `resume`. */
  keep(): SavedStates {
    return {
      tuples: this.#tuples.subarray(0, this.#size * this.#width),
      parents: this.#parents.subarray(0, this.#size),
    };
  }

  /** Adds saved states. @throws RangeError if they are not distinct, or memory is exhausted. */
  resume({ tuples, parents }: SavedStates): void {
    if (tuples.length !== parents.length * this.#width)
      throw new RangeError(`expected ${parents.length} states of ${this.#width} numbers, got ${tuples.length} numbers`);
    for (const [state, parent] of parents.entries()) {
      if (!this.reserve(1)) throw new RangeError(`there is no memory for more than ${this.#size} states`);
      const isNew = this.add(tuples.subarray(state * this.#width, (state + 1) * this.#width), parent);
      if (!isNew || parent >= state) throw new RangeError(`state ${state} is a duplicate or precedes its parent`);
    }
  }

  /** Writes a state, as it was added, into `tuple`. */
  read(state: number, tuple: Int32Array): void {
    const start = state * this.#width;
    for (let part = 0; part < this.#width; part++) tuple[part] = this.#tuples[start + part] as number;
  }

  /** Returns the state from which one was reached first; -1 for the initial one. */
  parent(state: number): number {
    return this.#parents[state] ?? -1;
  }

  /** Reserves capacity; returns `false` if memory is exhausted or the numbers of states would overflow. */
  reserve(more: number): boolean {
    if (this.#size + more > STATES_MAX) return false;
    while (this.#size + more > this.#parents.length) if (!this.#grow()) return false;
    return true;
  }

  /** Adds a state within the reserved capacity; returns true if it is new. */
  add(tuple: Int32Array, parent: number): boolean {
    const key = this.#key;
    this.#canonical(tuple, key);
    const mask = this.#table.length - 1;
    let at = hash(key) & mask;
    for (let found = this.#table[at] as number; found >= 0; found = this.#table[at] as number) {
      if (this.#isKey(found, key)) return false;
      at = (at + 1) & mask;
    }
    if (this.#size === this.#parents.length) throw new RangeError("no capacity was reserved for another state");
    this.#tuples.set(tuple, this.#size * this.#width);
    this.#parents[this.#size] = parent;
    this.#table[at] = this.#size;
    this.#size += 1;
    return true;
  }

  #isKey(state: number, key: Int32Array): boolean {
    this.#keyOf(state, this.#other);
    for (let part = 0; part < this.#width; part++) if (this.#other[part] !== key[part]) return false;
    return true;
  }

  #keyOf(state: number, key: Int32Array): void {
    this.read(state, this.#tuple);
    this.#canonical(this.#tuple, key);
  }

  /** Doubles the capacity; returns `false` if memory is exhausted. */
  #grow(): boolean {
    try {
      const tuples = larger(this.#tuples);
      const parents = larger(this.#parents);
      this.#table = new Int32Array(this.#table.length * 2).fill(-1);
      this.#tuples = tuples;
      this.#parents = parents;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#fill();
    return true;
  }

  /** Inserts all states into an empty table. */
  #fill(): void {
    const mask = this.#table.length - 1;
    for (let state = 0; state < this.#size; state++) {
      this.#keyOf(state, this.#key);
      let at = hash(this.#key) & mask;
      while ((this.#table[at] as number) >= 0) at = (at + 1) & mask;
      this.#table[at] = state;
    }
  }
}

function larger(array: Int32Array): Int32Array {
  const copy = new Int32Array(array.length * 2);
  copy.set(array);
  return copy;
}

/** Each component goes through a bijection of 32-bit integers (the finaliser of MurmurHash3). */
function hash(tuple: Int32Array): number {
  let mixed = 0x9e3779b9;
  for (let part = 0; part < tuple.length; part++) {
    mixed ^= tuple[part] as number;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}
