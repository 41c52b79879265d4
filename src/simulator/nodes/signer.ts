/** Signer: the only holder of a validator's key. */
import type { Address, Hash, Signature } from "../../core/base/ids.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import type { StatementDigest } from "../plan.ts";

export interface SignedRecord {
  readonly digest: Hash;
  readonly signature: Signature;
}

/** Signs statements of one chain with one key, which cannot be read back. */
export class Signer {
  readonly address: Address;
  readonly #key: PrivateKey;
  readonly #scheme: Scheme;
  readonly #digestOf: StatementDigest;

  constructor(scheme: Scheme, key: PrivateKey, digestOf: StatementDigest) {
    this.address = scheme.addressOf(key);
    this.#key = key;
    this.#scheme = scheme;
    this.#digestOf = digestOf;
  }

  /** Deterministic: one statement, one signature. The caller reports the signature to the listener. */
  sign(body: StatementContent): SignedRecord {
    const digest = this.#digestOf(body);
    return { digest, signature: this.#scheme.sign(this.#key, digest, this.address) };
  }
}
