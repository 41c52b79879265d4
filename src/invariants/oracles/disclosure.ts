/**
 * Disclosure tracking: validators that received an operation, and their replies (protocol 4.2). If all of them refused
 * it undisclosed, its client may sign another operation for the nonce.
 */
import type { OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { NodeName, ObservedEvent } from "../observation.ts";

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

type Asked = Extract<ObservedEvent, { readonly type: "asked" }>;
type Replied = Extract<ObservedEvent, { readonly type: "replied" }>;

/** A submission reached a validator. */
export function withArrival(disclosure: DisclosureTracker, { node, honest, id }: Asked): DisclosureTracker {
  const life = disclosure.incarnations.get(node) ?? 0;
  const known = deliveriesOf(disclosure, id).find((one) => one.node === node);
  const forgot = known?.status === "lost" || (known?.status === "open" && known.incarnation < life);
  return withDelivery(disclosure, id, { node, incarnation: life, status: honest && !forgot ? "open" : "lost" });
}

/** A validator replied. A reply about a decision changes nothing: it comes too late. */
export function withReply(disclosure: DisclosureTracker, { node, id, answer }: Replied): DisclosureTracker {
  const known = deliveriesOf(disclosure, id).find((one) => one.node === node);
  if (known === undefined || known.status === "lost") return disclosure;
  if (answer.status === "pending") return withDelivery(disclosure, id, { ...known, status: "open" });
  const isUnshown = answer.status === "refused" && !answer.shown;
  return isUnshown ? withDelivery(disclosure, id, { ...known, status: "refused" }) : disclosure;
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
  const { byOperation, incarnations: lives, past } = disclosure;
  return { byOperation: byOperation.delete(id), incarnations: lives, past: past.set(id, epoch) };
}

function deliveriesOf(disclosure: DisclosureTracker, id: OperationId): readonly Delivery[] {
  return disclosure.byOperation.get(id) ?? [];
}

function withDelivery(disclosure: DisclosureTracker, id: OperationId, door: Delivery): DisclosureTracker {
  const others = deliveriesOf(disclosure, id).filter(({ node }) => node !== door.node);
  const { byOperation, incarnations: lives, past } = disclosure;
  return { byOperation: byOperation.set(id, others.concat(door)), incarnations: lives, past };
}
