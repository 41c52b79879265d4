/** Application of a decided slot at one node, with its changes and receipts. */
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { LedgerValue } from "../../core/base/slot.ts";
import type { RecordOf } from "../observation.ts";

export type Application = RecordOf<"applied">;

export interface Carried {
  readonly id: OperationId;
  readonly signed: SignedOperation;
}

/**
 * Returns the operations that a decided value applies, with their ids. Empty for a skip: its two operations are its
 * warrant.
 */
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
