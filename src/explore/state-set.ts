/** Set of global states, tuples of numbers in the order in which they were reached. */
import { CHUNK_STATES, STATES_MAX } from "./limits.ts";

/** Writes the canonical form of a state. */
export type Canonical = (state: Int32Array, key: Int32Array) => void;

/** States of a set as rows of numbers: for each chunk its packed tuples and the parents of its states. */
export type SavedStates = readonly Int32Array[];

/** Consecutive states: their concatenated tuples, as narrow as their numbers are, and their parents. */
interface Chunk {
  tuples: Tuples;
  readonly parents: Int32Array;
}

type Tuples = Uint16Array | Int32Array;

/** Shared memory that a view of a set in another thread lacks. */
export interface StatesUpdate {
  /** New arrays of tuples, with the indices of their chunks. */
  readonly tuples: readonly (readonly [chunk: number, tuples: Tuples])[];
  readonly table: Uint32Array;
  /** Number of states. */
  readonly size: number;
}

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
  /** Arrays of tuples in the order in which they were made, with the indices of their chunks. */
  readonly #made: (readonly [chunk: number, tuples: Tuples])[] = [];
  readonly #isShared: boolean;
  #table: Uint32Array;
  #size = 0;

  /** States with equal `canonical` forms count as one. Threads can share the memory of a set with `isShared`. */
  constructor(width: number, canonical: Canonical, isShared = false) {
    this.#width = width;
    this.#canonical = canonical;
    this.#isShared = isShared;
    this.#table = new Uint32Array(this.#bytes(CHUNK_STATES * 2 * Uint32Array.BYTES_PER_ELEMENT));
    this.#key = new Int32Array(width);
    this.#other = new Int32Array(width);
    this.#tuple = new Int32Array(width);
    this.#addChunk();
  }

  #bytes(count: number): ArrayBufferLike {
    return this.#isShared ? new SharedArrayBuffer(count) : new ArrayBuffer(count);
  }

  #addChunk(): void {
    const tuples = new Uint16Array(this.#bytes(CHUNK_STATES * this.#width * Uint16Array.BYTES_PER_ELEMENT));
    this.#made.push([this.#chunks.length, tuples]);
    this.#chunks.push({ tuples, parents: new Int32Array(CHUNK_STATES) });
  }

  /** Gives a chunk room for numbers of 32 bits. */
  #widen(chunk: Chunk, index: number): void {
    const tuples = new Int32Array(this.#bytes(CHUNK_STATES * this.#width * Int32Array.BYTES_PER_ELEMENT));
    tuples.set(chunk.tuples);
    chunk.tuples = tuples;
    this.#made.push([index, tuples]);
  }

  /** Number of arrays of tuples so far. */
  get made(): number {
    return this.#made.length;
  }

  /** Returns the shared memory for a view that has the first `made` arrays of tuples. */
  update(made: number): StatesUpdate {
    return { tuples: this.#made.slice(made), table: this.#table, size: this.#size };
  }

  /**
   * Takes over an update of the set that this is a view of: it can read and find the states up to there, and add none.
   */
  takeUpdate({ tuples, table, size }: StatesUpdate): void {
    for (const [index, one] of tuples) this.#chunks[index] = { tuples: one, parents: NO_PARENTS };
    this.#table = table;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the states so far for `resume`. */
  keep(): SavedStates {
    return this.#chunks.flatMap(({ tuples, parents }, index) => {
      const count = Math.min(CHUNK_STATES, this.#size - index * CHUNK_STATES);
      if (count <= 0) return [];
      const numbers = count * this.#width;
      const ints = tuples instanceof Int32Array ? numbers : (numbers + 1) >>> 1;
      return [new Int32Array(tuples.buffer, 0, ints), parents.subarray(0, count)];
    });
  }

  /** Adds saved states. @throws RangeError if they are not distinct, or memory is exhausted. */
  resume(saved: SavedStates): void {
    for (let row = 0; row < saved.length; row += 2) {
      const [packed = new Int32Array(0), parents = new Int32Array(0)] = saved.slice(row, row + 2);
      const numbers = parents.length * this.#width;
      if (packed.length !== numbers && packed.length !== (numbers + 1) >>> 1)
        throw new RangeError(`expected ${parents.length} states of ${this.#width} numbers, got ${packed.length} words`);
      const tuples = packed.length === numbers ? packed : new Uint16Array(packed.buffer, packed.byteOffset, numbers);
      for (const [index, parent] of parents.entries()) {
        if (!this.reserve(1)) throw new RangeError(`there is no memory for more than ${this.#size} states`);
        const state = this.#size;
        const tuple = Int32Array.from(tuples.subarray(index * this.#width, (index + 1) * this.#width));
        if (!this.add(tuple, parent) || parent >= state)
          throw new RangeError(`state ${state} is a duplicate or precedes its parent`);
      }
    }
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
  reserve(more: number): boolean {
    const size = this.#size + more;
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
    return this.#addKey(tuple, parent, hash(this.#key));
  }

  /** Adds a state by the hash that `hashIfNew` of a view returned. */
  addHashed(tuple: Int32Array, parent: number, mixed: number): boolean {
    this.#canonical(tuple, this.#key);
    return this.#addKey(tuple, parent, mixed);
  }

  /** Returns the hash of a state that is not in the set; -1 for one that is. */
  hashIfNew(tuple: Int32Array): number {
    this.#canonical(tuple, this.#key);
    const mixed = hash(this.#key);
    return this.#placeOf(mixed) < 0 ? -1 : mixed;
  }

  #addKey(tuple: Int32Array, parent: number, mixed: number): boolean {
    const at = this.#placeOf(mixed);
    if (at < 0) return false;
    const index = Math.floor(this.#size / CHUNK_STATES);
    const chunk = this.#chunks[index];
    if (chunk === undefined) throw new RangeError("no capacity was reserved for another state");
    const place = this.#size % CHUNK_STATES;
    for (let part = 0; part < this.#width; part++) {
      const number = tuple[part] as number;
      if (number >= WIDE && chunk.tuples instanceof Uint16Array) this.#widen(chunk, index);
      chunk.tuples[place * this.#width + part] = number;
    }
    chunk.parents[place] = parent;
    this.#size += 1;
    this.#table[at] = entry(mixed, this.#size);
    return true;
  }

  /**
   * Returns the free place in the table of the state whose canonical form is in `#key`; -1 if the set has it. A view
   * passes over states that were added after its last update.
   */
  #placeOf(mixed: number): number {
    const mask = this.#table.length - 1;
    let at = mixed & mask;
    for (let found = this.#table[at] as number; found !== 0; found = this.#table[at] as number) {
      const number = found & NUMBER_MASK;
      const isAlike = found >>> NUMBER_BITS === mixed >>> NUMBER_BITS && number <= this.#size;
      if (isAlike && this.#isKey(number - 1, this.#key)) return -1;
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
    const table = new Uint32Array(this.#bytes(this.#table.byteLength * 2));
    const mask = table.length - 1;
    for (let state = 0; state < this.#size; state++) {
      this.#keyOf(state, this.#key);
      const mixed = hash(this.#key);
      let at = mixed & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = entry(mixed, state + 1);
    }
    this.#table = table;
  }
}

/** A view adds no states and asks for no parents. */
const NO_PARENTS = new Int32Array(0);

function entry(mixed: number, number: number): number {
  return (mixed & ~NUMBER_MASK) | number;
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
