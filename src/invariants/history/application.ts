/** Application of a decided slot at one node, with its changes and receipts. */
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { LedgerValue } from "../../core/base/slot.ts";
import type { EventOf } from "../observation.ts";

export type Application = EventOf<"applied">;

export interface ListedOperation {
  readonly id: OperationId;
  readonly signed: SignedOperation;
}

/**
 * Returns the operations that a decided value applies, with their ids. Empty for a skip: its two operations are its
 * warrant.
 */
export function operationsOf(value: LedgerValue, operations: readonly SignedOperation[]): readonly ListedOperation[] {
  if (value.type === "skip") return [];
  const ids = value.type === "list" ? value.ids : [value.id];
  const pairs: ListedOperation[] = [];
  ids.forEach((id, index) => {
    const signed = operations[index];
    if (signed !== undefined) pairs.push({ id, signed });
  });
  return pairs;
}
