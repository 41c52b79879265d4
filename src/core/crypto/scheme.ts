import type { Address, Brand, Hash, Signature } from "../base/ids.ts";

/** 32 secret bytes as `0x` and 64 hex digits. Never leaves the signer that holds it. */
export type PrivateKey = Brand<string, "PrivateKey">;

/**
 * Signature scheme with address recovery (specification 4.1). Two exist: `secp256k1` (real) and `keyed-hash` (a
 * stand-in for large sweeps). All functions are pure.
 */
export interface Scheme {
  readonly name: "secp256k1" | "keyed-hash";
  /** True if recovering again costs less than a cache lookup. */
  readonly isQuick: boolean;
  /** Returns the address that belongs to a private key. */
  addressOf(key: PrivateKey): Address;
  /**
   * Signs a 32-byte digest, deterministically (RFC 6979, no extra entropy) and with low s. `address`: the key's, for
   * callers that know it already.
   */
  sign(key: PrivateKey, digest: Hash, address?: Address): Signature;
  /** Returns the address that signed `digest`, or `undefined` for a malformed signature, a high s or no such point. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}
