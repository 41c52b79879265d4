/**
 * The canonical bytes of everything that is hashed or signed: RLP items as in wire 3.1. One value has one
 * encoding: integers are minimal, texts are UTF-8, hex fields are raw bytes.
 */
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** An RLP item: bytes, or a list of items. Made by the functions below, so that a text is never taken for hex. */
export type Item = Uint8Array | readonly Item[];

/** A non-negative integer: minimal big-endian, 0 is the empty string. @throws RangeError when negative or unsafe. */
export function uint(value: bigint | number): Item {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`uint: expected a safe integer or a bigint, got ${value}`);
  }
  if (value < 0) throw new RangeError(`uint: expected at least 0, got ${value}`);
  if (value === 0 || value === 0n) return new Uint8Array(0);
  const hex = value.toString(16);
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Text as UTF-8. Most texts are short tags of ASCII letters, which need no call out of the language. */
export function text(value: string): Item {
  const bytes = new Uint8Array(value.length);
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code > 127) return utf8ToBytes(value);
    bytes[at] = code;
  }
  return bytes;
}

/** Raw bytes given as `0x` and an even number of hex digits. @throws RangeError otherwise. */
export function hex(value: string): Item {
  return fromHex(value);
}

/** True is 0x01, false is the empty string (wire 3.1). */
export function bool(value: boolean): Item {
  return value ? new Uint8Array([1]) : new Uint8Array(0);
}

/** Returns the item of a part that may be absent: an empty list, or a list of one item. */
export function optional<T>(value: T | undefined, write: (value: T) => Item): Item {
  return value === undefined ? [] : [write(value)];
}

/** The RLP bytes of an item (wire 3.1). */
export function encode(item: Item): Uint8Array {
  const bytes = new Uint8Array(sizeOf(item));
  writeBefore(bytes.length, item, bytes);
  return bytes;
}

/** Items up to this number of bytes are preceded by one byte, longer ones by the length of their length. */
const SHORT = 55;
const BYTES = 0x80;
const LIST = 0xc0;

function isBytes(item: Item): item is Uint8Array {
  return item instanceof Uint8Array;
}

/** Returns the number of bytes of an encoded item. */
function sizeOf(item: Item): number {
  if (isBytes(item) && item.length === 1 && (item[0] as number) < BYTES) return 1;
  let size = isBytes(item) ? item.length : 0;
  if (!isBytes(item)) for (const part of item) size += sizeOf(part);
  return size <= SHORT ? size + 1 : size + 1 + lengthBytes(size);
}

function lengthBytes(length: number): number {
  let count = 0;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) count += 1;
  return count;
}

/** Writes an item so that it ends before `end`, and returns where it begins: a list's length is known when it is written. */
function writeBefore(end: number, item: Item, into: Uint8Array): number {
  if (!isBytes(item)) {
    let begin = end;
    for (let at = item.length - 1; at >= 0; at--) begin = writeBefore(begin, item[at] as Item, into);
    return writeLength(begin, end - begin, LIST, into);
  }
  const begin = end - item.length;
  into.set(item, begin);
  if (item.length === 1 && (item[0] as number) < BYTES) return begin;
  return writeLength(begin, item.length, BYTES, into);
}

function writeLength(end: number, length: number, kind: number, into: Uint8Array): number {
  let begin = end;
  if (length > SHORT)
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
      begin -= 1;
      into[begin] = rest % 256;
    }
  const written = end - begin;
  begin -= 1;
  into[begin] = length > SHORT ? kind + SHORT + written : kind + length;
  return begin;
}

/** Returns the bytes of all parts, in their order. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...parts);
}

/** `0x` and lower-case hex digits. A hash costs half of what the library takes, and makes one text only. */
export function toHex(bytes: Uint8Array): string {
  if (bytes.length !== HASH_BYTES) return `0x${bytesToHex(bytes)}`;
  for (let at = 0; at < HASH_BYTES; at++) {
    const byte = bytes[at] as number;
    HASH_CHARACTERS[2 + 2 * at] = HEX_DIGITS.charCodeAt(byte >> 4);
    HASH_CHARACTERS[3 + 2 * at] = HEX_DIGITS.charCodeAt(byte & 15);
  }
  return String.fromCharCode(...HASH_CHARACTERS);
}

const HASH_BYTES = 32;
const HEX_DIGITS = "0123456789abcdef";
/** Codes of the characters of one hash, filled anew for each. */
const HASH_CHARACTERS: number[] = Array.from(`0x${"0".repeat(2 * HASH_BYTES)}`, (character) => character.charCodeAt(0));

/** The bytes of `0x` and an even number of hex digits. @throws RangeError otherwise. */
export function fromHex(value: string): Uint8Array {
  if (!value.startsWith("0x"))
    throw new RangeError(`hex: expected a leading 0x, got ${JSON.stringify(value.slice(0, 80))}`);
  return hexToBytes(value.slice(2));
}
