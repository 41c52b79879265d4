/**
 * Shelf of old records of a served network: one for each checkpoint that its observers have forgotten, in bytes outside of
 * the heap. Of each key it remembers a place, so that what it keeps in memory for a payment is some dozen bytes.
 */
import { assert } from "../core/base/assert.ts";
import { joinBytes } from "../core/base/encoding.ts";
import type { Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import { mixTexts } from "../simulator/random.ts";
import {
  type ArchivedSubmission,
  type FinalEntry,
  hashesOf,
  type ListedPosition,
  type OperationFate,
  type RecordPlace,
} from "./archive.ts";
import { GraphWriter, readGraph } from "./snapshot/graph.ts";

/** Bytes that are appended and read again; none is ever changed. */
export interface RecordStore {
  append(bytes: Uint8Array): RecordPlace;
  /** @throws Error for bytes that are not those that were appended */
  read(place: RecordPlace): Uint8Array;
}

/** Old operation. */
export interface ShelvedOperation {
  readonly id: OperationId;
  /** All copies, the first one first. */
  readonly copies: readonly ArchivedSubmission[];
  readonly final: FinalEntry | undefined;
  readonly place: ListedPosition | undefined;
  readonly fate: OperationFate | undefined;
}

/** Old checkpoint with the operations that it listed or displaced. */
export interface ShelvedLink {
  readonly link: ChainLink;
  readonly operations: readonly ShelvedOperation[];
  /** Operation that used a nonce, by account and nonce. */
  readonly deciders: ReadonlyMap<string, OperationId>;
}

/** Links that were read last: neighbours are asked for one after the other. */
const READ_KEPT = 4;

export class Shelf {
  readonly #store: RecordStore;
  readonly #constants: readonly object[];
  #places: RecordPlace[] = [];
  #index = new KeyIndex();
  #read = new Map<number, ShelvedLink>();

  /** `constants`: objects that records refer to and that every run of the same setup has. */
  constructor(store: RecordStore, constants: readonly object[]) {
    this.#store = store;
    this.#constants = constants;
  }

  /** Number of checkpoints on it: those with the numbers 1, 2, … */
  get count(): number {
    return this.#places.length;
  }

  /** Puts the next checkpoint on it. O(its operations). */
  put(shelved: ShelvedLink): void {
    const keys = keysOf(shelved).map(fingerprintOf);
    const graph = joinBytes([...new GraphWriter(this.#constants).write(shelved)]);
    const head = new Uint32Array([keys.length, sumOf(graph), ...keys]);
    this.#places.push(this.#store.append(joinBytes([new Uint8Array(head.buffer), graph])));
    for (const key of keys) this.#index.add(key, this.count);
  }

  /** Returns a checkpoint by its number. O(its operations), unless it was asked for just now. */
  at(number: number): ShelvedLink | undefined {
    const known = this.#read.get(number);
    if (known !== undefined) return known;
    const place = this.#places[number - 1];
    if (place === undefined) return undefined;
    const bytes = this.#store.read(place);
    const [keys, sum] = numbersIn(bytes, 2);
    const graph = bytes.subarray(HEAD_BYTES + 4 * (keys ?? 0));
    if (sumOf(graph) !== sum)
      throw new RangeError(`the record of checkpoint ${number} is not the one that was written`);
    const read = readGraph(graph, this.#constants) as ShelvedLink;
    this.#read.set(number, read);
    for (const [oldest] of this.#read) if (this.#read.size > READ_KEPT) this.#read.delete(oldest);
    return read;
  }

  /** Returns the checkpoints that may have a key: those that have it, and hardly ever another one. */
  #linksWithKey(key: string): readonly ShelvedLink[] {
    return this.#index.get(fingerprintOf(key)).flatMap((number) => this.at(number) ?? []);
  }

  /** Returns an old operation. */
  operation(id: OperationId): ShelvedOperation | undefined {
    for (const { operations } of this.#linksWithKey(id)) {
      const found = operations.find((operation) => operation.id === id);
      if (found !== undefined) return found;
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
    for (const { deciders } of this.#linksWithKey(nonceIndexKey(nonce))) {
      const by = deciders.get(nonce);
      if (by !== undefined) return by;
    }
    return undefined;
  }

  linkByHash(hash: Hash): ChainLink | undefined {
    return this.#linksWithKey(hash).find(({ link }) => link.hash === hash)?.link;
  }

  /** Yields the final operations. O(history). */
  *finals(): Iterable<readonly [OperationId, FinalEntry]> {
    for (let number = 1; number <= this.count; number++)
      for (const { id, final } of this.at(number)?.operations ?? []) if (final !== undefined) yield [id, final];
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
    for (const [index, { at }] of places.entries()) {
      const [count = 0] = numbersIn(this.#store.read({ at, bytes: HEAD_BYTES }), 1);
      const keys = numbersIn(this.#store.read({ at, bytes: HEAD_BYTES + 4 * count }), 2 + count).subarray(2);
      for (const key of keys) this.#index.add(key, index + 1);
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

  read({ at, bytes }: RecordPlace): Uint8Array {
    const record = this.#records[at];
    assert(record !== undefined, "a place of another store");
    return record.subarray(0, bytes);
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

/** Bytes of the number of keys and of the checksum, which precede the keys. */
const HEAD_BYTES = 8;

function numbersIn(bytes: Uint8Array, count: number): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes.subarray(0, 4 * count)).buffer);
}

/** Returns a checksum of 32 bits (FNV-1a). */
function sumOf(bytes: Uint8Array): number {
  let mix = 0x811c9dc5;
  for (const byte of bytes) mix = Math.imul(mix ^ byte, 0x01000193);
  return mix >>> 0;
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
    let found = NONE;
    const mask = slots.length / 2 - 1;
    for (let slot = fingerprint & mask; ; slot = (slot + 1) & mask) {
      const number = slots[2 * slot + 1] as number;
      if (number === 0) return found;
      if (slots[2 * slot] === fingerprint) found = [...found, number];
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
