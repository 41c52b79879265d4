/** Who was asked and said nothing: a validator answers whatever reaches it, if only that it is pending (protocol 9.1). */
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

/** By `node id`, of nodes that follow the rules. */
export type Unanswered = Trie<Question>;

/** A submission reached a validator. */
export function questioned(open: Unanswered, record: Extract<Observed, { readonly type: "asked" }>): Unanswered {
  const { node, honest, id, at } = record;
  const key = `${node} ${id}`;
  return !honest || open.has(key) ? open : open.set(key, { node, id, at });
}

/** A validator said how an operation stands. */
export function spoken(
  open: Unanswered,
  { node, id }: { readonly node: NodeName; readonly id: OperationId },
): Unanswered {
  return open.delete(`${node} ${id}`);
}

/** A validator lost its memory, and with it who had asked. */
export function forgotten(open: Unanswered, node: NodeName): Unanswered {
  let left = open;
  for (const [key] of open.within(`${node} `)) left = left.delete(key);
  return left;
}

/** What is wrong at the end with those that nothing kept from answering. */
export function silences(open: Unanswered, core: readonly NodeName[]): readonly string[] {
  return [...open.values()]
    .filter(({ node }) => core.includes(node))
    .map(({ node, id, at }) => `${node} was asked for ${short(id)} at ${at} ms and never said how it stands`);
}
