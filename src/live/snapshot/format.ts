/**
 * Binary form of a graph of plain data: records, lists, maps, sets, tables, tries and books of signatures. An object that
 * occurs several times is written once and is one object again when it is read, as are equal texts. Functions and other
 * classes have no form. The first byte of a value is its tag; numbers, lengths and references follow as varints.
 *
 * Writer and reader of its bytes: integers as varints, texts, and hexadecimal texts as the bytes that they show.
 */

import { AssertionError } from "../../core/base/assert.ts";
import { toHex } from "../../core/base/encoding.ts";
import { entryOf } from "../../core/base/entry.ts";

export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  /** A safe integer, zigzag. */
  integer: 4,
  /** Any other number: eight bytes. */
  float: 5,
  /** Its decimal text. */
  bigint: 6,
  /** Number of bytes, and these in UTF-8. */
  text: 7,
  /** Text of 0x and an even number of small hexadecimal digits: number of bytes, and these. */
  hex: 8,
  /** Number of a text that was written before. */
  sameText: 9,
  /** Number of an object that was written before. */
  same: 10,
  list: 11,
  map: 12,
  set: 13,
  /** Number of a shape that was written before, and the values of its members. */
  record: 14,
  /** Number of members, their names, and their values. */
  newShape: 15,
  /** Number of entries, in the order of their arrival. */
  table: 16,
  /** Number of entries, and the root if there are any. */
  trie: 17,
  leaf: 18,
  branch: 19,
  /** Slot, epoch, rounds and statements by signer. */
  book: 20,
} as const;

/** Names of the members of records, in their order: a tree with one edge for each next name. */
export interface RecordShape {
  readonly names: readonly string[];
  /** Order of its first use; `undefined` if no record has had it yet. */
  number: number | undefined;
  readonly longer: Map<string, RecordShape>;
}

/** Returns the shape of a record, a new one if no record had its members in this order. */
export function shapeOf(root: RecordShape, record: object): RecordShape {
  let shape = root;
  for (const name in record) {
    const { names, longer } = shape;
    shape = entryOf(longer, name, () => ({ names: [...names, name], number: undefined, longer: new Map() }));
  }
  return shape;
}

const BLOCK = 65_536;
const LOW_BITS = 128;

export class ByteWriter {
  #bytes = Buffer.alloc(BLOCK);
  #length = 0;

  /** Number of bytes that were not taken yet. */
  get length(): number {
    return this.#length;
  }

  /** Returns the bytes since the last call. */
  take(): Uint8Array {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A natural number up to 2^53. */
  natural(value: number): void {
    this.#reserve(8);
    let remaining = value;
    while (remaining >= LOW_BITS) {
      this.#bytes[this.#length++] = (remaining % LOW_BITS) + LOW_BITS;
      remaining = Math.floor(remaining / LOW_BITS);
    }
    this.#bytes[this.#length++] = remaining;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleBE(value, this.#length);
  }

  text(value: string): void {
    this.#write(value, Buffer.byteLength(value), "utf8");
  }

  /** The bytes of 0x and an even number of small hexadecimal digits. */
  hex(value: string): void {
    this.#write(value.slice(2), (value.length - 2) / 2, "hex");
  }

  #write(value: string, count: number, encoding: "utf8" | "hex"): void {
    this.natural(count);
    this.#reserve(count);
    this.#length += this.#bytes.write(value, this.#length, count, encoding);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * this.#bytes.length + count);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Returns true for 0x and an even number of small hexadecimal digits. */
export function isHex(text: string): boolean {
  return /^0x(?:[0-9a-f]{2})+$/.test(text);
}

/** Reader of what a `ByteWriter` wrote. @throws AssertionError past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new AssertionError("snapshot: it ends too early");
    return value;
  }

  natural(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const next = this.byte();
      if (next < LOW_BITS) return value + next * scale;
      value += (next - LOW_BITS) * scale;
      scale *= LOW_BITS;
    }
  }

  float(): number {
    this.#at += 8;
    return this.#bytes.readDoubleBE(this.#at - 8);
  }

  text(): string {
    return this.#next(this.natural()).toString();
  }

  hex(): string {
    const bytes = this.#next(this.natural());
    return bytes.length <= DIGITS_AT_ONCE ? digitsOf(bytes) : toHex(bytes);
  }

  #next(count: number): Buffer {
    if (this.#at + count > this.#bytes.length) throw new AssertionError("snapshot: it ends too early");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

/** Bytes whose digits are arguments of one call. */
const DIGITS_AT_ONCE = 1_024;

/** Returns one flat text. Parts added to each other stay a tree in memory, of a node for each part. */
function digitsOf(bytes: Uint8Array): string {
  const codes = [48, 120];
  for (const byte of bytes) codes.push(codeOf(byte >> 4), codeOf(byte & 15));
  return String.fromCharCode(...codes);
}

function codeOf(digit: number): number {
  return digit < 10 ? 48 + digit : 87 + digit;
}

/** Entries of one map of the engine, which holds at most 2^24. */
const NUMBERED_MAX = 8_000_000;

/** Numbers of objects in the order of their first occurrence. */
export class ObjectNumbers {
  readonly #maps: Map<object, number>[] = [new Map()];
  #count = 0;

  /** Returns the number of an object that has one, else gives it the next one and returns `undefined`. */
  numberOf(object: object): number | undefined {
    for (const map of this.#maps) {
      const known = map.get(object);
      if (known !== undefined) return known;
    }
    let last = this.#maps.at(-1) as Map<object, number>;
    if (last.size >= NUMBERED_MAX) {
      last = new Map();
      this.#maps.push(last);
    }
    last.set(object, this.#count++);
    return undefined;
  }

  all(): object[] {
    return this.#maps.flatMap((map) => [...map.keys()]);
  }
}
