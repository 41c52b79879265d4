/** Contents of skips: their values name what they displace, and the fee that follows from it (protocol 3.0, 4.4). */
import type { SignedOperation } from "../../base/operation.ts";
import type { SkipValue } from "../../base/slot.ts";
import { recoveryId } from "../../ledger/identity.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Content } from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";
import type { SlotReason } from "../message.ts";
import { operationsIn } from "./reason-check.ts";

/**
 * Returns the skip of a nonce by its owner's cancellation or by an equivocation proof, with the token of its fee
 * by `ledger`. One proof has one value: the lower id comes first.
 */
export function skipContent(
  { hashes, rules }: Pick<DecisionInputs, "hashes" | "rules">,
  ledger: LedgerState,
  reason: Exclude<SlotReason, { kind: "burn" }>,
): Content {
  const { operationId } = hashes;
  const [first, second] = operationsIn(reason) as readonly [SignedOperation, SignedOperation];
  const account = first.sender;
  const isCancelled = reason.kind === "cancellation";
  const by = isCancelled ? "cancellation" : "recovery";
  const id = isCancelled ? operationId(first) : recoveryId(ledger.chainId, account, first.operation.nonce);
  const isInOrder = isCancelled || operationId(first) < operationId(second);
  const operations = isInOrder ? [first, second] : [second, first];
  const displaced = isCancelled ? [second] : operations;
  const feeToken = rules.ledger.skipFeeToken(ledger, displaced);
  const value: SkipValue = { type: "skip", by, id, displaced: displaced.map(operationId), feeToken };
  return { value, operations, certificates: [] };
}
