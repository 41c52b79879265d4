/** Signed bytes that each node has admitted, and the operation that they were read as (protocol 9.3). */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { Operation, OperationId, SignedOperation } from "../../../core/base/operation.ts";
import type { NodeName } from "../../observation.ts";
import { isSignedAlike } from "../../reference/operation-meaning.ts";
import { countersOf, type LedgerState } from "../../reference/state.ts";

interface Reading {
  readonly id: OperationId;
  readonly operation: Operation;
}

/** By node and signer; of a node what it has admitted since it started, of a signer the nonces that are open there. */
export type Readings = Map<NodeName, Map<Address, readonly Reading[]>>;

/** Notes what a node admits. Returns true if it has admitted the same bytes of the signer as another operation before. */
export function isSecondReading(
  readings: Readings,
  ledger: LedgerState,
  { node, id, signed: { operation, sender } }: Readonly<{ node: NodeName; id: OperationId; signed: SignedOperation }>,
): boolean {
  const own = entryOf(readings, node, () => new Map<Address, readonly Reading[]>());
  const { nonce: next } = countersOf(ledger, sender);
  const open = (own.get(sender) ?? []).filter((one) => one.operation.nonce >= next);
  const first = open.find((one) => one.id === id || isSignedAlike(one.operation, operation));
  own.set(sender, first === undefined ? [...open, { id, operation }] : open);
  return first !== undefined && first.id !== id;
}

/** A node forgets what it refused, and what an epoch's end made void: another reading may follow. */
export function forgetReading(readings: Readings, node: NodeName, sender: Address, id: OperationId): void {
  const bySender = readings.get(node);
  const left = bySender?.get(sender)?.filter((one) => one.id !== id);
  if (left !== undefined) bySender?.set(sender, left);
}
