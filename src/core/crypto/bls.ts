/** BLS12-381 signatures that add up to one: 48 bytes of G1, public keys of 96 bytes of G2 (wire 1.4, Finalized). */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { fromHex, hex, toHex, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import { taggedHash } from "./hash.ts";
import type { PrivateKey } from "./scheme.ts";

const { Fr } = bls12_381.fields;
const { getPublicKey, sign, verify, hash: hashToCurve, aggregatePublicKeys } = bls12_381.shortSignatures;

/** Returns the secret number of a validator, from 1 to r - 1, which its other key determines. */
function secretOf(key: PrivateKey): bigint {
  const digits = [0, 1].map((part) => taggedHash("bls key", hex(key), uint(part)).slice(2));
  // Of twice the bits of r, so that no secret is likelier than another.
  return (BigInt(`0x${digits.join("")}`) % (Fr.ORDER - 1n)) + 1n;
}

const publicKeys = new MemoTable<PrivateKey, string>(512);

/** Returns the public key that belongs to a validator's other key: 0x and 192 hex digits. About 10 ms, then cached. */
export function blsPublicKey(key: PrivateKey): string {
  return publicKeys.getOrCompute(key, () => toHex(getPublicKey(Fr.toBytes(secretOf(key))).toBytes()));
}

/** Returns the sum of the keys' signatures of 32 bytes: 0x and 96 hex digits. About 10 ms, for any number of keys. */
export function signTogether(keys: readonly PrivateKey[], message: Hash): string {
  // The sum of all signatures is the signature by the sum of all secrets.
  const secret = keys.reduce((sum, key) => Fr.add(sum, secretOf(key)), 0n);
  return toHex(sign(hashToCurve(fromHex(message)), Fr.toBytes(secret)).toBytes());
}

/** Returns true if a signature of 32 bytes is the sum of those of all keys, given in hex. About 30 ms. */
export function isSignedTogether(keys: readonly string[], message: Hash, signature: string): boolean {
  try {
    const key = aggregatePublicKeys(keys.map(fromHex));
    return verify(fromHex(signature), hashToCurve(fromHex(message)), key);
  } catch {
    // No point of the curve, a point outside of the group, or the point at infinity.
    return false;
  }
}
