/** Clients that listen to an operation at a validator: each gets one last response for what it submitted (protocol 9.1). */
import { entryOf } from "../../core/base/entry.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { copyOfMap } from "../copies.ts";
import type { ClientReply, EventOf, NodeName } from "../observation.ts";
import { shortId } from "../text.ts";

/** Requests of one client for one operation at one node, since the node's last crash. */
interface Listener {
  submissions: number;
  lastResponses: number;
  /** True from a submission to the next last response. */
  isWaiting: boolean;
}

/** Operation at one node. */
interface Asked {
  readonly clients: Map<string, Listener>;
  /** Time at which the node applied it; `undefined` before. */
  appliedAt: Millis | undefined;
}

export type Listeners = Map<NodeName, Map<OperationId, Asked>>;

/** Returns an independent copy. */
export function copyOfListeners(listeners: Listeners): Listeners {
  const copyOf = ({ clients, appliedAt }: Asked): Asked => ({
    clients: copyOfMap(clients, (one) => ({ ...one })),
    appliedAt,
  });
  return copyOfMap(listeners, (operations) => copyOfMap(operations, copyOf));
}

/**
 * Adds a submission that reached an honest node. Returns a violation if the client was waiting and should have been told
 * before it asked again.
 */
export function noteListener(
  listeners: Listeners,
  { node, id, client, at }: EventOf<"submissionReceived">,
): string | undefined {
  const operations = entryOf(listeners, node, () => new Map<OperationId, Asked>());
  const { clients, appliedAt } = entryOf(operations, id, () => ({ clients: new Map(), appliedAt: undefined }));
  const known = entryOf(clients, client, () => ({ submissions: 0, lastResponses: 0, isWaiting: false }));
  const wrong = known.isWaiting ? untoldText(node, id, client, appliedAt, at) : undefined;
  known.submissions += 1;
  known.isWaiting = true;
  return wrong;
}

/** A node tells what it has applied in the same step: a client that waits at a later time was not told. */
function untoldText(
  node: NodeName,
  id: OperationId,
  client: string,
  appliedAt: Millis | undefined,
  at: Millis,
): string | undefined {
  if (appliedAt === undefined || appliedAt >= at) return undefined;
  return `${node} applied ${shortId(id)} at ${appliedAt} ms and never told client ${client}`;
}

/** Notes that a node has applied an operation: who listens is owed its last response. */
export function noteHeardOf(listeners: Listeners, node: NodeName, id: OperationId, at: Millis): void {
  const asked = listeners.get(node)?.get(id);
  if (asked !== undefined) asked.appliedAt ??= at;
}

/** Notes a response. Returns false for a last response to a client that has submitted it less often. */
export function isAskedFor(listeners: Listeners, { node, id, client, answer }: EventOf<"replied">): boolean {
  if (answer.status === "pending") return true;
  const operations = listeners.get(node);
  const clients = operations?.get(id)?.clients;
  const listener = clients?.get(client);
  if (listener === undefined) return false;
  listener.lastResponses += 1;
  listener.isWaiting = false;
  if (listener.lastResponses === listener.submissions) clients?.delete(client);
  if (clients?.size === 0) operations?.delete(id);
  return true;
}

/** Returns who was never told of what a node has applied before `at`, as sentences. */
export function untold(listeners: Listeners, at: Millis): readonly string[] {
  const found: string[] = [];
  for (const [node, operations] of listeners)
    for (const [id, { clients, appliedAt }] of operations)
      for (const [client, { isWaiting }] of clients) {
        const wrong = isWaiting ? untoldText(node, id, client, appliedAt, at) : undefined;
        if (wrong !== undefined) found.push(wrong);
      }
  return found.sort();
}

/** Returns a text for a last response that nobody asked for. */
export function unaskedText({ status }: ClientReply): string {
  return `a second time that it is ${status}`;
}
