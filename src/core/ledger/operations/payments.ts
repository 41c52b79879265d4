/** Operations of an account's owner: payment and cancellation (specification 5.2, 5.3). */
import { AMOUNT_MAX, type Amount } from "../../base/amount.ts";
import type { Address } from "../../base/ids.ts";
import type { Cancellation, OperationId, Payment } from "../../base/operation.ts";
import { type CheckResult, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult, impossibleResult } from "../applied.ts";
import { checkFunds, credit, debit, depositPool, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState } from "../state.ts";
import { pausedRefusal, type Token } from "../token.ts";
import {
  type FeeFunction,
  type FundsContext,
  type Kind,
  namedToken,
  OWN,
  returnUndefined,
  TOKEN,
  VALUE,
} from "./kind.ts";

export const payment: Kind<Payment> = {
  fields: { recipient: { type: "address", wire: "recipient", about: "the recipient" }, value: VALUE, token: TOKEN },
  signer: "owner",
  opType: 1,
  token: namedToken,
  effectSlot: () => OWN,
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: { role: undefined, check: checkPayment, apply: applyPayment },
};

/** Decided as a skip, so it has no effect of its own (protocol 4.4). */
export const cancellation: Kind<Cancellation> = {
  fields: {},
  signer: "owner",
  opType: 255,
  token: returnUndefined,
  effectSlot: () => OWN,
  fault: returnUndefined,
};

/** Not paused, both sides allowed by the lists, and the balance covers amount and fee (specification 5.2). */
function checkPayment(
  state: LedgerState,
  policy: Token,
  { token, recipient, value }: Payment,
  signer: Address,
  { feeOf }: FundsContext,
): CheckResult {
  const refusal =
    pausedRefusal(token, policy) ??
    exclusionRefusal(state, signer, token, policy) ??
    exclusionRefusal(state, recipient, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const fee = feeOf(state.parameters.fees, token);
  const need = value + fee;
  if (need > AMOUNT_MAX) {
    // No balance can ever hold it, so it would wait for funds in vain.
    return refuse({ code: "validation_amount", field: "value", reason: `with the fee of ${fee} it passes 2^256 - 1` });
  }
  return checkFunds(balanceOf(state, signer, token), need as Amount, token);
}

/** Debits value and fee at once, then credits the recipient, who may be the payer, and the pool. */
function applyPayment(
  state: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  payment: Payment,
  feeOf: FeeFunction,
): ApplyResult {
  const { token, recipient, value } = payment;
  const fee = feeOf(state.parameters.fees, token);
  const total = value + fee;
  if (total > AMOUNT_MAX) return impossibleResult(`payment ${id}: value and fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const paid = depositPool(credit(debited, recipient, token, value), token, fee);
  return appliedResult(paid, [{ id, success: true, fee, feeToken: token, error: undefined, slot: slotKey(slot) }]);
}
