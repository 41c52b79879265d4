import type { Address, Hash, Signature } from "../base/ids.ts";
import { VERIFIER_MEMO } from "./limits.ts";
import type { Scheme } from "./scheme.ts";

/** Recovers signers and remembers what it recovered. */
export interface Verifier {
  /** The address that signed `digest`, or `undefined` where `Scheme.recover` gives none. */
  recover(digest: Hash, signature: Signature): Address | undefined;
}

/**
 * A verifier with a memory of its own, keyed by the exact bytes of digest and signature, failures included. The
 * oldest of `limit` entries makes room, so that no peer can make it grow. Answers never depend on what it remembers.
 * @throws RangeError when `limit` is below 1.
 */
export function createVerifier(scheme: Scheme, limit: number = VERIFIER_MEMO): Verifier {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`verifier: expected a limit from 1, got ${limit}`);
  const memo = new Map<string, Address | undefined>();
  return {
    recover(digest: Hash, signature: Signature): Address | undefined {
      const key = `${digest}${signature}`;
      const known = memo.get(key);
      if (known !== undefined || memo.has(key)) return known;
      const signer = scheme.recover(digest, signature);
      const oldest = memo.size >= limit ? memo.keys().next() : undefined;
      if (oldest?.done === false) memo.delete(oldest.value);
      memo.set(key, signer);
      return signer;
    },
  };
}
