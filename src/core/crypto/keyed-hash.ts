/**
 * Stand-in for secp256k1 in large sweeps: about a hundred times faster, with the same shapes and the same one signature
 * for a key and a digest. It is no signature scheme: anybody who knows an address can compute its tag. In a simulation
 * no program does, since Byzantine nodes sign with their own keys only.
 */
import { type Address, type Hash, isSignature, type Signature } from "../base/ids.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";

/** Pure and fast; r carries the address and s a 128-bit tag over (address, digest). */
export const keyedHash: Scheme = {
  name: "keyed-hash",
  backend: "stand-in",
  isQuick: true,
  addressOf,
  sign,
  recover,
};

/** Returns 128 bits over a text, written as a hash: what the stand-in signs. Equal texts alone have equal ones. */
export function keyedDigest(text: string): Hash {
  const lanes: Lanes = [0x452821e6, 0x38d01377, 0xbe5466cf | 0, text.length];
  for (let at = 0; at < text.length; at += 2) absorb(lanes, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  stir(lanes);
  stir(lanes);
  return `0x${hexOf(lanes[0])}${hexOf(lanes[1])}${hexOf(lanes[2])}${hexOf(lanes[3])}00000000000000000000000000000000` as Hash;
}

/** 160 bits over the private key, by the same mix as the tags: signing must not cost a keccak. */
function addressOf(key: PrivateKey): Address {
  return `0x${tagOf(key, "0x00000000")}${tagOf(key, "0x00000001").slice(0, 8)}` as Address;
}

function sign(key: PrivateKey, digest: Hash, address: Address = addressOf(key)): Signature {
  return signatureOf(address, digest);
}

/** The only signature of an address over a digest is the one that `sign` makes: anything else is refused. */
function recover(digest: Hash, signature: Signature): Address | undefined {
  // Otherwise an address in upper case would count as another signer's.
  if (!isSignature(signature)) return undefined;
  const address = `0x${signature.slice(26, 66)}` as Address;
  return signatureOf(address, digest) === signature ? address : undefined;
}

/** r: the address, padded. s: a leading 01, which keeps it low and not zero, then the tag. Parity 0. */
function signatureOf(address: Address, digest: Hash): Signature {
  return `0x000000000000000000000000${address.slice(2)}01000000000000000000000000000000${tagOf(address, digest)}00` as Signature;
}

/**
 * Returns 128 bits over two hex texts as 32 hex digits: four lanes of 32-bit words in the manner of MurmurHash3, each
 * word into all.
 */
function tagOf(first: string, second: string): string {
  const lanes: Lanes = [0x243f6a88, 0x85a308d3 | 0, 0x13198a2e, 0x03707344];
  absorbText(lanes, first);
  absorbText(lanes, second);
  stir(lanes);
  stir(lanes);
  return hexOf(lanes[0]) + hexOf(lanes[1]) + hexOf(lanes[2]) + hexOf(lanes[3]);
}

function hexOf(lane: number): string {
  return `${byteHex(lane >>> 24)}${byteHex(lane >>> 16)}${byteHex(lane >>> 8)}${byteHex(lane)}`;
}

/** Returns the low eight bits as two digits: looked up, since `toString(16)` would cost more than the whole mix. */
function byteHex(bits: number): string {
  return BYTES[bits & 255] as string;
}

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

type Lanes = [number, number, number, number];

/** Absorbs the hex digits after 0x, eight to a word. */
function absorbText(lanes: Lanes, text: string): void {
  for (let at = 2; at < text.length; at += 8) {
    let word = 0;
    for (let digit = at; digit < at + 8 && digit < text.length; digit++) {
      const code = text.charCodeAt(digit);
      word = (word << 4) | ((code & 15) + (code >> 6) * 9);
    }
    absorb(lanes, word);
  }
}

function absorb(lanes: Lanes, word: number): void {
  lanes[0] = (mix(lanes[0] ^ word) + lanes[1]) | 0;
  lanes[1] = (mix(lanes[1] ^ rotate(word, 11)) + lanes[2]) | 0;
  lanes[2] = (mix(lanes[2] ^ rotate(word, 19)) + lanes[3]) | 0;
  lanes[3] = (mix(lanes[3] ^ rotate(word, 27)) + lanes[0]) | 0;
}

/** Spreads the last words over all lanes. */
function stir(lanes: Lanes): void {
  for (let round = 0; round < 4; round++) absorb(lanes, 0x9e3779b9 + round);
}

/** Bijection of 32-bit integers: the finaliser of MurmurHash3. */
function mix(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
