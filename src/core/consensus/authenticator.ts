/** Verification of statements by signer, with a bounded cache per world by exact bytes. Results are pure. */

import type { Address, Hash, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { Verifier } from "../crypto/verifier.ts";
import { DIGEST_MEMO } from "./limits.ts";
import { type Statement, statementDigest, statementKey } from "./statement.ts";

export interface Authenticator {
  readonly verifier: Verifier;
  /** Returns the digest of a statement on this chain. */
  digest(statement: Statement): Hash;
  /** Returns true if exactly `signer` signed the statement. */
  verifies(statement: Statement, signer: Address, signature: Signature): boolean;
  /**
   * Returns the result of `judge` for an immutable record under an immutable `yardstick`, computed once for their exact
   * bytes, which are built once per pair.
   */
  once(yardstick: object, record: object, bytes: () => string, judge: () => string): string;
}

/**
 * Returns an authenticator with caches of its own, each of at most `limit` entries. `digestOf`: for variants that sign
 * other bytes.
 */
export function createAuthenticator(
  chainId: number,
  verifier: Verifier,
  limit: number = DIGEST_MEMO,
  digestOf: typeof statementDigest = statementDigest,
): Authenticator {
  const digests = new MemoTable<Hash>(limit);
  const judgements = new MemoTable<string>(limit);
  const byYardstick = new WeakMap<object, WeakMap<object, string>>();
  const digest = (statement: Statement): Hash =>
    digests.of(statementKey(statement), () => digestOf(chainId, statement));
  return {
    verifier,
    digest,
    verifies: (statement, signer, signature) => verifier.recover(digest(statement), signature) === signer,
    once: (yardstick, record, bytes, judge) => {
      const seen = byYardstick.get(yardstick) ?? new WeakMap<object, string>();
      byYardstick.set(yardstick, seen);
      const known = seen.get(record);
      if (known !== undefined) return known;
      const judged = judgements.of(bytes(), judge);
      seen.set(record, judged);
      return judged;
    },
  };
}
