/** Contents of value hashes, as far as the events of a run show them, and the operations that they apply. */
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { LedgerValue, ListedDecision } from "../../core/base/slot.ts";
import type { EventOf } from "../observation.ts";

export type ObservedContent = Pick<EventOf<"content">, "value" | "operations">;

/** Contents by value hash. */
export type Contents = ReadonlyMap<Hash, ObservedContent>;

export type Application = EventOf<"applied">;

interface ListedOperation {
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

/** Returns the operation of this id among those that a decided value applies. */
export function operationIn(
  value: LedgerValue,
  operations: readonly SignedOperation[],
  id: OperationId,
): SignedOperation | undefined {
  if (value.type === "skip") return undefined;
  if (value.type !== "list") return value.id === id ? operations[0] : undefined;
  const place = value.ids.indexOf(id);
  return place < 0 ? undefined : operations[place];
}

export type ListedSlot = Pick<ListedDecision, "slot" | "value"> & { readonly operations: readonly SignedOperation[] };

/**
 * Returns the listed slots; the operations of a link follow in the order of its slots, as many for each as it has
 * copies.
 */
export function listedSlots(
  listed: readonly ListedDecision[],
  operations: readonly SignedOperation[],
): readonly ListedSlot[] {
  let from = 0;
  return listed.map(({ slot, value, copies }) => {
    const slotOperations = operations.slice(from, from + copies.length);
    from += slotOperations.length;
    return { slot, value, operations: slotOperations };
  });
}
