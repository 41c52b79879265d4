/**
 * Submissions at honest validators without an outcome: a validator replies to each, if only with `pending` (protocol
 * 9.1), and may refuse one for lack of room only at its bound (protocol 9.2). Operations that others disclosed to it
 * use another queue than those of clients.
 */
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
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
export function withArrival(open: UnansweredSubmissions, record: SubmissionReceived): UnansweredSubmissions {
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

export interface QueueOccupancy {
  /** Number of times that an operation was submitted to a node and has no outcome there, by `node id`. */
  readonly open: Trie<number>;
  /** Sums by node. */
  readonly sizes: Trie<number>;
}

type SubmissionReceived = Extract<ObservedEvent, { readonly type: "submissionReceived" }>;
type Replied = Extract<ObservedEvent, { readonly type: "replied" }>;

/** Returns empty queues. */
export function emptyQueues(): QueueOccupancy {
  return { open: Trie.empty(), sizes: Trie.empty() };
}

/** Counts one more submission at an honest node. */
export function withQueued(queues: QueueOccupancy, { node, honest, id }: SubmissionReceived): QueueOccupancy {
  return honest ? changedBy(queues, node, id, 1) : queues;
}

/** Counts a reply. An outcome frees the room of the operation; a refusal for lack of room took none. */
export function withResponse(queues: QueueOccupancy, { node, id, answer }: Replied): QueueOccupancy {
  if (answer.status === "pending") return queues;
  const isFull = answer.status === "refused" && answer.refusal.code === "system_queue_full";
  return changedBy(queues, node, id, isFull ? -1 : -(queues.open.get(`${node} ${id}`) ?? 0));
}

/** Empties the queues of a node after a crash. */
export function withEmptied({ open, sizes }: QueueOccupancy, node: NodeName): QueueOccupancy {
  let left = open;
  for (const [key] of open.within(`${node} `)) left = left.delete(key);
  return { open: left, sizes: sizes.delete(node) };
}

/**
 * Returns a violation if an honest node refuses for lack of room with room left; `undefined` if it may be full or
 * refuses for another reason.
 */
export function unjustifiedRefusal(
  { sizes }: QueueOccupancy,
  { node, honest, id, answer }: Replied,
): string | undefined {
  if (!honest || answer.status !== "refused" || answer.refusal.code !== "system_queue_full") return undefined;
  const { limit } = answer.refusal;
  const others = (sizes.get(node) ?? 0) - 1;
  if (others >= limit) return undefined;
  return (
    `${node} refused ${shortId(id)} since its queue of ${limit} is full, but at most ${others} other submissions were ` +
    "open there"
  );
}

function changedBy({ open, sizes }: QueueOccupancy, node: NodeName, id: OperationId, by: number): QueueOccupancy {
  const key = `${node} ${id}`;
  const count = (open.get(key) ?? 0) + by;
  return {
    open: count > 0 ? open.set(key, count) : open.delete(key),
    sizes: sizes.set(node, Math.max(0, (sizes.get(node) ?? 0) + by)),
  };
}
