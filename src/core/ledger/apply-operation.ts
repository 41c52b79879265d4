/**
 * Application of an owner's operation in its account slot: takes effect there, or is authorised there (protocol 4.1).
 */
import { AMOUNT_MAX, type Amount, ZERO } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import { type Address, next } from "../base/ids.ts";
import type { Burn, OperationId, Payment, SignedOperation } from "../base/operation.ts";
import { type AccountSlot, slotKey } from "../base/slot.ts";
import { type Applied, applied, impossible, waiting } from "./applied.ts";
import { addAuthorised } from "./authorised-set.ts";
import { countBurned, credit, debit, depositPool } from "./balances.ts";
import { effectSlotOf } from "./effect-slot.ts";
import type { paymentFee } from "./fees.ts";
import { accountOf, balanceOf, type LedgerState, withChanges } from "./state.ts";

/**
 * Uses up the nonce and executes the operation, or adds it to the authorised ones. A decision is final: no rule is
 * checked again, but a debit waits until the funds are here too (protocol 4.3). Impossible if sender or nonce are not
 * those of the slot, and for a cancellation, which is decided as a skip.
 */
export function applyOperation(
  state: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  signed: SignedOperation,
  feeOf: typeof paymentFee,
): Applied {
  const { operation, sender } = signed;
  const { nonce } = accountOf(state, slot.address);
  if (sender !== slot.address) return impossible(`operation ${id} is of ${sender}`);
  if (operation.nonce !== nonce) return impossible(`operation ${id} has nonce ${operation.nonce}, expected ${nonce}`);
  const used = useNonce(state, slot);
  switch (operation.kind) {
    case "payment":
      return applyPayment(used, slot, id, operation, feeOf(state.parameters.fees, operation.token));
    case "burn":
      return effectSlotOf(signed).where === "own"
        ? applyOwnBurn(used, slot, id, operation)
        : authorise(used, slot, id, signed);
    case "issue":
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return authorise(used, slot, id, signed);
    case "cancellation":
      return impossible(`cancellation ${id} is decided as an operation, expected a skip`);
    default:
      return unreachable(operation);
  }
}

/** Returns the state with one nonce and one slot used. */
export function useNonce(state: LedgerState, { address }: AccountSlot): LedgerState {
  const { nonce, sequence } = accountOf(state, address);
  return withChanges(state, {
    accounts: state.accounts.set(address, { nonce: next(nonce), sequence: next(sequence) }),
  });
}

/** Returns `waiting` for a debit that this state cannot make yet. */
export function waitingForFunds(state: LedgerState, address: Address, token: Address, need: Amount): Applied {
  return waiting({ code: "business_insufficient_funds", token, balance: balanceOf(state, address, token), need });
}

function authorise(state: LedgerState, slot: AccountSlot, id: OperationId, signed: SignedOperation): Applied {
  return applied(addAuthorised(state, { id, signed, authorisedBy: slotKey(slot), sequence: slot.sequence }), []);
}

/** Debits value and fee at once, then credits the recipient, who may be the payer, and the pool. */
function applyPayment(state: LedgerState, slot: AccountSlot, id: OperationId, payment: Payment, fee: Amount): Applied {
  const { token, recipient, value } = payment;
  const total = value + fee;
  if (total > AMOUNT_MAX) return impossible(`payment ${id}: value and fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const paid = depositPool(credit(debited, recipient, token, value), token, fee);
  return applied(paid, [{ id, success: true, fee, feeToken: token, error: undefined, slot: slotKey(slot) }]);
}

function applyOwnBurn(state: LedgerState, slot: AccountSlot, id: OperationId, { token, value }: Burn): Applied {
  const debited = debit(state, slot.address, token, value);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, value);
  const receipt = { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) };
  return applied(countBurned(debited, token, value), [receipt]);
}
