/** Clawback: an authority moves units of another account (specification 5.14). */
import { ZERO } from "../../base/amount.ts";
import type { Address } from "../../base/ids.ts";
import type { Clawback, OperationId } from "../../base/operation.ts";
import { ACCEPT, type CheckResult, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type Applied, applied } from "../applied.ts";
import { credit, debit, funded, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState } from "../state.ts";
import { missingRole, pausedRefusal, type Token } from "../token.ts";
import {
  AMOUNT,
  FROM,
  type FundsContext,
  type Kind,
  namedToken,
  OF_TOKEN,
  OWN,
  RECIPIENT,
  TOKEN,
  VALUE,
} from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface ClawbackForms {
  readonly clawback: {
    readonly from: string;
    readonly account: string;
    readonly to: string;
    readonly token: string;
    readonly value: string;
  };
}

export const clawback: Kind<Clawback, ClawbackForms> = {
  fields: {
    token: TOKEN,
    from: { type: "address", wire: "from", about: "the account debited" },
    recipient: { type: "address", wire: "recipient", about: "the account credited" },
    value: VALUE,
  },
  body: "a clawback",
  signer: "authority",
  paths: {
    "/v1/tokens/clawback": {
      summary: "Claw back",
      description:
        "Moves units of any account, a blacklisted one too, to a recipient. Signed by the master or a clawback authority of a token with clawback enabled.",
      section: "specification 5.14; wire 1.2, W15",
      v2: { opType: 9 },
    },
  },
  // Identical bytes: one layout (protocol 3.0).
  spec: ["token", "from", "recipient", "value"],
  token: namedToken,
  effectSlot: ({ from }, signer) => (from === signer ? OWN : { where: "account", address: from }),
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: {
    role: "Clawback",
    check: checkClawback,
    apply: applyOwn,
    forced: {
      settle,
      unfunded: ({ token, value }, account) => ({ code: "business_clawback_unfunded", token, account, value }),
    },
  },
  verbs: {
    clawback: {
      about:
        'Moves units of `account` to a recipient, without its owner. Example: clawback: { from: issuer, account: mallory, to: bob, token: USD, value: "5" }',
      form: {
        from: FROM,
        account: { type: "account", about: "the account debited" },
        to: RECIPIENT,
        token: OF_TOKEN,
        value: AMOUNT,
      },
      fills: { token: "token", from: "account", recipient: "to", value: "value" },
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
  return funded(balanceOf(state, from, token), value, token);
}

/** The recipient has room: what was debited before was part of what was minted. */
function settle(state: LedgerState, { token, recipient, value }: Clawback): LedgerState {
  return credit(state, recipient, token, value);
}

function applyOwn(state: LedgerState, slot: AccountSlot, id: OperationId, operation: Clawback): Applied {
  const { token, value } = operation;
  const debited = debit(state, slot.address, token, value);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, value);
  const receipt = { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) };
  return applied(settle(debited, operation), [receipt]);
}
