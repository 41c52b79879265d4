/** Set of global states, tuples of numbers in the order in which they were reached. */
import { CHUNK_STATES, STATES_MAX } from "../limits.ts";

/** Writes the canonical form of a state. */
export type Canonical = (state: Int32Array, key: Int32Array) => void;

/** Consecutive states: their concatenated tuples, as narrow as their numbers are, and their parents. */
interface Chunk {
  tuples: Tuples;
  readonly parents: Int32Array;
}

type Tuples = Uint16Array | Int32Array;

/** Bits of a table entry that hold a state's number, counted from 1; the others hold a part of its hash. */
const NUMBER_BITS = 28;
const NUMBER_MASK: number = 2 ** NUMBER_BITS - 1;
/** Numbers from here on need 32 bits. */
const WIDE: number = 2 ** 16;

/**
 * Open addressing over flat arrays: a state costs 2 bytes for each component (4 in a chunk with large numbers), 4 for
 * its parent, and 5 to 11 in the table, which is at most three quarters full. Canonical forms are computed again for
 * comparisons, mostly of equal states: hashes differ for others.
 */
export class StateSet {
  readonly #width: number;
  readonly #canonical: Canonical;
  readonly #key: Int32Array;
  readonly #other: Int32Array;
  readonly #tuple: Int32Array;
  readonly #chunks: Chunk[] = [];
  #table: Uint32Array;
  #size = 0;

  /** States with equal `canonical` forms count as one. */
  constructor(width: number, canonical: Canonical) {
    this.#width = width;
    this.#canonical = canonical;
    this.#table = new Uint32Array(CHUNK_STATES * 2);
    this.#key = new Int32Array(width);
    this.#other = new Int32Array(width);
    this.#tuple = new Int32Array(width);
    this.#addChunk();
  }

  #addChunk(): void {
    const tuples = new Uint16Array(CHUNK_STATES * this.#width);
    this.#chunks.push({ tuples, parents: new Int32Array(CHUNK_STATES) });
  }

  get size(): number {
    return this.#size;
  }

  /** Writes a state, as it was added, into `tuple`. */
  read(state: number, tuple: Int32Array): void {
    const { tuples } = this.#chunks[Math.floor(state / CHUNK_STATES)] as Chunk;
    const start = (state % CHUNK_STATES) * this.#width;
    for (let part = 0; part < this.#width; part++) tuple[part] = tuples[start + part] as number;
  }

  /** Returns the state from which one was reached first; -1 for the initial one. */
  parent(state: number): number {
    return this.#chunks[Math.floor(state / CHUNK_STATES)]?.parents[state % CHUNK_STATES] ?? -1;
  }

  /** Reserves capacity; returns `false` if memory is exhausted or the numbers of states would overflow. */
  reserve(count: number): boolean {
    const size = this.#size + count;
    if (size > STATES_MAX) return false;
    try {
      while (size > this.#chunks.length * CHUNK_STATES) this.#addChunk();
      while (size > this.#table.length * 0.75) this.#grow();
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    return true;
  }

  /** Adds a state within the reserved capacity; returns true if it is new. */
  add(tuple: Int32Array, parent: number): boolean {
    this.#canonical(tuple, this.#key);
    const mixed = hashTuple(this.#key);
    const at = this.#placeOf(mixed);
    if (at < 0) return false;
    const chunk = this.#chunks[Math.floor(this.#size / CHUNK_STATES)];
    if (chunk === undefined) throw new RangeError("no capacity was reserved for another state");
    const place = this.#size % CHUNK_STATES;
    for (let part = 0; part < this.#width; part++) {
      const number = tuple[part] as number;
      // An array of wider elements, since the number needs 32 bits.
      if (number >= WIDE && chunk.tuples instanceof Uint16Array) chunk.tuples = Int32Array.from(chunk.tuples);
      chunk.tuples[place * this.#width + part] = number;
    }
    chunk.parents[place] = parent;
    this.#size += 1;
    this.#table[at] = entry(mixed, this.#size);
    return true;
  }

  /** Returns the free place in the table of the state whose canonical form is in `#key`; -1 if the set has it. */
  #placeOf(mixed: number): number {
    const mask = this.#table.length - 1;
    let at = mixed & mask;
    for (let found = this.#table[at] as number; found !== 0; found = this.#table[at] as number) {
      const isAlike = found >>> NUMBER_BITS === mixed >>> NUMBER_BITS;
      if (isAlike && this.#isKey((found & NUMBER_MASK) - 1, this.#key)) return -1;
      at = (at + 1) & mask;
    }
    return at;
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

  /** Doubles the table and inserts all states. */
  #grow(): void {
    const table = new Uint32Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let state = 0; state < this.#size; state++) {
      this.#keyOf(state, this.#key);
      const mixed = hashTuple(this.#key);
      let at = mixed & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = entry(mixed, state + 1);
    }
    this.#table = table;
  }
}

function entry(mixed: number, number: number): number {
  return (mixed & ~NUMBER_MASK) | number;
}

/** Each component goes through a bijection of 32-bit integers (the finaliser of MurmurHash3). */
function hashTuple(tuple: Int32Array): number {
  let mixed = 0x9e3779b9;
  for (let part = 0; part < tuple.length; part++) {
    mixed ^= tuple[part] as number;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}
