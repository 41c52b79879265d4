/**
 * Operations of an account's owner: payments, single and in batches of which all legs take effect or none, and cancellation
 * (specification 5.2, 5.3, 5.17).
 */
import { AMOUNT_MAX, type Amount } from "../../base/amount.ts";
import type { Address } from "../../base/ids.ts";
import type { BatchPayment, Cancellation, OperationId, Payment } from "../../base/operation.ts";
import { type CheckResult, type Refusal, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult, impossibleResult } from "../apply-result.ts";
import { checkFunds, credit, debit, depositPool, waitingForFunds } from "../balances.ts";
import { amountFault, textTooLong } from "../field-rules.ts";
import { legsHash, totalOf } from "../legs.ts";
import { BATCH_ID_BYTES, BATCH_LEGS, CREATED_AT_MAX } from "../limits.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState } from "../state.ts";
import { pausedRefusal, type Token } from "../token.ts";
import {
  type FeeFunction,
  type FundsContext,
  type Kind,
  namedToken,
  OWN_SLOT,
  returnUndefined,
  TOKEN_FIELD,
  VALUE_FIELD,
} from "./kind.ts";

export const payment: Kind<Payment> = {
  fields: {
    recipient: { type: "address", wire: "recipient", description: "the recipient" },
    value: VALUE_FIELD,
    token: TOKEN_FIELD,
  },
  signer: "owner",
  opType: 1,
  token: namedToken,
  effectSlot: () => OWN_SLOT,
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: { role: undefined, check: checkPayment, apply: applyPayment },
};

/** A cancellation is decided as a skip, so it has no effect of its own (protocol 4.4). */
export const cancellation: Kind<Cancellation> = {
  fields: {},
  signer: "owner",
  opType: 255,
  token: returnUndefined,
  effectSlot: () => OWN_SLOT,
  fault: returnUndefined,
};

/**
 * Accepts a payment if the token is not paused, its lists allow both sides, and the balance covers amount and fee
 * (specification 5.2).
 */
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
  const total = value + fee;
  if (total > AMOUNT_MAX) {
    // No balance can ever hold it, so it would wait for funds in vain.
    return refuse({ code: "validation_amount", field: "value", reason: `with the fee of ${fee} it passes 2^256 - 1` });
  }
  return checkFunds(balanceOf(state, signer, token), total as Amount, token);
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

export const batch: Kind<BatchPayment> = {
  version1: "none",
  fields: {
    token: TOKEN_FIELD,
    legs: { type: "legs", wire: "operations", description: "the payments, in order" },
    createdAt: { type: "time", wire: "created_at", description: "the time at which the batch was made" },
    operationsHash: {
      type: "hex",
      wire: "operations_hash",
      description: "the hash of the payments",
      example: "0x5e2223ed47383af13d07e685fa659cb3409d0ce949ff34a3cd74b572c9d28656",
      optional: true,
      v2: "tail",
      gap: new Uint8Array(0),
    },
    batchId: {
      type: "text",
      wire: "batch_id",
      description: "a name that the sender gives",
      example: "batch-1",
      optional: true,
      v2: "tail",
    },
  },
  signer: "owner",
  opType: 14,
  token: namedToken,
  effectSlot: () => OWN_SLOT,
  fault: batchFault,
  inAccount: { role: undefined, check: checkBatch, apply: applyBatch },
};

const NOBODY = /^0x0+$/;

function batchFault(operation: BatchPayment): Refusal | undefined {
  const { legs, createdAt, operationsHash, batchId } = operation;
  if (legs.length === 0 || legs.length > BATCH_LEGS)
    return batchRefusal("operations", `has ${legs.length} payments, expected 1 to ${BATCH_LEGS}`);
  for (const [at, { recipient, amount }] of legs.entries()) {
    if (NOBODY.test(recipient)) return batchRefusal(`operations[${at}].recipient`, "is the zero address");
    const short = amountFault(`operations[${at}].amount`, amount, 1n);
    if (short !== undefined) return short;
  }
  if (totalOf(legs) > AMOUNT_MAX)
    return { code: "validation_amount", field: "operations", reason: "the total passes 2^256 - 1" };
  if (createdAt < 0n || createdAt > CREATED_AT_MAX)
    return { code: "validation_amount", field: "created_at", reason: "expected 0 to 2^64 - 1" };
  if (operationsHash !== undefined && operationsHash !== legsHash(legs))
    return batchRefusal("operations_hash", `is not that of the payments, which is ${legsHash(legs)}`);
  return batchId === undefined ? undefined : textTooLong("batch_id", batchId, BATCH_ID_BYTES);
}

function batchRefusal(field: string, reason: string): Refusal {
  return { code: "validation_batch", field, reason };
}

/** Accepts a batch if the token is not paused, its lists allow all parties, and the balance covers total and fee. */
function checkBatch(
  state: LedgerState,
  policy: Token,
  { token, legs }: BatchPayment,
  signer: Address,
  { feeOf }: FundsContext,
): CheckResult {
  const closed = pausedRefusal(token, policy) ?? exclusionRefusal(state, signer, token, policy);
  if (closed !== undefined) return refuse(closed);
  for (const { recipient } of legs) {
    const refusal = exclusionRefusal(state, recipient, token, policy);
    if (refusal !== undefined) return refuse(refusal);
  }
  const fee = feeOf(state.parameters.fees, token);
  const total = totalOf(legs) + fee;
  if (total > AMOUNT_MAX) {
    const reason = `with the fee of ${fee} the total passes 2^256 - 1`;
    return refuse({ code: "validation_amount", field: "operations", reason });
  }
  return checkFunds(balanceOf(state, signer, token), total as Amount, token);
}

/** Debits total and fee at once, so that no leg lacks funds that another one had; then credits each recipient. */
function applyBatch(
  state: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  operation: BatchPayment,
  feeOf: FeeFunction,
): ApplyResult {
  const { token, legs } = operation;
  const fee = feeOf(state.parameters.fees, token);
  const total = totalOf(legs) + fee;
  if (total > AMOUNT_MAX) return impossibleResult(`batch ${id}: total and fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const credited = legs.reduce((paid, { recipient, amount }) => credit(paid, recipient, token, amount), debited);
  const receipt = { id, success: true, fee, feeToken: token, error: undefined, slot: slotKey(slot) };
  const paid =
    state.policies.batchFees === "operator"
      ? credit(credited, state.operator, token, fee)
      : depositPool(credited, token, fee);
  return appliedResult(paid, [receipt]);
}
