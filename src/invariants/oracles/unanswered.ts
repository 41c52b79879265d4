/** Submissions without a reply: a validator replies to every submission, if only with `pending` (protocol 9.1). */
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Trie } from "../../core/base/trie.ts";
import type { NodeName, ObservedEvent } from "../observation.ts";
import { shortId } from "../text.ts";

interface Question {
  readonly node: NodeName;
  readonly id: OperationId;
  readonly at: Millis;
}

/** By `node id`, of honest nodes. */
export type UnansweredSubmissions = Trie<Question>;

/** Adds a submission that reached a validator. */
export function withArrival(
  open: UnansweredSubmissions,
  record: Extract<ObservedEvent, { readonly type: "asked" }>,
): UnansweredSubmissions {
  const { node, honest, id, at } = record;
  const key = `${node} ${id}`;
  return !honest || open.has(key) ? open : open.set(key, { node, id, at });
}

/** Removes a submission after the validator's reply. */
export function withReply(
  open: UnansweredSubmissions,
  { node, id }: { readonly node: NodeName; readonly id: OperationId },
): UnansweredSubmissions {
  return open.delete(`${node} ${id}`);
}

/** Removes the submissions of a crashed validator. */
export function withCrash(open: UnansweredSubmissions, node: NodeName): UnansweredSubmissions {
  let left = open;
  for (const [key] of open.within(`${node} `)) left = left.delete(key);
  return left;
}

/** Returns the violations at the end: missing replies of nodes in the core. */
export function unansweredAt(open: UnansweredSubmissions, core: readonly NodeName[]): readonly string[] {
  return [...open.values()]
    .filter(({ node }) => core.includes(node))
    .map(({ node, id, at }) => `${node} received ${shortId(id)} at ${at} ms and never responded`);
}
