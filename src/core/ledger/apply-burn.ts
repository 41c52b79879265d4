/** Application of a due forced burn in a slot of the account that it debits (protocol 5). */
import { ZERO } from "../base/amount.ts";
import { next } from "../base/ids.ts";
import type { Receipt } from "../base/refusal.ts";
import { type AccountSlot, type BurnValue, slotKey } from "../base/slot.ts";
import { type Applied, applied, waiting } from "./applied.ts";
import { waitingForFunds } from "./apply-operation.ts";
import { removeAuthorised } from "./authorised-set.ts";
import { countBurned, debit } from "./balances.ts";
import { findBurn } from "./check-burn.ts";
import { accountOf, type LedgerState } from "./state.ts";

/**
 * Takes the decided outcome as given: `failed` burns nothing, `burned` waits until the funds are here too. Uses up a
 * slot of the account but no nonce, so the owner's signed operations stay valid.
 */
export function applyBurn(state: LedgerState, slot: AccountSlot, value: BurnValue): Applied {
  const due = findBurn(state, slot.address, value.id);
  if (due === undefined) return waiting({ code: "resource_authorisation_not_found", id: value.id });
  const { token, value: amount } = due.burn;
  const { nonce, sequence } = accountOf(state, slot.address);
  const accounts = state.accounts.set(slot.address, { nonce, sequence: next(sequence) });
  const left = removeAuthorised({ ...state, accounts }, due.entry);
  const base = { id: value.id, fee: ZERO, feeToken: undefined, slot: slotKey(slot) };
  if (value.outcome === "failed") {
    const error = { code: "business_burn_unfunded", token, account: slot.address, value: amount } as const;
    return applied(left, [{ ...base, success: false, error }]);
  }
  const debited = debit(left, slot.address, token, amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, amount);
  const receipt: Receipt = { ...base, success: true, error: undefined };
  return applied(countBurned(debited, token, amount), [receipt]);
}
