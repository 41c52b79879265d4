/** Checks of forced burns in the slots of the accounts that they debit (protocol 5). */
import type { Address } from "../base/ids.ts";
import type { Burn, OperationId } from "../base/operation.ts";
import type { CheckResult } from "../base/refusal.ts";
import type { AccountSlot, BurnValue } from "../base/slot.ts";
import { ACCEPT, refuse, wait } from "./check-result.ts";
import { debitedBy } from "./effect-slot.ts";
import { type Authorised, accountOf, balanceOf, dueOfSigner, findAuthorised, type LedgerState } from "./state.ts";

/** Authorised burn and the account that it debits. */
export interface DueBurn {
  readonly entry: Authorised;
  readonly burn: Burn;
}

/** Returns the burn of an id, `undefined` if it is not due for this account (yet, or any more). */
export function findBurn(state: LedgerState, account: Address, id: OperationId): DueBurn | undefined {
  const entry = findAuthorised(state, id);
  const operation = entry?.signed.operation;
  if (entry === undefined || operation?.kind !== "burn") return undefined;
  return debitedBy(operation, entry.signed.sender) === account ? { entry, burn: operation } : undefined;
}

/** Returns the outcome that this state's balance shows, `undefined` if the burn is not due for this account. */
export function burnOutcome(state: LedgerState, account: Address, id: OperationId): BurnValue["outcome"] | undefined {
  const due = findBurn(state, account, id);
  if (due === undefined) return undefined;
  return balanceOf(state, account, due.burn.token) >= due.burn.value ? "burned" : "failed";
}

/**
 * Accepts a burn in the account's next slot if it is due for it, the first of its authority's burns there, and has the
 * outcome that the balance here shows. Waits for the authorisation and for the outcome, since missing credits arrive
 * (protocol 5).
 */
export function checkBurn(state: LedgerState, account: Address, value: BurnValue): CheckResult {
  const due = findBurn(state, account, value.id);
  if (due === undefined) return wait({ code: "resource_authorisation_not_found", id: value.id });
  const slot: AccountSlot = { kind: "account", address: account, sequence: accountOf(state, account).sequence };
  const [first] = dueOfSigner(state, slot, due.entry.signed.sender);
  if (first?.id !== value.id) {
    return refuse({ code: "validation_proposal", reason: "an earlier burn of the same authority is due first" });
  }
  const expected = burnOutcome(state, account, value.id);
  if (expected === undefined || expected === value.outcome) return ACCEPT;
  return wait({ code: "business_burn_outcome", id: value.id, expected, got: value.outcome });
}
