/** A decided slot as one node applied it, with the changes and receipts that came of it. */
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { LedgerValue } from "../../core/base/slot.ts";
import type { RecordOf } from "../observation.ts";

export type Application = RecordOf<"applied">;

export interface Carried {
  readonly id: OperationId;
  readonly signed: SignedOperation;
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
