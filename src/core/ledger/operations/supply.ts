/** Operations that change a token's supply: mint and burn (specification 5.6, 5.7). */
import { add, ZERO } from "../../base/amount.ts";
import { required } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { Burn, Mint, OperationId } from "../../base/operation.ts";
import { ACCEPT, type CheckResult, type Refusal, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type Applied, applied } from "../applied.ts";
import { countBurned, credit, debit, funded, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState, withToken } from "../state.ts";
import { granted, missingRole, pausedRefusal, type Token } from "../token.ts";
import {
  AMOUNT,
  FROM,
  type FundsContext,
  inNamedToken,
  type Kind,
  namedToken,
  OF_TOKEN,
  OWN,
  RECIPIENT,
  TOKEN,
  VALUE,
} from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface SupplyForms {
  readonly mint: { readonly from: string; readonly to: string; readonly token: string; readonly value: string };
  /** `account` makes the burn a forced one. */
  readonly burn: { readonly from: string; readonly token: string; readonly value: string; readonly account?: string };
}

export const mint: Kind<Mint, Pick<SupplyForms, "mint">> = {
  fields: {
    recipient: { type: "address", wire: "recipient", about: "the account credited" },
    value: VALUE,
    token: TOKEN,
  },
  body: "a mint",
  signer: "authority",
  paths: {
    "/v1/tokens/mint": {
      summary: "Mint",
      description: "Creates units for a recipient. Signed by the master authority, or within an allowance.",
      section: "specification 5.6; wire 1.2, W4",
      v2: { opType: 3 },
    },
  },
  spec: ["token", "recipient", "value"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: ({ value }) => amountFault("value", value, 1n),
  inToken: { role: "MintBurnTokens", refusal: mintRefusal, execute: executeMint },
  verbs: {
    mint: {
      about: 'Creates units of a token. Example: mint: { from: minter, to: bob, token: USD, value: "5" }',
      form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
      fills: { token: "token", recipient: "to", value: "value" },
    },
  },
};

export const burn: Kind<Burn, Pick<SupplyForms, "burn">> = {
  fields: {
    recipient: {
      type: "address",
      wire: "recipient",
      about: "the account burned from, where it is not the signer",
      optional: true,
      v2: "none",
    },
    value: VALUE,
    token: TOKEN,
  },
  body: "a burn",
  signer: "authority",
  paths: {
    "/v1/tokens/burn": {
      summary: "Burn",
      description: "Destroys units, of the signer or of the recipient named. Signed by a mint and burn authority.",
      section: "specification 5.7; wire 1.2, W5",
      v2: { opType: 8, description: "Destroys units of the signer, a mint and burn authority." },
    },
  },
  spec: ["token", "value", "recipient"],
  token: namedToken,
  effectSlot: (operation, signer) => {
    const address = debitedBy(operation, signer);
    return address === signer ? OWN : { where: "account", address };
  },
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: {
    role: "MintBurnTokens",
    check: checkBurnRequest,
    apply: applyOwnBurn,
    forced: {
      settle: (state, { token, value }) => countBurned(state, token, value),
      unfunded: ({ token, value }, account) => ({ code: "business_burn_unfunded", token, account, value }),
    },
  },
  verbs: {
    burn: {
      about:
        'Destroys units of the signer, or of `account` in a forced burn. Example: burn: { from: minter, token: USD, value: "5", account: bob }',
      form: {
        from: FROM,
        token: OF_TOKEN,
        value: AMOUNT,
        account: { type: "account", about: "the account of a forced burn; default: the signer", optional: true },
      },
      fills: { token: "token", value: "value", recipient: "account" },
    },
  },
};

/** Returns the account whose balance a burn takes: the one it names, else its signer (protocol 4.1). */
export function debitedBy(operation: Burn, signer: Address): Address {
  return operation.recipient ?? signer;
}

function mintRefusal(
  state: LedgerState,
  token: Address,
  policy: Token,
  operation: Mint,
  signer: Address,
): Refusal | undefined {
  const { recipient, value } = operation;
  const refusal = pausedRefusal(token, policy) ?? exclusionRefusal(state, recipient, token, policy);
  if (refusal !== undefined) return refusal;
  const allowance = policy.roles.MintBurnTokens.get(signer) ?? ZERO;
  if (signer !== policy.masterAuthority && allowance < value) {
    return { code: "business_allowance_exceeded", token, allowance, need: value };
  }
  // Compared with the total ever minted: the burned total changes in account slots, and validators differ about those.
  const overflows = add(policy.minted, value) === undefined;
  return overflows ? { code: "business_amount_overflow", token, minted: policy.minted, value } : undefined;
}

function executeMint(
  state: LedgerState,
  token: Address,
  policy: Token | undefined,
  operation: Mint,
  signer: Address,
): LedgerState {
  const raised = withToken(state, token, minted(required(policy, `token ${token}`), operation, signer));
  // `minted` has risen first, so the credit has room.
  return credit(raised, operation.recipient, token, operation.value);
}

/** Minting uses up the allowance; the master has no limit (specification 5.6). */
function minted(policy: Token, { value }: Mint, signer: Address): Token {
  const total = required(add(policy.minted, value), "room in what was minted");
  const allowance = policy.roles.MintBurnTokens.get(signer) ?? undefined;
  const raised: Token = { ...policy, minted: total };
  if (signer === policy.masterAuthority) return raised;
  const rest = required(allowance, `allowance of ${signer}`) - value;
  return granted(raised, signer, "MintBurnTokens", rest as typeof ZERO);
}

/** The role is needed for one's own balance too; burning from an excluded address is allowed (specification 5.7). */
function checkBurnRequest(
  state: LedgerState,
  policy: Token,
  operation: Burn,
  signer: Address,
  { fundsForcedBurns }: FundsContext,
): CheckResult {
  const { token, value } = operation;
  const refusal = missingRole(token, policy, signer, "MintBurnTokens") ?? pausedRefusal(token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const debited = debitedBy(operation, signer);
  if (debited !== signer && !fundsForcedBurns) return ACCEPT;
  return funded(balanceOf(state, debited, token), value, token);
}

function applyOwnBurn(state: LedgerState, slot: AccountSlot, id: OperationId, { token, value }: Burn): Applied {
  const debited = debit(state, slot.address, token, value);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, value);
  const receipt = { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) };
  return applied(countBurned(debited, token, value), [receipt]);
}
