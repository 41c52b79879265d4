/**
 * Stand-in for secp256k1 in large sweeps: about a hundred times faster, with the same shapes and two signatures for a key
 * and a digest. It is no signature scheme: anybody who knows an address can compute its tags. In a simulation no program
 * does, since Byzantine nodes sign with their own keys only.
 */
import { type Address, type Hash, isPublicKey, isSignature, type PublicKey, type Signature } from "../base/ids.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";
import { hexWord, wordHex } from "./words.ts";

/** Pure and fast; r carries the address and s a 128-bit tag over (address, digest). */
export const keyedHash: Scheme = {
  name: "keyed-hash",
  backend: "stand-in",
  isQuick: true,
  addressOf,
  publicKeyOf: (key) => `${PUBLIC_PREFIX}${addressOf(key).slice(2)}` as PublicKey,
  addressOfPublic: (key) =>
    isPublicKey(key) && key.startsWith(PUBLIC_PREFIX) ? (`0x${key.slice(-40)}` as Address) : undefined,
  sign,
  signAgain: (key, digest) => signatureOf(addressOf(key), digest, 1),
  recover,
};

/** A public key is the address, padded to the 33 bytes of a compressed key. */
const PUBLIC_PREFIX = `0x02${"0".repeat(24)}`;

/** 160 bits over the private key, by the same mix as the tags: signing must not cost a keccak. */
function addressOf(key: PrivateKey): Address {
  const tag = (number: number): string => {
    const mix = new KeyedMix();
    mix.hex(key);
    mix.word(number);
    return mix.digits();
  };
  return `0x${tag(0)}${tag(1).slice(0, 8)}` as Address;
}

function sign(key: PrivateKey, digest: Hash, address: Address = addressOf(key)): Signature {
  return signatureOf(address, digest);
}

/** 0x and the hex digits of 32 bytes. */
const DIGEST_DIGITS = 66;

/** An address has two signatures over a digest, of `sign` and of `signAgain`: anything else is refused. */
function recover(digest: Hash, signature: Signature): Address | undefined {
  // Otherwise an address in upper case would count as another signer's.
  if (digest.length !== DIGEST_DIGITS || !isSignature(signature)) return undefined;
  const address = `0x${signature.slice(26, 66)}` as Address;
  const isFirst = signatureOf(address, digest) === signature;
  return isFirst || signatureOf(address, digest, 1) === signature ? address : undefined;
}

/**
 * r: the address, padded. s: a leading 01, which keeps it low and not zero, then the tag. Parity 0. Joined, and not added:
 * a sum of texts keeps its parts, three times as many bytes, as long as the signature is kept.
 */
function signatureOf(address: Address, digest: Hash, number = 0): Signature {
  const mix = new KeyedMix();
  mix.hex(address);
  mix.hex(digest);
  if (number > 0) mix.word(number);
  const parts = [
    "0x000000000000000000000000",
    address.slice(2),
    "01000000000000000000000000000000",
    mix.digits(),
    "00",
  ];
  return parts.join("") as Signature;
}

/** Running hash of 128 bits: four lanes of 32-bit words in the manner of MurmurHash3, each word into all. */
export class KeyedMix {
  #a = 0x243f6a88;
  #b = 0x85a308d3 | 0;
  #c = 0x13198a2e;
  #d = 0x03707344;

  word(word: number): void {
    this.#a = (spread(this.#a ^ word) + this.#b) | 0;
    this.#b = (spread(this.#b ^ rotate(word, 11)) + this.#c) | 0;
    this.#c = (spread(this.#c ^ rotate(word, 19)) + this.#d) | 0;
    this.#d = (spread(this.#d ^ rotate(word, 27)) + this.#a) | 0;
  }

  /** Mixes an integer that may exceed 32 bits. */
  integer(value: number): void {
    this.word(value | 0);
    this.word(Math.floor(value / 4_294_967_296));
  }

  /** Mixes the hex digits after 0x, eight to a word. */
  hex(text: string): void {
    for (let at = 2; at < text.length; at += 8) this.word(hexWord(text, at));
  }

  /** Spreads the last words over all lanes, and returns 32 hex digits. */
  digits(): string {
    for (let round = 0; round < 8; round++) this.word(0x9e3779b9 + (round & 3));
    return `${wordHex(this.#a)}${wordHex(this.#b)}${wordHex(this.#c)}${wordHex(this.#d)}`;
  }

  /** Returns the digits as a hash, which the stand-in signs. */
  hash(): Hash {
    return `0x${this.digits()}00000000000000000000000000000000` as Hash;
  }
}

/** Bijection of 32-bit integers: the finaliser of MurmurHash3. */
function spread(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
