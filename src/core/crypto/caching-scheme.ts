/** Signature scheme with a cache. */
import type { Address, Hash, PublicKey, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { PrivateKey, Scheme } from "./scheme.ts";

/** Signatures that a caching scheme keeps: of the last 1,000 payments or more, in some 20 MB. */
const SIGNATURES_CACHED = 32_768;

/** Fact that `signer` signed `digest` with `signature`. */
export type SignatureFact = Readonly<{ digest: Hash; signature: Signature; signer: Address }>;

/**
 * The same functions with a bounded cache. A signer need not recover its own signature, and what one validator has
 * checked another one in this process need not check again: results never depend on the cache.
 */
export class CachingScheme implements Scheme {
  readonly name: Scheme["name"];
  readonly backend: Scheme["backend"];
  readonly isQuick = true;
  readonly #scheme: Scheme;
  readonly #note: (fact: SignatureFact) => void;
  readonly #signed: MemoTable<string, Signature>;
  readonly #signers: MemoTable<string, Address | "">;
  /** Facts from an earlier process, until `forget`. */
  #known = new Map<string, Signature | Address>();

  /** `note` receives every signature that had to be made or checked. @throws RangeError for a limit below 2. */
  constructor(
    scheme: Scheme,
    note: (fact: SignatureFact) => void = () => undefined,
    limit: number = SIGNATURES_CACHED,
  ) {
    this.name = scheme.name;
    this.backend = scheme.backend;
    this.#scheme = scheme;
    this.#note = note;
    this.#signed = new MemoTable(limit);
    this.#signers = new MemoTable(limit);
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
    const place = `${address}${digest}`;
    const signature = this.#signed.getOrCompute(place, () => {
      const known = this.#known.get(place);
      if (known !== undefined) return known as Signature;
      const made = this.#scheme.sign(key, digest, address);
      this.#note({ digest, signature: made, signer: address });
      return made;
    });
    this.#signers.getOrCompute(`${digest}${signature}`, () => address);
    return signature;
  }

  recover(digest: Hash, signature: Signature): Address | undefined {
    const place = `${digest}${signature}`;
    const found = this.#signers.getOrCompute(place, () => {
      const known = this.#known.get(place);
      if (known !== undefined) return known as Address;
      const signer = this.#scheme.recover(digest, signature);
      if (signer !== undefined) this.#note({ digest, signature, signer });
      return signer ?? "";
    });
    return found || undefined;
  }

  /** Trusts a fact that an earlier process noted, until `forget`. */
  learn({ digest, signature, signer }: SignatureFact): void {
    this.#known.set(`${signer}${digest}`, signature);
    this.#known.set(`${digest}${signature}`, signer);
  }

  /** Drops the learned facts after their use. */
  forget(): void {
    this.#known = new Map();
  }
}
