import { keccak_256 } from "@noble/hashes/sha3.js";
import { encode, type Item, text, toHex } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";

/** An implementation of keccak-256. */
export type Keccak = (bytes: Uint8Array) => Uint8Array;

let implementation: Keccak = keccak_256;

/** Makes `quicker` compute every later keccak of this process. It must return the same bytes as the one of noble. */
export function useKeccak(quicker: Keccak): void {
  implementation = quicker;
}

/** Keccak-256 of raw bytes, as 32 bytes (not SHA3-256: wire 3.1). */
export function keccakBytes(bytes: Uint8Array): Uint8Array {
  return implementation(bytes);
}

/** Keccak-256 of raw bytes, as text. */
export function keccak(bytes: Uint8Array): Hash {
  return toHex(keccakBytes(bytes)) as Hash;
}

/**
 * Keccak-256 of the RLP list [tag, ...items]. The tag separates domains: a vote can never be read as a commit, a leaf
 * never as a node (protocol 3.0).
 */
export function taggedHash(tag: string, ...items: readonly Item[]): Hash {
  return keccak(encode([text(tag), ...items]));
}
