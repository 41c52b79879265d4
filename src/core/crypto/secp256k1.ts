/** Real scheme: ECDSA over secp256k1 (specification 4.1; wire 3.5). */
import { secp256k1 as curve } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { assert } from "../base/assert.ts";
import { fromHex, toHex } from "../base/encoding.ts";
import { type Address, type Hash, isSignature, type Signature } from "../base/ids.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";

/** Largest s that is accepted: half the order of the group. The other half would give a second signature. */
const HALF_ORDER = curve.Point.CURVE().n >> 1n;

/** Keys, signatures and addresses as on Ethereum. About 1 ms to sign and 2 ms to recover. */
export const secp256k1: Scheme = { name: "secp256k1", isQuick: false, addressOf, sign, recover };

/** The last 20 bytes of keccak-256 of the uncompressed public key without its 04 byte (wire 3.6). */
function addressOf(key: PrivateKey): Address {
  return addressOfPoint(curve.getPublicKey(fromHex(key), false));
}

/** RFC 6979 without extra entropy: one key and one digest always give the same bytes. */
function sign(key: PrivateKey, digest: Hash): Signature {
  const signed = curve.sign(fromHex(digest), fromHex(key), {
    prehash: false,
    lowS: true,
    extraEntropy: false,
    format: "recovered",
  });
  const parity = signed[0] as number;
  // 2 and 3 mean that r wrapped around the order of the group: one signature in 2^127.
  assert(parity < 2, `signature: r wrapped around, recovery ${parity}`);
  return `${toHex(signed.subarray(1))}${parity === 0 ? "00" : "01"}` as Signature;
}

/** Refuses high s, every parity but 0 and 1, and upper-case digits: a signature is not malleable. */
function recover(digest: Hash, signature: Signature): Address | undefined {
  if (!isSignature(signature)) return undefined;
  const parity = Number(`0x${signature.slice(130)}`);
  if (parity !== 0 && parity !== 1) return undefined;
  const r = BigInt(signature.slice(0, 66));
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  if (s > HALF_ORDER) return undefined;
  try {
    const point = new curve.Signature(r, s, parity).recoverPublicKey(fromHex(digest));
    return addressOfPoint(point.toBytes(false));
  } catch {
    // The library throws for r or s outside 1 .. n - 1, an x that is on no point, and the point at infinity.
    return undefined;
  }
}

function addressOfPoint(uncompressed: Uint8Array): Address {
  return toHex(keccak_256(uncompressed.subarray(1)).subarray(12)) as Address;
}
