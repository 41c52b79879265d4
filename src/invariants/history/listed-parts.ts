/** What a link of the checkpoint chain lists, each slot with its own operations. */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Listed } from "../../core/base/slot.ts";

export type Part = Pick<Listed, "slot" | "value"> & { readonly operations: readonly SignedOperation[] };

/** The operations of a link follow each other as its slots do, as many to each as copies are fixed. */
export function partsOf(listed: readonly Listed[], operations: readonly SignedOperation[]): readonly Part[] {
  let from = 0;
  return listed.map(({ slot, value, copies }) => {
    const own = operations.slice(from, from + copies.length);
    from += own.length;
    return { slot, value, operations: own };
  });
}
