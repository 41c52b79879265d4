import type { Address, Hash, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import { VERIFIER_CACHE } from "./limits.ts";
import type { Scheme } from "./scheme.ts";

/** Recovers signers, with a cache. */
export interface Verifier {
  /** Returns the address that signed `digest`, or `undefined` if `Scheme.recover` returns none. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}

/**
 * Returns a verifier with a cache of its own, keyed by the exact bytes of digest and signature, failures included, and
 * bounded by `limit`, so that no peer can make it grow. Results never depend on the cache; a scheme that is faster than
 * the cache needs none.
 * @throws RangeError if `limit` is below 2.
 */
export function createVerifier(scheme: Scheme, limit: number = VERIFIER_CACHE): Verifier {
  if (scheme.isQuick) return scheme;
  const memo = new MemoTable<Address | undefined>(limit);
  return {
    recover: (digest, signature) => memo.of(`${digest}${signature}`, () => scheme.recover(digest, signature)),
  };
}
