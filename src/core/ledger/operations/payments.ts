/** Operations of an account's owner: payment and cancellation (specification 5.2, 5.3). */
import { AMOUNT_MAX, type Amount } from "../../base/amount.ts";
import type { Address } from "../../base/ids.ts";
import type { Cancellation, OperationId, Payment } from "../../base/operation.ts";
import { type CheckResult, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type Applied, applied, impossible } from "../applied.ts";
import { credit, debit, depositPool, funded, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState } from "../state.ts";
import { pausedRefusal, type Token } from "../token.ts";
import {
  AMOUNT,
  type FeeOf,
  FROM,
  type FundsContext,
  type Kind,
  namedToken,
  none,
  OF_TOKEN,
  OWN,
  RECIPIENT,
  TOKEN,
  VALUE,
} from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface PaymentForms {
  readonly payment: { readonly from: string; readonly to: string; readonly token: string; readonly value: string };
  readonly cancellation: { readonly from: string };
}

export const payment: Kind<Payment, Pick<PaymentForms, "payment">> = {
  fields: { recipient: { type: "address", wire: "recipient", about: "the recipient" }, value: VALUE, token: TOKEN },
  body: "a payment",
  signer: "owner",
  paths: {
    "/v1/transactions/payment": {
      summary: "Pay",
      description: "Moves a token. The fee is paid in the same token.",
      section: "specification 5.2; wire 1.2, W1",
      v2: { opType: 1 },
    },
  },
  spec: ["recipient", "value", "token"],
  token: namedToken,
  effectSlot: () => OWN,
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: { role: undefined, check: checkPayment, apply: applyPayment },
  verbs: {
    payment: {
      about: 'A payment moves units of a token. Example: payment: { from: alice, to: bob, token: USD, value: "10" }',
      form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
      fills: { token: "token", recipient: "to", value: "value" },
    },
  },
};

/** Decided as a skip, so it has no effect of its own (protocol 4.4). */
export const cancellation: Kind<Cancellation, Pick<PaymentForms, "cancellation">> = {
  fields: {},
  body: "a cancellation",
  signer: "owner",
  paths: {
    "/v1/transactions/cancellation": {
      summary: "Cancel",
      description: "Replaces the pending operation of the same nonce if that has no quorum.",
      section: "specification 5.3; wire 1.2, W2",
      v2: { opType: 255 },
    },
  },
  spec: [],
  token: none,
  effectSlot: () => OWN,
  fault: none,
  verbs: {
    cancellation: {
      about: "A cancellation takes the nonce of a pending operation. Example: cancellation: { from: alice }",
      form: { from: FROM },
      fills: {},
    },
  },
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
  return funded(balanceOf(state, signer, token), need as Amount, token);
}

/** Debits value and fee at once, then credits the recipient, who may be the payer, and the pool. */
function applyPayment(state: LedgerState, slot: AccountSlot, id: OperationId, payment: Payment, feeOf: FeeOf): Applied {
  const { token, recipient, value } = payment;
  const fee = feeOf(state.parameters.fees, token);
  const total = value + fee;
  if (total > AMOUNT_MAX) return impossible(`payment ${id}: value and fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const paid = depositPool(credit(debited, recipient, token, value), token, fee);
  return applied(paid, [{ id, success: true, fee, feeToken: token, error: undefined, slot: slotKey(slot) }]);
}
