/** A decided slot taking effect: the only way in which a ledger changes (design 4.1, 4.3). */
import { AssertionError, assert, present, unreachable } from "../base/assert.ts";
import type { SignedOperation } from "../base/operation.ts";
import { type AccountSlot, type LedgerSlot, type LedgerValue, slotKey } from "../base/slot.ts";
import type { Applied } from "./applied.ts";
import { applyBurn } from "./apply-burn.ts";
import { applyList } from "./apply-list.ts";
import { applyOperation } from "./apply-operation.ts";
import { applySkip } from "./apply-skip.ts";
import { executeOne } from "./execute.ts";
import { paymentFee, skipFeeAmount } from "./fees.ts";
import { operationId } from "./identity.ts";
import { isNext, type LedgerState } from "./state.ts";
import { slotKindOf } from "./value.ts";

/** Parts of `apply` taken through a record, so that a known-bad variant can replace one of them. */
export interface ApplyRules {
  readonly operationId: typeof operationId;
  readonly paymentFee: typeof paymentFee;
  readonly skipFeeAmount: typeof skipFeeAmount;
  readonly executeOne: typeof executeOne;
}

export const applyRules: ApplyRules = { operationId, paymentFee, skipFeeAmount, executeOne };

/**
 * The state after a decided slot, with the receipts of the effects decided there, or what is still lacking here.
 * `operation` is the content of an operation value; burns and lists are found among the authorised ones.
 * @throws AssertionError unless `slot` is the next of its sequence and `value` of its kind: the caller's own error.
 */
export function apply(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operation: SignedOperation | undefined,
  rules: ApplyRules = applyRules,
): Applied {
  assert(isNext(state, slot), `${slotKey(slot)} is not the next slot of its sequence`);
  assert(slotKindOf(value) === slot.kind, `${slotKey(slot)} decides no ${value.type}`);
  if (slot.kind === "token") {
    assert(value.type === "list", `${slotKey(slot)} decides a list`);
    return applyList(state, slot, value, rules.executeOne);
  }
  return applyToAccount(state, slot, value, operation, rules);
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
      const signed = present(operation, `content of operation ${value.id}`);
      assert(rules.operationId(signed) === value.id, `content of operation ${value.id} is of another`);
      return applyOperation(state, slot, value.id, signed, rules.paymentFee);
    }
    case "burn":
      return applyBurn(state, slot, value);
    case "skip":
      return applySkip(state, slot, value, rules.skipFeeAmount);
    case "list":
      throw new AssertionError(`${slotKey(slot)} decides no list`);
    default:
      return unreachable(value);
  }
}
