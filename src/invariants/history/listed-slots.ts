/** Slots that a chain link lists, each with its own operations. */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Listed } from "../../core/base/slot.ts";

export type ListedSlot = Pick<Listed, "slot" | "value"> & { readonly operations: readonly SignedOperation[] };

/**
 * Returns the listed slots; the operations of a link follow in the order of its slots, as many for each as it has
 * copies.
 */
export function listedSlots(listed: readonly Listed[], operations: readonly SignedOperation[]): readonly ListedSlot[] {
  let from = 0;
  return listed.map(({ slot, value, copies }) => {
    const own = operations.slice(from, from + copies.length);
    from += own.length;
    return { slot, value, operations: own };
  });
}
