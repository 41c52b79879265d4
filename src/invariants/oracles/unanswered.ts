/** Submissions without a reply: a validator replies to every submission, if only with `pending` (protocol 9.1). */
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Trie } from "../../core/base/trie.ts";
import type { NodeName, Observed } from "../observation.ts";
import { short } from "../words.ts";

interface Question {
  readonly node: NodeName;
  readonly id: OperationId;
  readonly at: Millis;
}

/** By `node id`, of honest nodes. */
export type Unanswered = Trie<Question>;

/** Adds a submission that reached a validator. */
export function questioned(open: Unanswered, record: Extract<Observed, { readonly type: "asked" }>): Unanswered {
  const { node, honest, id, at } = record;
  const key = `${node} ${id}`;
  return !honest || open.has(key) ? open : open.set(key, { node, id, at });
}

/** Removes a submission after the validator's reply. */
export function spoken(
  open: Unanswered,
  { node, id }: { readonly node: NodeName; readonly id: OperationId },
): Unanswered {
  return open.delete(`${node} ${id}`);
}

/** Removes the submissions of a crashed validator. */
export function forgotten(open: Unanswered, node: NodeName): Unanswered {
  let left = open;
  for (const [key] of open.within(`${node} `)) left = left.delete(key);
  return left;
}

/** Returns the violations at the end: missing replies of nodes in the core. */
export function silences(open: Unanswered, core: readonly NodeName[]): readonly string[] {
  return [...open.values()]
    .filter(({ node }) => core.includes(node))
    .map(({ node, id, at }) => `${node} received ${short(id)} at ${at} ms and never responded`);
}
