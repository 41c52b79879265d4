/** Hierarchical private keys (BIP-32) over the system's own hash and curve. */
import { createECDH, createHmac } from "node:crypto";
import { assert } from "../../core/base/assert.ts";

/** Key from which others are derived. */
export type ParentKey = Readonly<{ key: Uint8Array; chainCode: Uint8Array }>;

/** First of the indices that need the private key of the parent: written `44'` in a path. */
const HARDENED = 0x8000_0000;

/** Order of the group of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the key at a path such as `m/44'/60'/0'/0`, which begins at the key of the seed. */
export function keyAt(seed: Uint8Array, path: string): ParentKey {
  const [root, ...indices] = path.split("/");
  assert(root === "m", "a path begins at the key of the seed");
  let found = halves(hmac("Bitcoin seed", seed));
  for (const text of indices) {
    const index = Number.parseInt(text, 10) + (text.endsWith("'") ? HARDENED : 0);
    found = child(found, index, index < HARDENED ? publicKeyOf(found) : undefined);
  }
  return found;
}

/** Returns the private keys of the first children, none of them hardened. */
export function childKeys(parent: ParentKey, count: number): readonly Uint8Array[] {
  const publicKey = publicKeyOf(parent);
  return Array.from({ length: count }, (_, index) => child(parent, index, publicKey).key);
}

/** `publicKey`: of the parent, for indices that are not hardened. */
function child(parent: ParentKey, index: number, publicKey: Uint8Array | undefined): ParentKey {
  const place = Buffer.alloc(4);
  place.writeUInt32BE(index);
  const { key, chainCode } = halves(
    hmac(parent.chainCode, Buffer.concat([publicKey ?? Buffer.concat([Buffer.alloc(1), parent.key]), place])),
  );
  const [tweak, own] = [numberOf(key), numberOf(parent.key)];
  const sum = (tweak + own) % ORDER;
  // Of a chance of 2^-127; BIP-32 has no key at such an index.
  assert(tweak < ORDER && sum !== 0n, "every index has a key");
  return { key: Buffer.from(sum.toString(16).padStart(64, "0"), "hex"), chainCode };
}

/** Compressed: 33 bytes. */
function publicKeyOf({ key }: ParentKey): Uint8Array {
  const curve = createECDH("secp256k1");
  curve.setPrivateKey(key);
  return curve.getPublicKey(null, "compressed");
}

function hmac(key: string | Uint8Array, bytes: Uint8Array): Buffer {
  return createHmac("sha512", key).update(bytes).digest();
}

function halves(bytes: Buffer): ParentKey {
  return { key: bytes.subarray(0, 32), chainCode: bytes.subarray(32) };
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}
