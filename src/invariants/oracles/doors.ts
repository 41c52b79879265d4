/**
 * Disclosure tracking: validators that received an operation, and their replies (protocol 4.2). If all of them refused
 * it undisclosed, its client may sign another operation for the nonce.
 */
import type { OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { NodeName, Observed } from "../observation.ts";

interface Door {
  readonly node: NodeName;
  /** Incarnation of the node at the arrival. */
  readonly life: number;
  /** `lost`: the node may have disclosed the operation before a crash, or it is Byzantine. */
  readonly status: "open" | "refused" | "lost";
}

export interface Doors {
  readonly byOperation: Trie<readonly Door[]>;
  /** Number of crashes of each node. */
  readonly lives: Trie<number>;
  /** Decided operations with the epoch; later replies concern the past. */
  readonly past: UndoMap<number>;
}

/** Returns a tracker without submissions. */
export function noDoors(): Doors {
  return { byOperation: Trie.empty(), lives: Trie.empty(), past: UndoMap.empty() };
}

type Asked = Extract<Observed, { readonly type: "asked" }>;
type Replied = Extract<Observed, { readonly type: "replied" }>;

/** A submission reached a validator. */
export function handedTo(doors: Doors, { node, honest, id }: Asked): Doors {
  const life = doors.lives.get(node) ?? 0;
  const known = doorsOf(doors, id).find((one) => one.node === node);
  const forgot = known?.status === "lost" || (known?.status === "open" && known.life < life);
  return withDoor(doors, id, { node, life, status: honest && !forgot ? "open" : "lost" });
}

/** A validator replied. A reply about a decision changes nothing: it comes too late. */
export function answeredBy(doors: Doors, { node, id, answer }: Replied): Doors {
  const known = doorsOf(doors, id).find((one) => one.node === node);
  if (known === undefined || known.status === "lost") return doors;
  if (answer.status === "pending") return withDoor(doors, id, { ...known, status: "open" });
  const isUnshown = answer.status === "refused" && !answer.shown;
  return isUnshown ? withDoor(doors, id, { ...known, status: "refused" }) : doors;
}

/** A validator lost its volatile state, and with it the record of disclosures. */
export function crashedAt(doors: Doors, node: NodeName): Doors {
  return { ...doors, lives: doors.lives.set(node, (doors.lives.get(node) ?? 0) + 1) };
}

/** Returns the nodes that refused an undecided operation undisclosed; empty if any receiver may have disclosed it. */
export function refusedUnshown(doors: Doors, id: OperationId): readonly NodeName[] {
  if (doors.past.has(id)) return [];
  const all = doorsOf(doors, id);
  return all.every(({ status }) => status === "refused") ? all.map(({ node }) => node) : [];
}

/** The operation was decided in this epoch. */
export function decided(doors: Doors, id: OperationId, epoch: number): Doors {
  if (doors.past.has(id)) return doors;
  const { byOperation, lives, past } = doors;
  return { byOperation: byOperation.delete(id), lives, past: past.set(id, epoch) };
}

function doorsOf(doors: Doors, id: OperationId): readonly Door[] {
  return doors.byOperation.get(id) ?? [];
}

function withDoor(doors: Doors, id: OperationId, door: Door): Doors {
  const others = doorsOf(doors, id).filter(({ node }) => node !== door.node);
  const { byOperation, lives, past } = doors;
  return { byOperation: byOperation.set(id, others.concat(door)), lives, past };
}
