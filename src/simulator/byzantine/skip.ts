/** Skip of an owner's cancellation, at its full fee (protocol 4.4): the value that some strategies prefer. */
import type { SignedOperation } from "../../core/base/operation.ts";
import { operationId } from "../../core/ledger/identity.ts";
import type { Content } from "../../core/validator/content.ts";

export function skipBy(cancellation: SignedOperation, displaced: SignedOperation): Content {
  const feeToken = displaced.operation.kind === "payment" ? displaced.operation.token : undefined;
  const feeStep = feeToken === undefined ? "zero" : "full";
  const value = { type: "skip", by: "cancellation", id: operationId(cancellation), feeToken, feeStep } as const;
  return { value, operations: [cancellation, displaced], certificates: [] };
}
