/** Contents of skips: their values name what they displace, and the fee that follows from it (protocol 3.0, 4.4). */
import type { Address } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import type { SkipValue } from "../../base/slot.ts";
import { recoveryId } from "../../ledger/identity.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Content } from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";

type Inputs = Pick<DecisionInputs, "hashes" | "rules">;

/** Returns the skip of a nonce by its owner's cancellation, with the fee that the owner's balance in `ledger` covers. */
export function skipByCancellation(
  inputs: Inputs,
  ledger: LedgerState,
  cancellation: SignedOperation,
  displaced: SignedOperation,
): Content {
  const id = inputs.hashes.operationId(cancellation);
  return skip(inputs, ledger, cancellation.sender, { by: "cancellation", id }, [cancellation], [displaced]);
}

/** Returns the skip of a nonce by an equivocation proof. One proof has one value: the lower id comes first. */
export function skipByRecovery(
  inputs: Inputs,
  ledger: LedgerState,
  first: SignedOperation,
  second: SignedOperation,
): Content {
  const { operationId } = inputs.hashes;
  const proof = operationId(first) < operationId(second) ? [first, second] : [second, first];
  const id = recoveryId(ledger.chainId, first.sender, first.operation.nonce);
  return skip(inputs, ledger, first.sender, { by: "recovery", id }, [], proof);
}

function skip(
  { hashes, rules }: Inputs,
  ledger: LedgerState,
  account: Address,
  { by, id }: Pick<SkipValue, "by" | "id">,
  cancellations: readonly SignedOperation[],
  displaced: readonly SignedOperation[],
): Content {
  const { feeToken, feeStep } = rules.ledger.skipFee(ledger, account, by, displaced);
  const value: SkipValue = { type: "skip", by, id, displaced: displaced.map(hashes.operationId), feeToken, feeStep };
  return { value, operations: [...cancellations, ...displaced], certificates: [] };
}
