import type { Address, Hash, Signature } from "../base/ids.ts";
import { Memo } from "../base/memo.ts";
import { VERIFIER_MEMO } from "./limits.ts";
import type { Scheme } from "./scheme.ts";

/** Recovers signers and remembers what it recovered. */
export interface Verifier {
  /** The address that signed `digest`, or `undefined` where `Scheme.recover` gives none. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}

/**
 * A verifier with a memory of its own, keyed by the exact bytes of digest and signature, failures included, and
 * bounded by `limit`, so that no peer can make it grow. Answers never depend on what it remembers; a scheme that is
 * quicker than the memory needs none.
 * @throws RangeError when `limit` is below 2.
 */
export function createVerifier(scheme: Scheme, limit: number = VERIFIER_MEMO): Verifier {
  if (scheme.isQuick) return scheme;
  const memo = new Memo<Address | undefined>(limit);
  return {
    recover: (digest, signature) => memo.of(`${digest}${signature}`, () => scheme.recover(digest, signature)),
  };
}
