/**
 * Canonical bytes of everything that is hashed or signed: RLP items as in wire 3.1. One value has one encoding:
 * integers are minimal, texts are UTF-8, hex fields are raw bytes, and decoding refuses anything else.
 */
import { RLP } from "@ethereumjs/rlp";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** RLP item: bytes, or a list of items. Made by the functions below, so that a text is never taken for hex. */
export type Item = Uint8Array | readonly Item[];

/** Non-negative integer: minimal big-endian, 0 is the empty string. @throws RangeError if negative or unsafe. */
export function uint(value: bigint | number): Item {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`uint: expected a safe integer or a bigint, got ${value}`);
  }
  if (value < 0) throw new RangeError(`uint: expected at least 0, got ${value}`);
  if (value === 0 || value === 0n) return new Uint8Array(0);
  const hex = value.toString(16);
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Text as UTF-8. Most texts are short tags of ASCII letters, encoded here without a call of the encoder. */
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

/** Returns the RLP bytes of an item. */
export function encode(item: Item): Uint8Array {
  return RLP.encode(item as Parameters<typeof RLP.encode>[0]);
}

/**
 * Returns the item that exactly these bytes encode. @throws Error on trailing bytes or any encoding that is not
 * canonical.
 */
export function decode(bytes: Uint8Array): Item {
  // The library reads zero bytes as the empty string, whose one encoding is 0x80.
  if (bytes.length === 0) throw new RangeError("encoding: expected an RLP item, got no bytes");
  return RLP.decode(bytes) as Item;
}

/** Returns `0x` and lower-case hex digits. */
export function toHex(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** Returns the bytes of `0x` and an even number of hex digits. @throws RangeError otherwise. */
export function fromHex(value: string): Uint8Array {
  if (!value.startsWith("0x"))
    throw new RangeError(`hex: expected a leading 0x, got ${JSON.stringify(value.slice(0, 80))}`);
  return hexToBytes(value.slice(2));
}
