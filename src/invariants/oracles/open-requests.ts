/**
 * Submissions at honest validators without an outcome: a validator replies to each, if only with `pending` (protocol
 * 9.1), and may refuse one for lack of room only at its bound (protocol 9.2). Operations that others disclosed to it
 * use another queue than those of clients.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { copyOfMaps } from "../copies.ts";
import type { NodeName, ObservedEvent } from "../observation.ts";
import { shortId } from "../text.ts";

interface Question {
  readonly node: NodeName;
  readonly id: OperationId;
  readonly at: Millis;
}

/** By node, and by client and id, of honest nodes. */
export type UnansweredSubmissions = Map<NodeName, Map<string, Question>>;

/** Adds a submission that reached an honest validator. */
export function noteArrival(open: UnansweredSubmissions, { node, id, client, at }: SubmissionReceived): void {
  const own = entryOf(open, node, () => new Map<string, Question>());
  const key = keyOf(client, id);
  if (!own.has(key)) own.set(key, { node, id, at });
}

/** Drops what a node has responded to. */
export function noteFirstResponse(open: UnansweredSubmissions, { node, id, client }: Replied): void {
  open.get(node)?.delete(keyOf(client, id));
}

function keyOf(client: string, id: OperationId): string {
  return `${client} ${id}`;
}

/** Returns the violations at the end: missing replies of nodes in the core. */
export function unansweredAt(open: UnansweredSubmissions, core: readonly NodeName[]): readonly string[] {
  return [...open]
    .sort(([a], [b]) => (`${a} ` < `${b} ` ? -1 : 1))
    .filter(([node]) => core.includes(node))
    .flatMap(([, own]) => [...own.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
    .map(({ node, id, at }) => `${node} received ${shortId(id)} at ${at} ms and never responded`);
}

export interface QueueOccupancy {
  /** Number of times that an operation was submitted to a node and has no outcome there, by node and id. */
  readonly open: Map<NodeName, Map<OperationId, number>>;
  /** Sums by node. */
  readonly sizes: Map<NodeName, number>;
}

type SubmissionReceived = Extract<ObservedEvent, { readonly type: "submissionReceived" }>;
type Replied = Extract<ObservedEvent, { readonly type: "replied" }>;

/** Returns empty queues. */
export function emptyQueues(): QueueOccupancy {
  return { open: new Map(), sizes: new Map() };
}

/** Returns an independent copy. */
export function copyOfQueues({ open, sizes }: QueueOccupancy): QueueOccupancy {
  return { open: copyOfMaps(open), sizes: new Map(sizes) };
}

/** Counts one more submission at an honest node. */
export function noteQueued(queues: QueueOccupancy, { node, id }: SubmissionReceived): void {
  change(queues, node, id, 1);
}

/** Counts a reply. An outcome frees the room of the operation; a refusal for lack of room took none. */
export function noteResponse(queues: QueueOccupancy, { node, id, answer }: Replied): void {
  if (answer.status === "pending") return;
  const isFull = answer.status === "refused" && answer.refusal.code === "system_queue_full";
  change(queues, node, id, isFull ? -1 : -(queues.open.get(node)?.get(id) ?? 0));
}

/** Empties the queues of a node after a crash. */
export function empty({ open, sizes }: QueueOccupancy, node: NodeName): void {
  open.delete(node);
  sizes.delete(node);
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

function change({ open, sizes }: QueueOccupancy, node: NodeName, id: OperationId, by: number): void {
  const own = entriesOf(open, node);
  const count = (own.get(id) ?? 0) + by;
  if (count > 0) own.set(id, count);
  else own.delete(id);
  sizes.set(node, Math.max(0, (sizes.get(node) ?? 0) + by));
}

function entriesOf<V>(all: Map<NodeName, Map<OperationId, V>>, node: NodeName): Map<OperationId, V> {
  return entryOf(all, node, () => new Map());
}
