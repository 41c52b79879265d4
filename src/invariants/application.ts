/** A decided slot as one node applied it, with the changes and receipts that followed. */
import type { Millis } from "../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import type { Receipt } from "../core/base/receipt.ts";
import type { LedgerSlot, LedgerValue } from "../core/base/slot.ts";
import type { Change, NodeName, Observed } from "./observation.ts";

export interface Application {
  readonly node: NodeName;
  readonly honest: boolean;
  readonly step: number;
  readonly at: Millis;
  readonly slot: LedgerSlot;
  readonly value: LedgerValue;
  readonly operations: readonly SignedOperation[];
  readonly changes: readonly Change[];
  readonly receipts: readonly Receipt[];
}

/** Newest first, so that one more costs the same however many there are. */
interface Chain<T> {
  readonly last: T;
  readonly earlier: Chain<T> | undefined;
}

/** An application whose changes are still coming. */
export interface OpenApplication {
  readonly applied: Extract<Observed, { readonly type: "applied" }>;
  readonly changes: Chain<Change> | undefined;
  readonly receipts: Chain<Receipt> | undefined;
}

/** Begins with the `applied` record. */
export function begin(applied: OpenApplication["applied"]): OpenApplication {
  return { applied, changes: undefined, receipts: undefined };
}

/** One more change of state. */
export function withChange(open: OpenApplication, change: Change): OpenApplication {
  return { ...open, changes: { last: change, earlier: open.changes } };
}

/** One more receipt. */
export function withReceipt(open: OpenApplication, receipt: Receipt): OpenApplication {
  return { ...open, receipts: { last: receipt, earlier: open.receipts } };
}

/** Ends with the node's next record of any other kind. */
export function finish({ applied, changes, receipts }: OpenApplication): Application {
  const { node, honest, step, at, slot, value, operations } = applied;
  return { node, honest, step, at, slot, value, operations, changes: inOrder(changes), receipts: inOrder(receipts) };
}

/** The operations that a decided value names, with their ids. A skip carries none out: its two are its warrant. */
export function carried(value: LedgerValue, operations: readonly SignedOperation[]): readonly Carried[] {
  if (value.type === "skip") return [];
  const ids = value.type === "list" ? value.ids : [value.id];
  const pairs: Carried[] = [];
  ids.forEach((id, place) => {
    const signed = operations[place];
    if (signed !== undefined) pairs.push({ id, signed });
  });
  return pairs;
}

export interface Carried {
  readonly id: OperationId;
  readonly signed: SignedOperation;
}

function inOrder<T>(chain: Chain<T> | undefined): readonly T[] {
  const items: T[] = [];
  for (let link = chain; link !== undefined; link = link.earlier) items.push(link.last);
  return items.reverse();
}
