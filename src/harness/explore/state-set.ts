/** The global states of an exploration, each a tuple of numbers, in the order in which they were reached. */
import { NotExplorable } from "./arena.ts";
import { STATES_AT_FIRST, STATES_MAX } from "./limits.ts";

/** Writes what a state counts as. */
export type Canonical = (state: Int32Array, key: Int32Array) => void;

/** Open addressing over flat arrays: a state costs two words for each part, one for where it came from, and about three in the table. */
export class StateSet {
  readonly #width: number;
  readonly #canonical: Canonical;
  readonly #key: Int32Array;
  #tuples: Int32Array;
  #keys: Int32Array;
  #parents: Int32Array;
  #table: Int32Array;
  #size = 0;

  /** `canonical` says which states count as one: those for which it writes the same. */
  constructor(width: number, canonical: Canonical) {
    this.#width = width;
    this.#canonical = canonical;
    this.#key = new Int32Array(width);
    this.#tuples = new Int32Array(STATES_AT_FIRST * width);
    this.#keys = new Int32Array(STATES_AT_FIRST * width);
    this.#parents = new Int32Array(STATES_AT_FIRST);
    this.#table = new Int32Array(STATES_AT_FIRST * 2).fill(-1);
  }

  get size(): number {
    return this.#size;
  }

  /** Writes a state, as it was added, into `tuple`. */
  read(state: number, tuple: Int32Array): void {
    const start = state * this.#width;
    for (let part = 0; part < this.#width; part++) tuple[part] = this.#tuples[start + part] as number;
  }

  /** The state from which one was reached first; -1 for the first one. */
  parent(state: number): number {
    return this.#parents[state] ?? -1;
  }

  /** Adds a state; whether it is new. @throws NotExplorable where there is no room for more. */
  add(tuple: Int32Array, parent: number): boolean {
    const key = this.#key;
    this.#canonical(tuple, key);
    const mask = this.#table.length - 1;
    let at = hash(key) & mask;
    for (let found = this.#table[at] as number; found >= 0; found = this.#table[at] as number) {
      if (this.#isKey(found, key)) return false;
      at = (at + 1) & mask;
    }
    if (this.#size >= STATES_MAX) throw new NotExplorable(`more than ${STATES_MAX} states`);
    this.#tuples.set(tuple, this.#size * this.#width);
    this.#keys.set(key, this.#size * this.#width);
    this.#parents[this.#size] = parent;
    this.#table[at] = this.#size;
    this.#size += 1;
    if (this.#size === this.#parents.length) this.#grow();
    return true;
  }

  #isKey(state: number, key: Int32Array): boolean {
    const start = state * this.#width;
    for (let part = 0; part < this.#width; part++) if (this.#keys[start + part] !== key[part]) return false;
    return true;
  }

  #grow(): void {
    this.#tuples = larger(this.#tuples);
    this.#keys = larger(this.#keys);
    this.#parents = larger(this.#parents);
    this.#table = new Int32Array(this.#table.length * 2).fill(-1);
    const mask = this.#table.length - 1;
    for (let state = 0; state < this.#size; state++) {
      let at = hash(this.#keys.subarray(state * this.#width, (state + 1) * this.#width)) & mask;
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

/** Each part goes through a bijection of 32-bit integers (the finaliser of MurmurHash3). */
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
