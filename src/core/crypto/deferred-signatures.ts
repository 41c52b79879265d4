/**
 * Signatures that are computed when somebody reads them (decision 043). The validators of a served network sign eight
 * statements for each payment, and clients read few of its certificates. RFC 6979 fixes the signature of a key and a
 * digest, so it is the same whenever it is computed. Until then a mark stands for it, which nobody outside can send.
 */
import { assert } from "../base/assert.ts";
import type { Address, Hash, Signature } from "../base/ids.ts";
import { keyedHash } from "./keyed-hash.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";

/** The last byte of a mark. That of a signature is its parity, 0 or 1, and everything else is refused at the edge. */
const MARK = "ff";

/** Length of a signature as text without its last byte. */
const DIGITS = 130;

export class DeferredSignatures {
  readonly #scheme: Scheme;
  /** Keys whose marks count. */
  readonly #keys = new Map<Address, PrivateKey>();

  /** `scheme`: that of the signatures themselves. */
  constructor(scheme: Scheme) {
    this.#scheme = scheme;
  }

  /** Scheme that signs at once, and recovers the signers of signatures and of marks. */
  get fullScheme(): Scheme {
    const scheme = this.#scheme;
    return {
      name: scheme.name,
      backend: scheme.backend,
      isQuick: scheme.isQuick,
      addressOf: (key) => scheme.addressOf(key),
      publicKeyOf: (key) => scheme.publicKeyOf(key),
      addressOfPublic: (key) => scheme.addressOfPublic(key),
      sign: (key, digest, address) => scheme.sign(key, digest, address),
      signAgain: (key, digest) => scheme.signAgain(key, digest),
      recover: (digest, signature) =>
        isMark(signature) ? this.#markedBy(digest, signature) : scheme.recover(digest, signature),
    };
  }

  /**
   * The same scheme, which signs with marks. Those of a key count once its address was asked for: a signer does so when
   * it is made, so that marks of an earlier process count as well.
   */
  get markingScheme(): Scheme {
    const { fullScheme: whole } = this;
    const addressOf = (key: PrivateKey): Address => {
      const address = whole.addressOf(key);
      this.#keys.set(address, key);
      return address;
    };
    return { ...whole, addressOf, sign: (key, digest, address = addressOf(key)) => markOf(key, digest, address) };
  }

  /** Returns the signature that a mark of this digest stands for; every other one as it is. */
  reveal(digest: Hash, signature: Signature): Signature {
    if (!isMark(signature)) return signature;
    const signer = this.#markedBy(digest, signature);
    const key = signer === undefined ? undefined : this.#keys.get(signer);
    assert(signer !== undefined && key !== undefined, "a mark of another digest, or of an unknown key");
    return this.#scheme.sign(key, digest, signer);
  }

  #markedBy(digest: Hash, mark: Signature): Address | undefined {
    const address = `0x${mark.slice(26, 66)}` as Address;
    const key = this.#keys.get(address);
    return key !== undefined && markOf(key, digest, address) === mark ? address : undefined;
  }
}

function isMark(signature: Signature): boolean {
  return signature.length === DIGITS + 2 && signature.endsWith(MARK);
}

/** Joined, and not added: a sum of texts keeps its parts. */
function markOf(key: PrivateKey, digest: Hash, address: Address): Signature {
  return [keyedHash.sign(key, digest, address).slice(0, DIGITS), MARK].join("") as Signature;
}
