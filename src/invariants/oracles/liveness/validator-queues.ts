/**
 * Submissions at honest validators without an outcome: a validator replies to each, if only with `pending` (protocol
 * 9.1), and may refuse one for lack of room only at its bound (protocol 9.2). Operations that other validators disclosed
 * to it use another queue than those of clients.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Millis } from "../../../core/base/ids.ts";
import type { OperationId } from "../../../core/base/operation.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { shortId } from "../../text.ts";

/** Submissions of one operation at one validator. */
interface QueuedOperation {
  /** Number of submissions without an outcome. */
  count: number;
  /** Time of the first submission of each client without any reply. */
  readonly unanswered: Map<string, Millis>;
}

/** Queue of one honest validator. */
interface ValidatorQueue {
  readonly operations: Map<OperationId, QueuedOperation>;
  /** Sum of the counts. */
  size: number;
}

export type ValidatorQueues = Map<NodeName, ValidatorQueue>;

/** Adds a submission that reached an honest validator. */
export function noteArrival(queues: ValidatorQueues, { node, id, client, at }: EventOf<"submissionReceived">): void {
  const queue = entryOf(queues, node, () => ({ operations: new Map<OperationId, QueuedOperation>(), size: 0 }));
  const queued = entryOf(queue.operations, id, () => ({ count: 0, unanswered: new Map<string, Millis>() }));
  queued.count += 1;
  queue.size += 1;
  entryOf(queued.unanswered, client, () => at);
}

/** Notes a reply. An outcome frees the room of the operation; a refusal for lack of room took none. */
export function noteReply(queues: ValidatorQueues, { node, id, client, answer }: EventOf<"replied">): void {
  const queue = queues.get(node);
  const queued = queue?.operations.get(id);
  if (queue === undefined || queued === undefined) return;
  queued.unanswered.delete(client);
  if (answer.status !== "pending") {
    const isFull = answer.status === "refused" && answer.refusal.code === "system_queue_full";
    const freed = isFull ? Math.min(1, queued.count) : queued.count;
    queued.count -= freed;
    queue.size -= freed;
  }
  if (queued.count === 0 && queued.unanswered.size === 0) queue.operations.delete(id);
}

/** Returns the violations at the end: missing replies of validators in the core. */
export function missingReplies(queues: ValidatorQueues, core: readonly NodeName[]): readonly string[] {
  return [...queues]
    .sort(([a], [b]) => (`${a} ` < `${b} ` ? -1 : 1))
    .filter(([node]) => core.includes(node))
    .flatMap(([node, { operations }]) =>
      [...operations]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([id, { unanswered }]) =>
          [...unanswered.values()].map((at) => `${node} received ${shortId(id)} at ${at} ms and never responded`),
        ),
    );
}

/**
 * Returns a violation if an honest validator refuses for lack of room with room left; `undefined` if it may be full or
 * refuses for another reason.
 */
export function unjustifiedRefusal(
  queues: ValidatorQueues,
  { node, honest, id, answer }: EventOf<"replied">,
): string | undefined {
  if (!honest || answer.status !== "refused" || answer.refusal.code !== "system_queue_full") return undefined;
  const { limit } = answer.refusal;
  const otherRefusals = (queues.get(node)?.size ?? 0) - 1;
  if (otherRefusals >= limit) return undefined;
  return (
    `${node} refused ${shortId(id)} since its queue of ${limit} is full, but at most ${otherRefusals} other submissions were ` +
    "open there"
  );
}
