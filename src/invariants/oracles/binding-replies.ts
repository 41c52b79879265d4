/**
 * Replies that bind the validators behind them: outcomes, lost nonces (protocol 9.1), and undisclosed refusals, after
 * which the client may sign another operation for the nonce (protocol 4.2).
 */
import { unreachable } from "../../core/base/assert.ts";
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Application } from "../history/content.ts";
import type { ClientReply, EventOf, NodeName, ObservedEvent } from "../observation.ts";
import { shortId } from "../text.ts";
import { accountOf, nonceOfSubmission } from "./open-submissions.ts";

type Refused = Extract<ClientReply, { readonly status: "refused" }>;

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
export function isBindingRefusal({ refusal, disclosed }: Refused): boolean {
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
  const text = `client ${client} received ${answer.status} from ${from}`;
  switch (answer.status) {
    case "pending":
    case "settled":
    case "void":
      return undefined;
    case "final":
      return { status: "final", by: undefined, words: text };
    case "refused":
      return isTrusted && isBindingRefusal(answer) ? { status: "refused", by: undefined, words: text } : undefined;
    case "superseded":
      return isTrusted
        ? {
            status: "superseded",
            by: answer.by,
            words: `client ${client} received superseded by ${shortId(answer.by)} from ${from}`,
          }
        : undefined;
    default:
      return unreachable(answer);
  }
}

interface NonceRequest {
  /** `account/nonce`. */
  readonly nonce: string;
  /** True for submissions that skip the nonce: a cancellation or a recovery. */
  readonly skips: boolean;
}

export interface NonceConflicts {
  /** Submissions by id. */
  readonly requests: UndoMap<NonceRequest>;
  /** Operation that used each nonce, by the first honest application. */
  readonly winners: UndoMap<OperationId>;
}

type Submitted = Extract<ObservedEvent, { readonly type: "submitted" }>;

/** Returns the state before any submission. */
export function emptyConflicts(): NonceConflicts {
  return { requests: UndoMap.empty(), winners: UndoMap.empty() };
}

/** Adds a client's request for a nonce. */
export function withRequest({ requests, winners }: NonceConflicts, { id, submission }: Submitted): NonceConflicts {
  if (requests.has(id)) return { requests, winners };
  const nonce = `${accountOf(submission)}/${nonceOfSubmission(submission)}`;
  const skips = isRecovery(submission) || submission.operation.kind === "cancellation";
  return { requests: requests.set(id, { nonce, skips }), winners };
}

/** Records the winner of a nonce when an honest node applies the decision. */
export function withWinner(conflicts: NonceConflicts, { slot, value, changes }: Application): NonceConflicts {
  if (slot.kind !== "account" || (value.type !== "operation" && value.type !== "skip")) return conflicts;
  let { winners } = conflicts;
  for (const change of changes) {
    if (change.of !== "account" || change.address !== slot.address) continue;
    const nonce = `${slot.address}/${change.nonce - 1}`;
    if (!winners.has(nonce)) winners = winners.set(nonce, value.id);
  }
  return { requests: conflicts.requests, winners };
}

/** Returns a violation if an honest node's reply about a lost nonce is wrong, else `undefined`. */
export function wrongReply({ requests, winners }: NonceConflicts, { node, id, answer }: Replied): string | undefined {
  const request = requests.get(id);
  const loss = lossIn(answer);
  if (request === undefined || loss === undefined) return undefined;
  const text = `${node} replied to the client of ${shortId(id)}: ${loss.words} ${shortId(loss.by)}`;
  if (loss.isLate !== request.skips)
    return `${text}, but ${request.skips ? "a cancellation or a recovery is too late" : "an operation is superseded"}`;
  const winner = winners.get(request.nonce);
  if (winner === undefined) return `${text}, but its nonce is unused`;
  return winner === loss.by ? undefined : `${text}, but ${shortId(winner)} used its nonce`;
}

interface Loss {
  readonly by: OperationId;
  readonly isLate: boolean;
  readonly words: string;
}

function lossIn(answer: Replied["answer"]): Loss | undefined {
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
  readonly byOperation: Trie<readonly Delivery[]>;
  /** Number of crashes of each node. */
  readonly incarnations: Trie<number>;
  /** Decided operations with the epoch; later replies concern the past. */
  readonly past: UndoMap<number>;
}

/** Returns a tracker without submissions. */
export function emptyTracker(): DisclosureTracker {
  return { byOperation: Trie.empty(), incarnations: Trie.empty(), past: UndoMap.empty() };
}

type SubmissionReceived = Extract<ObservedEvent, { readonly type: "submissionReceived" }>;
type Replied = Extract<ObservedEvent, { readonly type: "replied" }>;

/** A submission reached a validator. */
export function withArrival(
  disclosure: DisclosureTracker,
  { node, honest, id }: SubmissionReceived,
): DisclosureTracker {
  const incarnation = disclosure.incarnations.get(node) ?? 0;
  const known = deliveriesOf(disclosure, id).find((one) => one.node === node);
  const mayHaveDisclosed = known?.status === "lost" || (known?.status === "open" && known.incarnation < incarnation);
  return withDelivery(disclosure, id, { node, incarnation, status: honest && !mayHaveDisclosed ? "open" : "lost" });
}

/** A validator replied. A reply about a decision changes nothing: it comes too late. */
export function withReply(disclosure: DisclosureTracker, { node, id, answer }: Replied): DisclosureTracker {
  const known = deliveriesOf(disclosure, id).find((one) => one.node === node);
  if (known === undefined || known.status === "lost") return disclosure;
  if (answer.status === "pending") return withDelivery(disclosure, id, { ...known, status: "open" });
  const isUndisclosed = answer.status === "refused" && !answer.disclosed;
  return isUndisclosed ? withDelivery(disclosure, id, { ...known, status: "refused" }) : disclosure;
}

/** A validator lost its volatile state, and with it the record of disclosures. */
export function withCrash(disclosure: DisclosureTracker, node: NodeName): DisclosureTracker {
  return {
    ...disclosure,
    incarnations: disclosure.incarnations.set(node, (disclosure.incarnations.get(node) ?? 0) + 1),
  };
}

/** Returns the nodes that refused an undecided operation undisclosed; empty if any receiver may have disclosed it. */
export function refusedUndisclosed(disclosure: DisclosureTracker, id: OperationId): readonly NodeName[] {
  if (disclosure.past.has(id)) return [];
  const all = deliveriesOf(disclosure, id);
  return all.every(({ status }) => status === "refused") ? all.map(({ node }) => node) : [];
}

/** The operation was decided in this epoch. */
export function withDecision(disclosure: DisclosureTracker, id: OperationId, epoch: number): DisclosureTracker {
  if (disclosure.past.has(id)) return disclosure;
  const { byOperation, incarnations, past } = disclosure;
  return { byOperation: byOperation.delete(id), incarnations, past: past.set(id, epoch) };
}

function deliveriesOf(disclosure: DisclosureTracker, id: OperationId): readonly Delivery[] {
  return disclosure.byOperation.get(id) ?? [];
}

function withDelivery(disclosure: DisclosureTracker, id: OperationId, delivery: Delivery): DisclosureTracker {
  const others = deliveriesOf(disclosure, id).filter(({ node }) => node !== delivery.node);
  const { byOperation, incarnations, past } = disclosure;
  return { byOperation: byOperation.set(id, others.concat(delivery)), incarnations, past };
}
