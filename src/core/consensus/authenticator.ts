/**
 * Statements: the bytes that validators sign, and their verification by signer, with a bounded cache per world by exact
 * bytes. The bytes are the RLP of (tag, chain id, epoch, slot, round, value or content), hashed. Each kind has a tag of its
 * own, so a vote is never a commit (protocol 3.0).
 */

import { hex, type Item, text, uint } from "../base/encoding.ts";
import { IdentityMemo } from "../base/identity-memo.ts";
import type { Address, Hash, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import { slotItem, slotKey } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import type { Verifier } from "../crypto/scheme.ts";
import { DIGEST_MEMO } from "./limits.ts";
import type { StatementContent } from "./message.ts";

/** Content of a signature, without the parts that prove themselves (justifications, certificates). */
export type Statement = StatementContent;

/** Returns the digest that a validator signs for this body on this chain. */
export function statementDigest(chainId: number, body: Statement): Hash {
  return taggedHash(
    body.type,
    uint(chainId),
    uint(body.epoch),
    slotItem(body.slot),
    uint(body.round),
    contentItem(body),
  );
}

/**
 * Returns a text that is equal exactly for equal statements: the cache key of digests. A lock counts by round and
 * value, since any q votes prove it alike.
 */
export function statementKey(body: Statement): string {
  return `${body.type} ${body.epoch} ${slotKey(body.slot)} ${body.round} ${contentText(body)}`;
}

function contentText(body: Statement): string {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? "" : `${body.lock.round}:${body.lock.value}`;
    case "close":
      return body.claims.map(({ type, slot, round, value }) => `${type} ${slotKey(slot)} ${round} ${value}`).join(";");
    default:
      return body.value;
  }
}

function contentItem(body: Statement): Item {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? [] : [uint(body.lock.round), hex(body.lock.value)];
    case "close":
      return body.claims.map(({ type, slot, round, value }) => [text(type), slotItem(slot), uint(round), hex(value)]);
    default:
      return hex(body.value);
  }
}

/** Verifies statements. Results are pure. */
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
  const byYardstick = new WeakMap<object, IdentityMemo<object, string>>();
  const digest = (statement: Statement): Hash =>
    digests.of(statementKey(statement), () => digestOf(chainId, statement));
  return {
    verifier,
    digest,
    verifies: (statement, signer, signature) => verifier.recover(digest(statement), signature) === signer,
    once: (yardstick, record, bytes, judge) => {
      const seen = byYardstick.get(yardstick) ?? new IdentityMemo<object, string>();
      byYardstick.set(yardstick, seen);
      const known = seen.get(record);
      if (known !== undefined) return known;
      const judged = judgements.of(bytes(), judge);
      seen.set(record, judged);
      return judged;
    },
  };
}
