/** Content of a checkpoint: one verified copy of each operation of its slots (protocol 6.1). */
import type { SignedOperation } from "../../base/operation.ts";
import type { Listed } from "../../base/slot.ts";
import { copyOf } from "../../ledger/identity.ts";

/** Listed slot with its own operations. */
export interface ListedContent extends Listed {
  readonly operations: readonly SignedOperation[];
}

/** Returns the content of a checkpoint slot by slot; `undefined` if the numbers of operations and copies differ. */
export function listedSlots(
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

/** Returns the hashes of the copies, as clients see them; `copy` may be a cached function. */
export function copiesOf(operations: readonly SignedOperation[], copy: typeof copyOf = copyOf): Listed["copies"] {
  return operations.map((signed) => copy(signed).hash);
}

/** Returns the bytes of the copies; `copy` may be a cached function. */
export function sizeOf(operations: readonly SignedOperation[], copy: typeof copyOf = copyOf): number {
  return operations.reduce((sum, signed) => sum + copy(signed).bytes, 0);
}
