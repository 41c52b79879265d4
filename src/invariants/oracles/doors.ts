/**
 * Whom operations were handed to, and what those validators said (protocol 4.2). One that every one of them refused and
 * showed to nobody has left no trace: its client may sign something else for that nonce.
 */
import type { OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { NodeName, Observed } from "../observation.ts";

interface Door {
  readonly node: NodeName;
  /** Crashes of the node before it was asked. */
  readonly life: number;
  /** `lost`: it may have shown the operation and forgotten so, or it does not follow the rules. */
  readonly status: "open" | "refused" | "lost";
}

export interface Doors {
  readonly byOperation: Trie<readonly Door[]>;
  /** How often each node has crashed. */
  readonly lives: Trie<number>;
  /** Operations that were decided, with the epoch: what anybody says of them from there on is about the past. */
  readonly past: UndoMap<number>;
}

/** Before anything was handed to anybody. */
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

/** A validator said how an operation stands. What it says of a decision changes nothing: it comes too late. */
export function answeredBy(doors: Doors, { node, id, answer }: Replied): Doors {
  const known = doorsOf(doors, id).find((one) => one.node === node);
  if (known === undefined || known.status === "lost") return doors;
  if (answer.status === "pending") return withDoor(doors, id, { ...known, status: "open" });
  const isUnshown = answer.status === "refused" && !answer.shown;
  return isUnshown ? withDoor(doors, id, { ...known, status: "refused" }) : doors;
}

/** A validator lost its memory, and with it what it has shown to whom. */
export function crashedAt(doors: Doors, node: NodeName): Doors {
  return { ...doors, lives: doors.lives.set(node, (doors.lives.get(node) ?? 0) + 1) };
}

/** Who refused an undecided operation and showed it to nobody; none where any validator that was asked may have. */
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
