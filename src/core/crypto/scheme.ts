import type { Address, Brand, Hash, Signature } from "../base/ids.ts";

/** 32 secret bytes as `0x` and 64 hex digits. Never leaves the signer that holds it. */
export type PrivateKey = Brand<string, "PrivateKey">;

/**
 * A signature scheme with address recovery (specification 4.1). Two exist: `secp256k1` (real) and
 * `keyed-hash` (a stand-in for large sweeps). All functions are pure.
 */
export interface Scheme {
  readonly name: "secp256k1" | "keyed-hash";
  /** Whether to recover again takes less than to look up what was recovered. */
  readonly isQuick: boolean;
  /** The address that belongs to a private key. */
  addressOf(key: PrivateKey): Address;
  /**
   * Signs a 32-byte digest, deterministically (RFC 6979, no extra entropy) and with low s. `address` is the key's, for
   * who knows it already.
   */
  sign(key: PrivateKey, digest: Hash, address?: Address): Signature;
  /** The address that signed `digest`, or `undefined` for a malformed signature, a high s or no such point. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}
