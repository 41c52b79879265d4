/** Slots that a chain link lists, each with its own operations. */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Listed } from "../../core/base/slot.ts";

export type Part = Pick<Listed, "slot" | "value"> & { readonly operations: readonly SignedOperation[] };

/**
 * Returns the listed slots; the operations of a link follow in the order of its slots, as many for each as it has
 * copies.
 */
export function partsOf(listed: readonly Listed[], operations: readonly SignedOperation[]): readonly Part[] {
  let from = 0;
  return listed.map(({ slot, value, copies }) => {
    const own = operations.slice(from, from + copies.length);
    from += own.length;
    return { slot, value, operations: own };
  });
}
