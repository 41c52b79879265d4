/** Signature schemes, their keys, and verifiers that recover signers with a cache. */
import type { Address, Brand, Hash, PublicKey, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";

/**
 * Recoveries that one `Verifier` keeps. Each entry is about 350 bytes of text, and a real recovery costs about 2 ms,
 * while a node meets the same vote, proposal or operation again within seconds.
 */
const VERIFIER_CACHE = 16_384;

/** 32 secret bytes as `0x` and 64 hex digits. Never leaves the signer that holds it. */
export type PrivateKey = Brand<string, "PrivateKey">;

/**
 * Signature scheme with address recovery (specification 4.1). Two exist: `secp256k1` (real) and `keyed-hash` (a
 * stand-in for large sweeps). All functions are pure.
 */
export interface Scheme {
  readonly name: "secp256k1" | "keyed-hash";
  /** Implementation behind it; results never depend on it. */
  readonly backend: "native" | "wasm" | "noble" | "stand-in";
  /** True if recovering again costs less than a cache lookup. */
  readonly isQuick: boolean;
  /** Returns the address that belongs to a private key. */
  addressOf(key: PrivateKey): Address;
  /** Returns the public key that belongs to a private key. */
  publicKeyOf(key: PrivateKey): PublicKey;
  /** Returns the address of a public key, `undefined` if nobody can sign with it. */
  addressOfPublic(key: PublicKey): Address | undefined;
  /**
   * Signs a 32-byte digest, deterministically (RFC 6979, no extra entropy) and with low s. `address`: the key's, for
   * callers that know it already.
   */
  sign(key: PrivateKey, digest: Hash, address?: Address): Signature;
  /** Returns another valid signature of the same key and digest, by another secret number; deterministic, and with low s. */
  signAgain(key: PrivateKey, digest: Hash): Signature;
  /** Returns the address that signed `digest`, or `undefined` for a malformed signature, a high s or no such point. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}

/** Recovers signers, with a cache. */
export interface Verifier {
  /** Returns the address that signed `digest`, or `undefined` if `Scheme.recover` returns none. */
  recover(digest: Hash, signature: Signature): Address | undefined;
  /** As `Scheme.addressOfPublic`. */
  addressOfPublic(key: PublicKey): Address | undefined;
}

/**
 * Returns a verifier with a cache of its own, keyed by the exact bytes of digest and signature, failures included, and
 * bounded, so that no peer can make it grow. Results never depend on the cache; a scheme that is faster than the cache
 * needs none.
 */
export function createVerifier(scheme: Scheme): Verifier {
  if (scheme.isQuick) return scheme;
  const memo = new MemoTable<string, Address | "">(VERIFIER_CACHE);
  return {
    recover: (digest, signature) =>
      memo.getOrCompute(`${digest}${signature}`, () => scheme.recover(digest, signature) ?? "") || undefined,
    addressOfPublic: (key) => scheme.addressOfPublic(key),
  };
}
