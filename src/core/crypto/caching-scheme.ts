/** Signature scheme with a cache. */
import type { Address, Hash, PublicKey, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";

/** Signatures that a caching scheme keeps: of the last 1,000 payments or more, in some 20 MB. */
const SIGNATURES_CACHED = 32_768;

/**
 * The same functions with a bounded cache. A signer need not recover its own signature, and what one validator has
 * checked another one in this process need not check again: results never depend on the cache.
 */
export class CachingScheme implements Scheme {
  readonly name: Scheme["name"];
  readonly backend: Scheme["backend"];
  readonly isQuick = true;
  readonly #scheme: Scheme;
  readonly #signed = new MemoTable<string, Signature>(SIGNATURES_CACHED);
  readonly #signers = new MemoTable<string, Address | "">(SIGNATURES_CACHED);

  constructor(scheme: Scheme) {
    this.name = scheme.name;
    this.backend = scheme.backend;
    this.#scheme = scheme;
  }

  addressOf(key: PrivateKey): Address {
    return this.#scheme.addressOf(key);
  }

  publicKeyOf(key: PrivateKey): PublicKey {
    return this.#scheme.publicKeyOf(key);
  }

  addressOfPublic(key: PublicKey): Address | undefined {
    return this.#scheme.addressOfPublic(key);
  }

  sign(key: PrivateKey, digest: Hash, address: Address = this.addressOf(key)): Signature {
    const signature = this.#signed.getOrCompute(`${address}${digest}`, () => this.#scheme.sign(key, digest, address));
    this.#signers.getOrCompute(`${digest}${signature}`, () => address);
    return signature;
  }

  signAgain(key: PrivateKey, digest: Hash): Signature {
    return this.#scheme.signAgain(key, digest);
  }

  recover(digest: Hash, signature: Signature): Address | undefined {
    const signer = this.#signers.getOrCompute(
      `${digest}${signature}`,
      () => this.#scheme.recover(digest, signature) ?? "",
    );
    return signer || undefined;
  }
}
