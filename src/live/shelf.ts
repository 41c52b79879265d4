/**
 * Shelf of old records of a served network: one for each checkpoint that its observers have forgotten, in bytes outside of
 * the heap. Of each key it remembers a place, so that what it keeps in memory for a payment is some dozen bytes.
 */
import { requireDefined } from "../core/base/assert.ts";
import { joinBytes } from "../core/base/encoding.ts";
import type { Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { Trie } from "../core/base/trie.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import { mixTexts } from "../simulator/random.ts";
import { type ArchivedOperation, type ArchivedSubmission, hashesOf, type RecordPlace } from "./archive.ts";
import { GraphWriter, readGraph } from "./snapshot/graph.ts";

/** Bytes that are appended and read again; none is ever changed. */
export interface RecordStore {
  append(bytes: Uint8Array): RecordPlace;
  /** Returns a record as it was appended; `undefined` if it is damaged or cannot be read. */
  read(place: RecordPlace): Uint8Array | undefined;
}

/** Old checkpoint with the operations that it listed or displaced. */
export interface ShelvedLink {
  readonly link: ChainLink;
  readonly operations: readonly ArchivedOperation[];
  /** Operation that used a nonce, by account and nonce. */
  readonly deciders: ReadonlyMap<string, OperationId>;
}

/** Links that were read last: neighbours are asked for one after the other. */
const READ_KEPT = 4;

export class Shelf {
  readonly #store: RecordStore;
  readonly #constants: readonly object[];
  readonly #repeated: (() => Shelf) | undefined;
  #places: RecordPlace[] = [];
  #index = new KeyIndex();
  #read = new Map<number, ShelvedLink>();

  /**
   * `genesis`: every run of the same setup has it, and records refer to it without its accounts. `repeated`: the shelf of a
   * repetition of the past, whose records take the place of damaged ones, for a store that may lose any.
   */
  constructor(store: RecordStore, genesis: LedgerState, repeated?: () => Shelf) {
    this.#store = store;
    this.#constants = [{ ...genesis, accounts: Trie.empty(), balances: Trie.empty() }];
    this.#repeated = repeated;
  }

  /** Number of checkpoints on it: those with the numbers 1, 2, … */
  get count(): number {
    return this.#places.length;
  }

  /** Puts the next checkpoint on it. O(its operations). */
  put(shelved: ShelvedLink): void {
    const keys = keysOf(shelved).map(fingerprintOf);
    const graph = joinBytes([...new GraphWriter(this.#constants).write(shelved)]);
    const head = new Uint32Array([keys.length, ...keys]);
    this.#places.push(this.#store.append(joinBytes([new Uint8Array(head.buffer), graph])));
    for (const key of keys) this.#index.add(key, this.count);
  }

  /** Returns a checkpoint by its number. O(its operations), unless it was asked for just now. */
  at(number: number): ShelvedLink | undefined {
    const cached = this.#read.get(number);
    if (cached !== undefined) return cached;
    if (number < 1 || number > this.count) return undefined;
    const bytes = this.#recordOf(number);
    const [keys = 0] = numbersIn(bytes, 1);
    const link = readGraph(bytes.subarray(NUMBER_BYTES * (1 + keys)), this.#constants) as ShelvedLink;
    this.#read.set(number, link);
    for (const [oldest] of this.#read) if (this.#read.size > READ_KEPT) this.#read.delete(oldest);
    return link;
  }

  /** Returns the record of a checkpoint. O(history) if the store has it no more: all such records are made again. */
  #recordOf(number: number): Uint8Array {
    const place = requireDefined(this.#places[number - 1], `place of checkpoint ${number}`);
    const record = this.#store.read(place);
    if (record !== undefined) return record;
    const repeated = requireDefined(this.#repeated, `record of checkpoint ${number}, as it was written,`)();
    let wantedRecord: Uint8Array | undefined;
    for (const [index, otherPlace] of this.#places.entries()) {
      if (index !== number - 1 && this.#store.read(otherPlace) !== undefined) continue;
      const restored = repeated.#recordOf(index + 1);
      this.#places[index] = this.#store.append(restored);
      if (index === number - 1) wantedRecord = restored;
    }
    return requireDefined(wantedRecord, `record of checkpoint ${number}`);
  }

  /** Returns the checkpoints that may have a key: those that have it, and hardly ever another one. */
  #linksWithKey(key: string): readonly ShelvedLink[] {
    return this.#index.get(fingerprintOf(key)).flatMap((number) => this.at(number) ?? []);
  }

  /** Returns an old operation. */
  operation(id: OperationId): ArchivedOperation | undefined {
    for (const { operations } of this.#linksWithKey(id)) {
      const match = operations.find((operation) => operation.id === id);
      if (match !== undefined) return match;
    }
    return undefined;
  }

  /** Returns the copies of a hash. */
  copies(hash: Hash): readonly ArchivedSubmission[] {
    return this.#linksWithKey(hash).flatMap(({ operations }) =>
      operations.flatMap(({ copies }) => copies.filter((copy) => hashesOf(copy).includes(hash))),
    );
  }

  /** Returns the operation that used a nonce, by account and nonce. */
  decider(nonce: string): OperationId | undefined {
    return this.#linksWithKey(nonceIndexKey(nonce))
      .find(({ deciders }) => deciders.has(nonce))
      ?.deciders.get(nonce);
  }

  linkByHash(hash: Hash): ChainLink | undefined {
    return this.#linksWithKey(hash).find(({ link }) => link.hash === hash)?.link;
  }

  /** Yields the operations of all checkpoints. O(history). */
  *operations(): Iterable<ArchivedOperation> {
    for (let number = 1; number <= this.count; number++) yield* this.at(number)?.operations ?? [];
  }

  /** Returns its places. O(checkpoints). */
  capture(): readonly RecordPlace[] {
    return [...this.#places];
  }

  /** Returns to a captured state. O(operations): the keys of all records are read again. */
  restore(places: readonly RecordPlace[]): void {
    this.#places = [...places];
    this.#index = new KeyIndex();
    this.#read = new Map();
    for (let number = 1; number <= this.count; number++) {
      const record = this.#recordOf(number);
      const [count = 0] = numbersIn(record, 1);
      for (const key of numbersIn(record, 1 + count).subarray(1)) this.#index.add(key, number);
    }
  }
}

/** Store in memory, for a network without a file. */
export class MemoryStore implements RecordStore {
  readonly #records: Uint8Array[] = [];

  append(bytes: Uint8Array): RecordPlace {
    this.#records.push(bytes);
    return { at: this.#records.length - 1, bytes: bytes.length };
  }

  read({ at }: RecordPlace): Uint8Array {
    return requireDefined(this.#records[at], "a place of this store");
  }
}

/** Key under which the decider of a nonce is found. */
function nonceIndexKey(key: string): string {
  return `nonce ${key}`;
}

function keysOf({ link, operations, deciders }: ShelvedLink): readonly string[] {
  return [
    link.hash,
    ...operations.flatMap(({ id, copies }) => [id, ...copies.flatMap(hashesOf).filter((hash) => hash !== id)]),
    ...[...deciders.keys()].map(nonceIndexKey),
  ];
}

/** Bytes of a number: of how many keys there are, and of each key. */
const NUMBER_BYTES = 4;

function numbersIn(bytes: Uint8Array, count: number): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes.subarray(0, NUMBER_BYTES * count)).buffer);
}

/** Returns 32 bits of a text. */
function fingerprintOf(key: string): number {
  return mixTexts(key).a >>> 0;
}

const NONE: readonly number[] = [];

/** Numbers by fingerprints, several of one if need be: an open table of eight bytes a place, at most three quarters full. */
class KeyIndex {
  /** Fingerprint and number, 0 for a free place, by turns. */
  #slots = new Uint32Array(2 * 1_024);
  #count = 0;

  add(fingerprint: number, number: number): void {
    if (4 * (this.#count + 1) > 3 * (this.#slots.length / 2)) this.#grow();
    this.#insert(fingerprint, number);
    this.#count += 1;
  }

  get(fingerprint: number): readonly number[] {
    const slots = this.#slots;
    let numbers = NONE;
    const mask = slots.length / 2 - 1;
    for (let slot = fingerprint & mask; ; slot = (slot + 1) & mask) {
      const number = slots[2 * slot + 1] as number;
      if (number === 0) return numbers;
      if (slots[2 * slot] === fingerprint) numbers = [...numbers, number];
    }
  }

  #insert(fingerprint: number, number: number): void {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    let slot = fingerprint & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = fingerprint;
    slots[2 * slot + 1] = number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2)
      if (old[at + 1] !== 0) this.#insert(old[at] as number, old[at + 1] as number);
  }
}
