/** Real scheme: ECDSA over secp256k1 with address recovery (specification 4.1; wire 3.5), over any implementation of the curve. */
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import { assert } from "../base/assert.ts";
import { fromHex, toHex } from "../base/encoding.ts";
import { type Address, type Hash, isSignature, type PublicKey, type Signature } from "../base/ids.ts";
import { keccakBytes } from "./hash.ts";
import type { Scheme } from "./scheme.ts";

/** Order of the group, as a digest is written. */
const ORDER = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/** Largest s that is accepted: half the order of the group. The other half would give a second signature. */
const HALF_ORDER = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";

/** Signature in bytes: r and s (32 bytes each), and the recovery number from 0 to 3. */
export type CurveSignature = Readonly<{ bytes: Uint8Array; recovery: number }>;

/** Implementation of the curve. All are equal in what they return, byte for byte, and differ in speed. */
export interface Curve {
  readonly name: Exclude<Scheme["backend"], "stand-in">;
  /** Returns the public key, uncompressed: 65 bytes. @throws for a key outside 1 to n - 1. */
  publicKey(key: Uint8Array): Uint8Array;
  /** Signs a digest of 32 bytes, below n: RFC 6979 without extra entropy, low s. */
  sign(digest: Uint8Array, key: Uint8Array): CurveSignature;
  /** Returns the public key, uncompressed. @throws or returns null for r or s outside 1 to n - 1 and where no key fits. */
  recover(digest: Uint8Array, signature: CurveSignature): Uint8Array | null;
}

/** Extra entropy of a second signature (RFC 6979, 3.6): another secret number for the same key and digest. */
const OTHER_ENTROPY = new Uint8Array(32).fill(1);

function signWithNoble(digest: Uint8Array, key: Uint8Array, extraEntropy: Uint8Array | false): CurveSignature {
  const signed = noble.sign(digest, key, { prehash: false, lowS: true, extraEntropy, format: "recovered" });
  return { bytes: signed.subarray(1), recovery: signed[0] as number };
}

/** Reference implementation, in plain JavaScript: about 0.5 ms to sign and 1.2 ms to recover. */
const nobleCurve: Curve = {
  name: "noble",
  publicKey: (key) => noble.getPublicKey(key, false),
  sign: (digest, key) => signWithNoble(digest, key, false),
  recover: (digest, { bytes, recovery }) =>
    noble.Signature.fromBytes(bytes).addRecoveryBit(recovery).recoverPublicKey(digest).toBytes(false),
};

/** The real scheme over the reference implementation. Results never depend on the implementation. */
export const secp256k1: Scheme = secp256k1Over(nobleCurve);

/** Returns the real scheme over an implementation of the curve: keys, signatures and addresses as on Ethereum. */
export function secp256k1Over(curve: Curve): Scheme {
  return {
    name: "secp256k1",
    backend: curve.name,
    isQuick: false,
    addressOf: (key) => addressOf(curve.publicKey(fromHex(key))),
    publicKeyOf: (key) => compressKey(curve.publicKey(fromHex(key))),
    addressOfPublic: (key) => addressOfPublic(key),
    sign: (key, digest) => spellSignature(curve.sign(reduceDigest(digest), fromHex(key))),
    signAgain: (key, digest) => spellSignature(signWithNoble(reduceDigest(digest), fromHex(key), OTHER_ENTROPY)),
    recover: (digest, signature) => recover(curve, digest, signature),
  };
}

/** The last 20 bytes of keccak-256 of the uncompressed public key without its 04 byte (wire 3.6). */
function addressOf(uncompressed: Uint8Array): Address {
  return toHex(keccakBytes(uncompressed.subarray(1)).subarray(12)) as Address;
}

/** 02 or 03 by the parity of y, then x. */
function compressKey(uncompressed: Uint8Array): PublicKey {
  const isOdd = ((uncompressed[64] as number) & 1) === 1;
  return `0x${isOdd ? "03" : "02"}${toHex(uncompressed.subarray(1, 33)).slice(2)}` as PublicKey;
}

function addressOfPublic(key: PublicKey): Address | undefined {
  try {
    return addressOf(noble.Point.fromBytes(fromHex(key)).toBytes(false));
  } catch {
    // An x that is on no point.
    return undefined;
  }
}

function spellSignature({ bytes, recovery }: CurveSignature): Signature {
  // 2 and 3 mean that r wrapped around the order of the group: one signature in 2^127.
  assert(recovery < 2, `signature: r wrapped around, recovery ${recovery}`);
  return `${toHex(bytes)}${recovery === 0 ? "00" : "01"}` as Signature;
}

/** RFC 6979 derives the nonce from the digest modulo n; some implementations leave that to their callers. */
function reduceDigest(digest: Hash): Uint8Array {
  if (digest < ORDER) return fromHex(digest);
  return fromHex(`0x${(BigInt(digest) - BigInt(ORDER)).toString(16).padStart(64, "0")}`);
}

/** Refuses high s, every parity but 0 and 1, and upper-case digits: a signature is not malleable. */
function recover(curve: Curve, digest: Hash, signature: Signature): Address | undefined {
  // Some implementations take the first 32 bytes of a longer digest.
  if (digest.length !== ORDER.length || !isSignature(signature) || signature.slice(66, 130) > HALF_ORDER)
    return undefined;
  const bytes = fromHex(signature);
  const recovery = bytes[64] as number;
  if (recovery > 1) return undefined;
  try {
    const key = curve.recover(fromHex(digest), { bytes: bytes.subarray(0, 64), recovery });
    return key === null ? undefined : addressOf(key);
  } catch {
    // Implementations throw for r or s outside 1 to n - 1, an x that is on no point, and the point at infinity.
    return undefined;
  }
}
