/** Operations of authorities that move or change supply: mint, burn and clawback (specification 5.6, 5.7, 5.14). */
import { add, ZERO } from "../../base/amount.ts";
import { requireDefined } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { Burn, Clawback, Mint, OperationId } from "../../base/operation.ts";
import { ACCEPT, type CheckResult, type Refusal, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult } from "../apply-result.ts";
import { checkFunds, countBurned, credit, debit, waitingForFunds } from "../balances.ts";
import { amountFault } from "../field-rules.ts";
import { excludedSignerRefusal, exclusionRefusal } from "../lists.ts";
import { balanceOf, type LedgerState, withToken } from "../state.ts";
import { grantRole, missingRole, pausedRefusal, type Restriction, type Token } from "../token.ts";
import {
  type FundsContext,
  type Kind,
  namedToken,
  namedTokenSlot,
  OWN_SLOT,
  TOKEN_FIELD,
  VALUE_FIELD,
} from "./kind.ts";

export const mint: Kind<Mint> = {
  fields: {
    recipient: { type: "address", wire: "recipient", description: "the account credited" },
    value: VALUE_FIELD,
    token: TOKEN_FIELD,
  },
  signer: "authority",
  opType: 3,
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: ({ value }) => amountFault("value", value, 1n),
  inToken: { role: "MintBurnTokens", refusal: mintRefusal, execute: executeMint },
};

export const burn: Kind<Burn> = {
  fields: {
    recipient: {
      type: "address",
      wire: "recipient",
      description: "the account burned from, where it is not the signer",
      optional: true,
      v2: "none",
    },
    value: VALUE_FIELD,
    token: TOKEN_FIELD,
  },
  signer: "authority",
  opType: 8,
  token: namedToken,
  effectSlot: (operation, signer) => {
    const address = debitedAccount(operation, signer);
    return address === signer ? OWN_SLOT : { kind: "account", address };
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
};

/** Returns the account whose balance a burn takes: the one it names, else its signer (protocol 4.1). */
export function debitedAccount(operation: Burn, signer: Address): Address {
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
  const refusal =
    pausedRefusal(token, policy) ??
    excludedSignerRefusal(state, "excludedMinters", signer, token, policy) ??
    exclusionRefusal(state, recipient, token, policy);
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
  const raised = withToken(state, token, recordMint(requireDefined(policy, `token ${token}`), operation, signer));
  // `minted` has risen first, so the credit has room.
  return credit(raised, operation.recipient, token, operation.value);
}

/** Minting uses up the allowance; the master has no limit (specification 5.6). */
function recordMint(policy: Token, { value }: Mint, signer: Address): Token {
  const total = requireDefined(add(policy.minted, value), "room in what was minted");
  const allowance = policy.roles.MintBurnTokens.get(signer) ?? undefined;
  const raised: Token = { ...policy, minted: total };
  if (signer === policy.masterAuthority) return raised;
  const rest = requireDefined(allowance, `allowance of ${signer}`) - value;
  return grantRole(raised, signer, "MintBurnTokens", rest as typeof ZERO);
}

/** The role is needed for one's own balance too; burning from an excluded address is allowed (specification 5.7, 12.1). */
function checkBurnRequest(
  state: LedgerState,
  policy: Token,
  operation: Burn,
  signer: Address,
  { fundsForcedBurns }: FundsContext,
): CheckResult {
  const { token, value } = operation;
  const refusal =
    missingRole(token, policy, signer, "MintBurnTokens") ??
    pausedRefusal(token, policy) ??
    excludedSignerRefusal(state, "excludedBurners", signer, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const debited = debitedAccount(operation, signer);
  if (debited !== signer && !fundsForcedBurns) return ACCEPT;
  return checkFunds(balanceOf(state, debited, token), value, token);
}

function applyOwnBurn(state: LedgerState, slot: AccountSlot, id: OperationId, { token, value }: Burn): ApplyResult {
  const debited = debit(state, slot.address, token, value);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, value);
  const receipt = { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) };
  return appliedResult(countBurned(debited, token, value), [receipt]);
}

export const clawback: Kind<Clawback> = {
  fields: {
    token: TOKEN_FIELD,
    from: { type: "address", wire: "from", description: "the account debited" },
    recipient: { type: "address", wire: "recipient", description: "the account credited" },
    value: VALUE_FIELD,
  },
  signer: "authority",
  opType: 9,
  token: namedToken,
  effectSlot: ({ from }, signer) => (from === signer ? OWN_SLOT : { kind: "account", address: from }),
  fault: ({ value }) => amountFault("value", value, 1n),
  inAccount: {
    role: "Clawback",
    permission: clawbackPermission,
    check: checkClawback,
    apply: applyOwnClawback,
    forced: {
      settle: creditRecipient,
      unfunded: ({ token, value }, account) => ({ code: "business_clawback_unfunded", token, account, value }),
    },
  },
};

/**
 * Where a policy allows it from excluded accounts only, they are excluded already, and no release is on its way: a list
 * that is not applied permits nothing.
 */
function clawbackPermission(
  state: LedgerState,
  barrier: readonly Restriction[],
  policy: Token,
  { token, from }: Clawback,
): Refusal | undefined {
  if (state.policies.clawbacks === "any") return undefined;
  const isReleased = barrier.some(
    (restriction) => restriction.type === "release" && restriction.token === token && restriction.address === from,
  );
  if (!isReleased && exclusionRefusal(state, from, token, policy) !== undefined) return undefined;
  return { code: "business_not_excluded", token, address: from };
}

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
