/**
 * Replies that bind the validators behind them: outcomes, lost nonces (protocol 9.1), and undisclosed refusals, after
 * which the client may sign another operation for the nonce (protocol 4.2).
 */

import { entryOf } from "../../core/base/entry.ts";
import type { Address } from "../../core/base/ids.ts";
import { isSkip, type OperationId } from "../../core/base/operation.ts";
import type { ClientReply, EventOf, NodeName } from "../observation.ts";
import { accountOf, nonceOfSubmission } from "../reference/operation-meaning.ts";
import { shortId } from "../text.ts";
import type { Application } from "./content.ts";

type RefusedReply = Extract<ClientReply, { readonly status: "refused" }>;

/** Binding reply to a client. */
export interface BindingReply {
  readonly status: "final" | "superseded" | "refused";
  readonly by: OperationId | undefined;
  readonly words: string;
}

/** Reply that an epoch closed without an operation. */
export interface VoidReply {
  readonly epoch: number;
  readonly words: string;
}

/**
 * Returns true if a refusal is permanent because another decision used the nonce. Any other refusal leaves the
 * operation unadmitted at the entry validator only; if disclosed, others may still bring it to a decision (protocol
 * 4.2).
 */
export function isBindingRefusal({ refusal, disclosed }: RefusedReply): boolean {
  return disclosed && refusal.code === "business_decided_otherwise";
}

/**
 * Returns a reply if it is binding. Not binding are a refusal for any other reason than a lost nonce (protocol 4.2), a
 * `void`, which concerns its epoch only, and an unproven reply of a Byzantine validator.
 */
export function bindingReply(
  { answer, client, from }: EventOf<"replyReceived">,
  isTrusted: boolean,
): BindingReply | undefined {
  const text = `client ${client} received ${answer.status}`;
  if (answer.status === "final") return { status: "final", by: undefined, words: `${text} from ${from}` };
  if (!isTrusted) return undefined;
  if (answer.status === "superseded")
    return { status: "superseded", by: answer.by, words: `${text} by ${shortId(answer.by)} from ${from}` };
  const isBinding = answer.status === "refused" && isBindingRefusal(answer);
  return isBinding ? { status: "refused", by: undefined, words: `${text} from ${from}` } : undefined;
}

interface NonceRequest {
  readonly account: Address;
  readonly nonce: number;
  /** True for submissions that skip the nonce: a cancellation or a recovery. */
  readonly skips: boolean;
}

export interface NonceConflicts {
  /** Submissions by id. */
  readonly requests: Map<OperationId, NonceRequest>;
  /** Operation that used each nonce of an account, by the first honest application. */
  readonly winners: Map<Address, Map<number, OperationId>>;
}

/** Returns the state before any submission. */
export function emptyConflicts(): NonceConflicts {
  return { requests: new Map(), winners: new Map() };
}

/** Adds a client's request for a nonce. */
export function noteRequest({ requests }: NonceConflicts, { id, submission }: EventOf<"submitted">): void {
  if (requests.has(id)) return;
  requests.set(id, { account: accountOf(submission), nonce: nonceOfSubmission(submission), skips: isSkip(submission) });
}

/** Forgets an operation that was decided long ago, and the winner of its nonce. */
export function forgetRequest({ requests, winners }: NonceConflicts, id: OperationId): void {
  const request = requests.get(id);
  if (request === undefined) return;
  requests.delete(id);
  const winnersOfAccount = winners.get(request.account);
  winnersOfAccount?.delete(request.nonce);
  if (winnersOfAccount?.size === 0) winners.delete(request.account);
}

/** Records the winner of a nonce when an honest node applies the decision. */
export function noteWinner({ winners }: NonceConflicts, { slot, value, changes }: Application): void {
  if (slot.kind !== "account" || (value.type !== "operation" && value.type !== "skip")) return;
  for (const change of changes) {
    if (change.of !== "account" || change.address !== slot.address) continue;
    const winnersOfAccount = entryOf(winners, slot.address, () => new Map());
    if (!winnersOfAccount.has(change.nonce - 1)) winnersOfAccount.set(change.nonce - 1, value.id);
  }
}

/** Returns a violation if an honest node's reply about a lost nonce is wrong, else `undefined`. */
export function wrongReply(
  { requests, winners }: NonceConflicts,
  { node, id, answer }: EventOf<"replied">,
): string | undefined {
  const request = requests.get(id);
  const loss = lossIn(answer);
  if (request === undefined || loss === undefined) return undefined;
  const text = `${node} replied to the client of ${shortId(id)}: ${loss.words} ${shortId(loss.by)}`;
  if (loss.isLate !== request.skips)
    return `${text}, but ${request.skips ? "a cancellation or a recovery is too late" : "an operation is superseded"}`;
  const winner = winners.get(request.account)?.get(request.nonce);
  if (winner === undefined) return `${text}, but its nonce is unused`;
  return winner === loss.by ? undefined : `${text}, but ${shortId(winner)} used its nonce`;
}

