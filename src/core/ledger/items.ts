/** Strict readers of RLP items: each accepts exactly what its writer in base/encoding.ts makes (wire 3.1). */
import { type Amount, toAmount } from "../base/amount.ts";
import { type Item, toHex } from "../base/encoding.ts";
import { type Address, type Hash, type Signature, toAddress, toHash, toSignature } from "../base/ids.ts";

/** @throws RangeError always: the bytes are not those that the writer makes. */
export function malformed(what: string, expected: string): never {
  throw new RangeError(`${what}: expected ${expected}`);
}

/** Reads a list of items. @throws RangeError for bytes, or if `length` is given and differs. */
export function readList(item: Item | undefined, what: string, length?: number): readonly Item[] {
  if (item === undefined || item instanceof Uint8Array) return malformed(what, "a list");
  if (length !== undefined && item.length !== length) return malformed(what, `${length} items, got ${item.length}`);
  return item;
}

/** Reads a byte string. @throws RangeError for a list. */
function readBytes(item: Item | undefined, what: string): Uint8Array {
  return item instanceof Uint8Array ? item : malformed(what, "a byte string");
}

/** Reads a minimal unsigned integer. @throws RangeError for a leading zero byte or more than 32 bytes. */
function readUint(item: Item | undefined, what: string): bigint {
  const bytes = readBytes(item, what);
  if (bytes.length > 32) return malformed(what, "at most 32 bytes");
  if (bytes[0] === 0) return malformed(what, "an integer without leading zeros");
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** @throws RangeError past 2^53 - 1. */
export function readCount(item: Item | undefined, what: string): number {
  const value = readUint(item, what);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : malformed(what, "at most 2^53 - 1");
}

/** @throws RangeError unless it is a minimal integer of at most 256 bits. */
export function readAmount(item: Item | undefined, what: string): Amount {
  return toAmount(readUint(item, what));
}

/** Reads a text. @throws RangeError for bytes that are not UTF-8. */
export function readText(item: Item | undefined, what: string): string {
  const bytes = readBytes(item, what);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return malformed(what, "UTF-8");
  }
}

/** Reads one of a closed set of words. @throws RangeError for any other text. */
export function readWord<T extends string>(item: Item | undefined, what: string, words: readonly T[]): T {
  const word = readText(item, what);
  return words.find((known) => known === word) ?? malformed(what, `one of ${words.join(", ")}`);
}

/** @throws RangeError unless it is the empty string or one byte 01. */
export function readBool(item: Item | undefined, what: string): boolean {
  const bytes = readBytes(item, what);
  if (bytes.length === 0) return false;
  return bytes.length === 1 && bytes[0] === 1 ? true : malformed(what, "a boolean");
}

/** @throws RangeError unless it has 20 bytes. */
export function readAddress(item: Item | undefined, what: string): Address {
  return toAddress(toHex(sized(item, what, 20)));
}

/** @throws RangeError unless it has 32 bytes. */
export function readHash(item: Item | undefined, what: string): Hash {
  return toHash(toHex(sized(item, what, 32)));
}

/** @throws RangeError unless it has 65 bytes. */
export function readSignature(item: Item | undefined, what: string): Signature {
  return toSignature(toHex(sized(item, what, 65)));
}

/** Reads an optional value: an empty list, or a list of one item. */
export function readOptional<T>(
  item: Item | undefined,
  what: string,
  read: (item: Item | undefined, what: string) => T,
): T | undefined {
  const list = readList(item, what);
  if (list.length > 1) return malformed(what, "at most one item");
  return list.length === 0 ? undefined : read(list[0], what);
}

/** Returns the item of an optional value: an empty list, or a list of one item. */
export function optional<T>(value: T | undefined, write: (value: T) => Item): Item {
  return value === undefined ? [] : [write(value)];
}

function sized(item: Item | undefined, what: string, length: number): Uint8Array {
  const bytes = readBytes(item, what);
  return bytes.length === length ? bytes : malformed(what, `${length} bytes, got ${bytes.length}`);
}
