/**
 * Submissions that are open at each honest validator, as far as clients can count them: an entry validator may refuse for
 * want of room only while as many as its bound are (protocol 9.2). What others disclosed to it fills another queue.
 */
import type { OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import type { NodeName, Observed } from "../observation.ts";
import { short } from "../words.ts";

export interface FullQueues {
  /** Number of times that an operation was submitted to a node that has not ended it, by `node id`. */
  readonly open: Trie<number>;
  /** The sums, by node. */
  readonly sizes: Trie<number>;
}

type Asked = Extract<Observed, { readonly type: "asked" }>;
type Replied = Extract<Observed, { readonly type: "replied" }>;

/** Before anything was submitted. */
export function noQueues(): FullQueues {
  return { open: Trie.empty(), sizes: Trie.empty() };
}

/** With one more submission at an honest node. */
export function queuedAt(queues: FullQueues, { node, honest, id }: Asked): FullQueues {
  return honest ? changedBy(queues, node, id, 1) : queues;
}

/** After a response. One that ends an operation frees its room; a refusal for want of room took none. */
export function respondedBy(queues: FullQueues, { node, id, answer }: Replied): FullQueues {
  if (answer.status === "pending") return queues;
  const isFull = answer.status === "refused" && answer.refusal.code === "system_queue_full";
  return changedBy(queues, node, id, isFull ? -1 : -(queues.open.get(`${node} ${id}`) ?? 0));
}

/** After a crash, which empties the queues of a node. */
export function emptiedBy({ open, sizes }: FullQueues, node: NodeName): FullQueues {
  let left = open;
  for (const [key] of open.within(`${node} `)) left = left.delete(key);
  return { open: left, sizes: sizes.delete(node) };
}

/** Returns why an honest node had room for what it refuses; `undefined` where it may be full, or refuses for another reason. */
export function roomLeft({ sizes }: FullQueues, { node, honest, id, answer }: Replied): string | undefined {
  if (!honest || answer.status !== "refused" || answer.refusal.code !== "system_queue_full") return undefined;
  const { limit } = answer.refusal;
  const others = (sizes.get(node) ?? 0) - 1;
  if (others >= limit) return undefined;
  return (
    `${node} refused ${short(id)} since its queue of ${limit} is full, but at most ${others} other submissions were ` +
    "open there"
  );
}

function changedBy({ open, sizes }: FullQueues, node: NodeName, id: OperationId, by: number): FullQueues {
  const key = `${node} ${id}`;
  const count = (open.get(key) ?? 0) + by;
  return {
    open: count > 0 ? open.set(key, count) : open.delete(key),
    sizes: sizes.set(node, Math.max(0, (sizes.get(node) ?? 0) + by)),
  };
}
