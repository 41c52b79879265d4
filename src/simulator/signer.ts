/** The only holder of a validator's key. */
import type { Address, Hash, Signature } from "../core/base/ids.ts";
import type { Unsigned } from "../core/consensus/message.ts";
import { statementDigest, statementKey } from "../core/consensus/statement.ts";
import type { PrivateKey, Scheme } from "../core/crypto/scheme.ts";
import { SIGNATURE_MEMO } from "./limits.ts";

export interface Made {
  readonly digest: Hash;
  readonly signature: Signature;
}

/** What signers of one world remember: pure answers, so that forks share it. */
export interface SignerMemory {
  /** By statement: the votes of all validators for one value have one digest. */
  readonly digests: Map<string, Hash>;
  /** By signer and statement. */
  readonly made: Map<string, Made>;
}

/** Signs statements of one chain with one key, which nothing can read back. */
export class Signer {
  readonly address: Address;
  readonly #key: PrivateKey;
  readonly #scheme: Scheme;
  readonly #chainId: number;
  readonly #memory: SignerMemory;

  constructor(scheme: Scheme, key: PrivateKey, chainId: number, memory: SignerMemory) {
    this.address = scheme.addressOf(key);
    this.#key = key;
    this.#scheme = scheme;
    this.#chainId = chainId;
    this.#memory = memory;
  }

  /** Deterministic: one statement, one signature. Whoever calls it tells the listener that the signature exists. */
  sign(body: Unsigned): Made {
    const statement = statementKey(body);
    return remembered(this.#memory.made, `${this.address} ${statement}`, () => {
      const digest = remembered(this.#memory.digests, statement, () => statementDigest(this.#chainId, body));
      return { digest, signature: this.#scheme.sign(this.#key, digest) };
    });
  }
}

function remembered<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (memory.size >= SIGNATURE_MEMO) memory.clear();
  memory.set(key, made);
  return made;
}