interface Loss {
  readonly by: OperationId;
  readonly isLate: boolean;
  readonly words: string;
}

function lossIn(answer: EventOf<"replied">["answer"]): Loss | undefined {
  if (answer.status === "superseded") return { by: answer.by, isLate: false, words: "superseded by" };
  if (answer.status !== "refused" || !answer.disclosed || answer.refusal.code !== "business_decided_otherwise")
    return undefined;
  return { by: answer.refusal.by, isLate: true, words: "too late after" };
}

interface Delivery {
  readonly node: NodeName;
  /** Incarnation of the node at the arrival. */
  readonly incarnation: number;
  /** `lost`: the node may have disclosed the operation before a crash, or it is Byzantine. */
  readonly status: "open" | "refused" | "lost";
}

export interface DisclosureTracker {
  readonly byOperation: Map<OperationId, readonly Delivery[]>;
  /** Number of crashes of each node. */
  readonly incarnations: Map<NodeName, number>;
  /** Decided operations with the epoch; later replies concern the past. */
  readonly past: Map<OperationId, number>;
}

/** Returns a tracker without submissions. */
export function emptyTracker(): DisclosureTracker {
  return { byOperation: new Map(), incarnations: new Map(), past: new Map() };
}

/** A submission reached a validator. */
export function noteArrival(disclosure: DisclosureTracker, { node, honest, id }: EventOf<"submissionReceived">): void {
  const incarnation = disclosure.incarnations.get(node) ?? 0;
  const delivery = deliveryAt(disclosure, id, node);
  const mayHaveDisclosed =
    delivery?.status === "lost" || (delivery?.status === "open" && delivery.incarnation < incarnation);
  noteDelivery(disclosure, id, { node, incarnation, status: honest && !mayHaveDisclosed ? "open" : "lost" });
}

/** A validator replied. A reply about a decision changes nothing: it comes too late. */
export function noteReply(disclosure: DisclosureTracker, { node, id, answer }: EventOf<"replied">): void {
  const status = statusAfter(answer);
  if (status === undefined) return;
  const delivery = deliveryAt(disclosure, id, node);
  if (delivery !== undefined && delivery.status !== "lost") noteDelivery(disclosure, id, { ...delivery, status });
}

/** Returns the status of a delivery after a reply: a void operation may have been disclosed, whatever follows. */
function statusAfter(answer: EventOf<"replied">["answer"]): Delivery["status"] | undefined {
  if (answer.status === "pending") return "open";
  if (answer.status === "void") return "lost";
  return answer.status === "refused" && !answer.disclosed ? "refused" : undefined;
}

/** A validator lost its volatile state, and with it the record of disclosures. */
export function noteCrash({ incarnations }: DisclosureTracker, node: NodeName): void {
  incarnations.set(node, (incarnations.get(node) ?? 0) + 1);
}

/** Returns the nodes that refused an undecided operation undisclosed; empty if any receiver may have disclosed it. */
export function undisclosedRefusers({ byOperation, past }: DisclosureTracker, id: OperationId): readonly NodeName[] {
  if (past.has(id)) return NO_NODES;
  const all = byOperation.get(id);
  if (all === undefined || all.some(({ status }) => status !== "refused")) return NO_NODES;
  return all.map(({ node }) => node);
}

const NO_NODES: readonly NodeName[] = [];

/** The operation was decided in this epoch. */
export function noteDecision({ byOperation, past }: DisclosureTracker, id: OperationId, epoch: number): void {
  if (past.has(id)) return;
  byOperation.delete(id);
  past.set(id, epoch);
}

/** Forgets an operation that was decided long ago. */
export function forgetDelivery({ byOperation, past }: DisclosureTracker, id: OperationId): void {
  byOperation.delete(id);
  past.delete(id);
}

function deliveryAt({ byOperation }: DisclosureTracker, id: OperationId, node: NodeName): Delivery | undefined {
  return byOperation.get(id)?.find((delivery) => delivery.node === node);
}

/** The last delivery stands last. */
function noteDelivery({ byOperation }: DisclosureTracker, id: OperationId, delivery: Delivery): void {
  const all = byOperation.get(id) ?? [];
  byOperation.set(id, [...all.filter(({ node }) => node !== delivery.node), delivery]);
}
