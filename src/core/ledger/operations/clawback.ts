/** Clawback: an authority moves units of another account (specification 5.14). */
import { ZERO } from "../../base/amount.ts";
import type { Address } from "../../base/ids.ts";
import type { Clawback, OperationId } from "../../base/operation.ts";
import { ACCEPT, type CheckResult, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult } from "../applied.ts";
import { checkFunds, credit, debit, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState } from "../state.ts";
import { missingRole, pausedRefusal, type Token } from "../token.ts";
import { type FundsContext, type Kind, namedToken, OWN, TOKEN, VALUE } from "./kind.ts";

export const clawback: Kind<Clawback> = {
  fields: {
    token: TOKEN,
    from: { type: "address", wire: "from", about: "the account debited" },
    recipient: { type: "address", wire: "recipient", about: "the account credited" },
    value: VALUE,
  },
  signer: "authority",
  opType: 9,
  token: namedToken,
  effectSlot: ({ from }, signer) => (from === signer ? OWN : { where: "account", address: from }),
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: {
    role: "Clawback",
    check: checkClawback,
    apply: applyOwnClawback,
    forced: {
      settle: creditRecipient,
      unfunded: ({ token, value }, account) => ({ code: "business_clawback_unfunded", token, account, value }),
    },
  },
};

/** Lists bind the recipient only: an excluded account can be clawed back from (specification 6.4). */
function checkClawback(
  state: LedgerState,
  policy: Token,
  operation: Clawback,
  signer: Address,
  { fundsForcedBurns }: FundsContext,
): CheckResult {
  const { token, from, recipient, value } = operation;
  if (!policy.clawbackEnabled) return refuse({ code: "business_clawback_disabled", token });
  const refusal =
    missingRole(token, policy, signer, "Clawback") ??
    pausedRefusal(token, policy) ??
    exclusionRefusal(state, recipient, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  if (from !== signer && !fundsForcedBurns) return ACCEPT;
  return checkFunds(balanceOf(state, from, token), value, token);
}

/** The recipient has room: what was debited before was part of what was minted. */
function creditRecipient(state: LedgerState, { token, recipient, value }: Clawback): LedgerState {
  return credit(state, recipient, token, value);
}

function applyOwnClawback(state: LedgerState, slot: AccountSlot, id: OperationId, operation: Clawback): ApplyResult {
  const { token, value } = operation;
  const debited = debit(state, slot.address, token, value);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, value);
  const receipt = { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) };
  return appliedResult(creditRecipient(debited, operation), [receipt]);
}
