/** The content of a checkpoint: one verified copy of each operation that its slots show (protocol 6.1). */
import type { SignedOperation } from "../../base/operation.ts";
import type { Listed } from "../../base/slot.ts";
import { copyOf } from "../../ledger/identity.ts";

/** A listed slot with its own operations. */
export interface ListedContent extends Listed {
  readonly operations: readonly SignedOperation[];
}

/** The content of a checkpoint slot by slot; `undefined` where the number of operations is not that of the copies. */
export function partsOf(
  all: readonly Listed[],
  operations: readonly SignedOperation[],
): readonly ListedContent[] | undefined {
  const parts: ListedContent[] = [];
  let from = 0;
  for (const listed of all) {
    const to = from + listed.copies.length;
    parts.push({ ...listed, operations: operations.slice(from, to) });
    from = to;
  }
  return from === operations.length ? parts : undefined;
}

/** The hashes of the copies, as clients see them; `copy` may be one that remembers. */
export function copiesOf(operations: readonly SignedOperation[], copy: typeof copyOf = copyOf): Listed["copies"] {
  return operations.map((signed) => copy(signed).hash);
}

/** Bytes of the copies; `copy` may be one that remembers. */
export function sizeOf(operations: readonly SignedOperation[], copy: typeof copyOf = copyOf): number {
  return operations.reduce((sum, signed) => sum + copy(signed).bytes, 0);
}
