/**
 * Queues behind a refused operation at its entry validator (protocol 4.2): nothing passes a nonce for which nothing is
 * left, so the operations behind it are refused in the same step, each to its client.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../core/base/operation.ts";
import type { EventPosition } from "../../fold.ts";
import type { EventOf, NodeName } from "../../observation.ts";

interface QueuedOperation {
  readonly account: Address;
  readonly nonce: number;
  readonly isCancellation: boolean;
}

/** An operation behind a refused one, which is owed a refusal in that step. */
interface OwedRefusal extends EventPosition {
  readonly node: NodeName;
  readonly id: OperationId;
  readonly refused: OperationId;
}

export interface NodeQueues {
  /** Operations and cancellations that honest nodes have admitted and not ended, by node and id. */
  readonly waiting: Map<NodeName, Map<OperationId, QueuedOperation>>;
  /** Those that a Byzantine node received: it may disclose them before their turn. */
  readonly disclosed: Set<OperationId>;
  /** Of the last step. */
  owed: readonly OwedRefusal[];
}

/** Returns the queues before the first submission. */
export function noQueues(): NodeQueues {
  return { waiting: new Map(), disclosed: new Set(), owed: [] };
}

/** A node has crashed: it keeps nothing that it admitted. */
export function emptyQueue(queues: NodeQueues, node: NodeName): void {
  queues.waiting.delete(node);
  queues.owed = queues.owed.filter((refusal) => refusal.node !== node);
}

/**
 * Takes a reply of an honest node about a submission. `mayBeLeft` returns true if another operation may be left for its
 * nonce, or is decided.
 */
export function noteReply(
  queues: NodeQueues,
  { node, id, answer, step, at }: EventOf<"replied">,
  { sender: account, operation: { kind, nonce } }: SignedOperation,
  mayBeLeft: () => boolean,
): void {
  const queueOfNode = entryOf(queues.waiting, node, () => new Map<OperationId, QueuedOperation>());
  if (answer.status === "pending") {
    queueOfNode.set(id, { account, nonce, isCancellation: kind === "cancellation" });
    return;
  }
  queues.owed = queues.owed.filter((refusal) => refusal.node !== node || refusal.id !== id);
  if (!queueOfNode.delete(id) || answer.status !== "refused" || answer.disclosed) return;
  if (kind === "cancellation" || mayBeLeft()) return;
  const followers = [...queueOfNode].filter(
    ([followerId, follower]) =>
      follower.account === account && follower.nonce > nonce && !queues.disclosed.has(followerId),
  );
  queues.owed = [...queues.owed, ...followers.map(([followerId]) => ({ node, id: followerId, refused: id, step, at }))];
}

/**
 * Returns an operation that waits at a node for the nonce of a cancellation, which the node refuses as if there was nothing
 * to cancel; `undefined` if none does.
 */
export function cancellableOperation(
  { waiting }: NodeQueues,
  { node, answer }: EventOf<"replied">,
  { sender, operation: { kind, nonce } }: SignedOperation,
): OperationId | undefined {
  if (kind !== "cancellation" || answer.status !== "refused") return undefined;
  if (answer.refusal.code !== "business_nothing_to_cancel") return undefined;
  for (const [id, queued] of waiting.get(node) ?? [])
    if (queued.account === sender && queued.nonce === nonce && !queued.isCancellation) return id;
  return undefined;
}

/** Returns what was owed in earlier steps, once. */
export function takeOwed(queues: NodeQueues, step: number): readonly OwedRefusal[] {
  const { owed } = queues;
  if (owed.length === 0) return owed;
  queues.owed = owed.filter((refusal) => refusal.step >= step);
  return owed.filter((refusal) => refusal.step < step);
}
