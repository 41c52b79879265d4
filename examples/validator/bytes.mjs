// Bytes: hex text, RLP and Keccak-256 (wire 3.1, validator wire 2).
import { keccak_256 } from "@noble/hashes/sha3.js";

const encoder = new TextEncoder();
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The bytes of a `0x` text. */
export function raw(hex) {
  const bytes = new Uint8Array((hex.length - 2) >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 + 2 * i, 4 + 2 * i), 16);
  return bytes;
}

export function utf8(text) {
  return encoder.encode(text);
}

export function toHex(bytes) {
  let text = "0x";
  for (const byte of bytes) text += hexPairs[byte];
  return text;
}

export function concat(...chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Minimal big-endian bytes; 0 is the empty string. */
function integerBytes(value) {
  if (value === 0 || value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return raw(`0x${digits.length % 2 === 1 ? "0" : ""}${digits}`);
}

function lengthPrefix(length, base) {
  if (length < 56) return Uint8Array.of(base + length);
  const bytes = integerBytes(length);
  return concat(Uint8Array.of(base + 55 + bytes.length), bytes);
}

function stringItem(bytes) {
  if (bytes.length === 1 && bytes[0] < 0x80) return bytes;
  return concat(lengthPrefix(bytes.length, 0x80), bytes);
}

/** RLP of an item: a list, bytes, an integer, a boolean or a text (wire 3.1). */
export function rlp(item) {
  if (Array.isArray(item)) {
    const body = concat(...item.map(rlp));
    return concat(lengthPrefix(body.length, 0xc0), body);
  }
  if (item instanceof Uint8Array) return stringItem(item);
  if (typeof item === "string") return stringItem(utf8(item));
  if (typeof item === "boolean") return stringItem(item ? Uint8Array.of(1) : new Uint8Array(0));
  return stringItem(integerBytes(item));
}

export function keccak(bytes) {
  return toHex(keccak_256(bytes));
}

/** `H(tag, items...)` of validator wire 2. */
export function H(tag, ...items) {
  return keccak(rlp([tag, ...items]));
}
