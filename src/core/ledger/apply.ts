/** Application of decided slots: the only way in which a ledger changes (protocol 4.1, 4.3). */
import { assert, required, unreachable } from "../base/assert.ts";
import type { SignedOperation } from "../base/operation.ts";
import { type AccountSlot, type LedgerSlot, type LedgerValue, slotKey } from "../base/slot.ts";
import { type Applied, impossible } from "./applied.ts";
import { applyBurn } from "./apply-burn.ts";
import { applyList } from "./apply-list.ts";
import { applyOperation } from "./apply-operation.ts";
import { applySkip } from "./apply-skip.ts";
import { executeOne } from "./execute.ts";
import { paymentFee, skipFeeAmount } from "./fees.ts";
import { operationId } from "./identity.ts";
import { isNext, type LedgerState } from "./state.ts";

/** Parts of `apply` taken through a record, so that a known-bad variant can replace one of them. */
export interface ApplyRules {
  readonly operationId: typeof operationId;
  readonly paymentFee: typeof paymentFee;
  readonly skipFeeAmount: typeof skipFeeAmount;
  readonly executeOne: typeof executeOne;
}

export const applyRules: ApplyRules = { operationId, paymentFee, skipFeeAmount, executeOne };

/**
 * Returns the state after a decided slot, with the receipts of the effects decided there; or what is still lacking
 * here; or why no honest quorum can have decided this on `state`. `operation` is the content of an operation value, or
 * the first that a skip shows; burns and lists are found among the authorised ones.
 * @throws AssertionError unless `slot` is the next of its sequence and `operation` is the value's: the caller's error.
 */
export function apply(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operation: SignedOperation | undefined,
  rules: ApplyRules = applyRules,
): Applied {
  assert(isNext(state, slot), `${slotKey(slot)} is not the next slot of its sequence`);
  if (slot.kind === "account") return applyToAccount(state, slot, value, operation, rules);
  return value.type === "list" ? applyList(state, slot, value, rules.executeOne) : ofAnotherKind(slot, value);
}

function applyToAccount(
  state: LedgerState,
  slot: AccountSlot,
  value: LedgerValue,
  operation: SignedOperation | undefined,
  rules: ApplyRules,
): Applied {
  switch (value.type) {
    case "operation": {
      const signed = required(operation, `content of operation ${value.id}`);
      assert(rules.operationId(signed) === value.id, `content of operation ${value.id} is of another`);
      return applyOperation(state, slot, value.id, signed, rules.paymentFee);
    }
    case "burn":
      return applyBurn(state, slot, value);
    case "skip":
      return applySkip(state, slot, value, operation, rules.skipFeeAmount);
    case "list":
      return ofAnotherKind(slot, value);
    default:
      return unreachable(value);
  }
}

function ofAnotherKind(slot: LedgerSlot, value: LedgerValue): Applied {
  return impossible(`${slotKey(slot)} decides no ${value.type}`);
}
