import { keccak_256 } from "@noble/hashes/sha3.js";
import { encode, type Item, text, toHex } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";

/** Keccak-256 of raw bytes (not SHA3-256: wire 3.1). */
export function keccak(bytes: Uint8Array): Hash {
  return toHex(keccak_256(bytes)) as Hash;
}

/**
 * Keccak-256 of the RLP list [tag, ...items]. The tag separates domains: a vote can never be read as a commit, a leaf
 * never as a node (protocol 3.0).
 */
export function taggedHash(tag: string, ...items: readonly Item[]): Hash {
  return keccak(encode([text(tag), ...items]));
}
