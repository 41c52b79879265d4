/** Refusals of a node, with the evidence that the rules of the ledger give them. */
import type { FeeSchedule } from "../core/base/epoch.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import type { Refusal, RefusalCode } from "../core/base/refusal.ts";
import { paymentFee, spentAmount } from "../core/ledger/fees.ts";
import { accountOf, balanceOf, type LedgerState } from "../core/ledger/state.ts";

/**
 * Returns the refusal of a code, with evidence from the operation and from the validator's own ledger. A code that a
 * payment has no evidence for becomes `validation_layout`, with the node's words.
 */
export function refusalOf(
  { code, text = "the validator gives no reason" }: { readonly code?: RefusalCode; readonly text?: string },
  { operation, sender }: SignedOperation,
  ledger: LedgerState,
  fees: FeeSchedule,
): Refusal {
  const unknown: Refusal = { code: "validation_layout", field: "operation", reason: text };
  if (operation.kind !== "payment") return unknown;
  const { token, nonce } = operation;
  switch (code) {
    case "business_insufficient_funds": {
      const need = spentAmount(fees, operation, paymentFee) as typeof operation.value;
      return { code, token, balance: balanceOf(ledger, sender, token), need };
    }
    case "business_nonce_too_low":
    case "business_nonce_gap":
      return { code, expected: accountOf(ledger, sender).nonce, got: nonce };
    case "resource_token_not_found":
    case "business_token_paused":
      return { code, token };
    case "validation_signature":
      return { code, reason: text };
    default:
      return unknown;
  }
}
