/**
 * Bytes that validators sign: RLP of (tag, chain id, epoch, slot, round, value or content), hashed. Each kind has a tag
 * of its own, so a vote is never a commit (protocol 3.0).
 */
import { hex, type Item, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import { slotKey } from "../base/slot.ts";
import { slotItem } from "../base/slot-item.ts";
import { taggedHash } from "../crypto/hash.ts";
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
