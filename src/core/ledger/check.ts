/** Checks of an operation before admission and before a vote (protocol 4.2). Pure. */
import { AMOUNT_MAX, type Amount } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { Burn, Payment, SignedOperation } from "../base/operation.ts";
import type { CheckResult, Refusal } from "../base/refusal.ts";
import { checkAuthority, missingRole, pausedRefusal } from "./authorise-check.ts";
import { type Restriction, withRestrictions } from "./barrier.ts";
import { ACCEPT, refuse, wait } from "./check-result.ts";
import { debitedBy, tokenOfOperation } from "./effect-slot.ts";
import { paymentFee } from "./fees.ts";
import { accountOf, balanceOf, type LedgerState, tokenOf } from "./state.ts";
import { exclusionRefusal, type Token } from "./token.ts";
import { wellFormed } from "./well-formed.ts";

/** Decisions that `check` takes through a record, so that a known-bad variant can replace one of them. */
export interface CheckRules {
  readonly wellFormed: typeof wellFormed;
  readonly restricted: typeof withRestrictions;
  readonly judge: typeof checkAuthority;
  readonly paymentFee: typeof paymentFee;
}

export const checkRules: CheckRules = { wellFormed, restricted: withRestrictions, judge: checkAuthority, paymentFee };

/**
 * Accepts an operation at the entry validator for its signer's next account slot, by this state and as if each
 * restriction of the barrier were in force. Waits for an earlier nonce and for funds; everything else is refused, so
 * that failed receipts come from races only (protocol 4.1). For a cancellation it checks form and nonce only (see
 * `checkCancellation`). The caller checks the signature.
 */
export function check(
  state: LedgerState,
  barrier: readonly Restriction[],
  signed: SignedOperation,
  rules: CheckRules = checkRules,
): CheckResult {
  return checked(state, barrier, signed, rules, ASKED);
}

/**
 * Differences between the entry validator's check and a voter's: the handling of refusals, and whether a forced burn
 * needs funds.
 */
interface Judge {
  readonly stands: (refusal: Refusal) => boolean;
  readonly fundsForcedBurns: boolean;
}

const ASKED: Judge = { stands: () => true, fundsForcedBurns: true };
const VOTER: Judge = { stands: isForVoters, fundsForcedBurns: false };

/**
 * The same for a voter (protocol 4.2). Rules that are decided later anyway, with a receipt, are left to that: the
 * token's exact order, and the funds that a forced burn finds in the account that it debits. Were a voter to refuse
 * what others voted for before the token or the other account changed, the signer's account would be stuck. The role is
 * checked all the same, since such operations cost nothing.
 */
export function checkVote(
  state: LedgerState,
  barrier: readonly Restriction[],
  signed: SignedOperation,
  rules: CheckRules = checkRules,
): CheckResult {
  return checked(state, barrier, signed, rules, VOTER);
}

function isForVoters({ code }: Refusal): boolean {
  return code === "business_missing_role" || code === "resource_token_not_found";
}

function checked(
  state: LedgerState,
  barrier: readonly Restriction[],
  signed: SignedOperation,
  rules: CheckRules,
  { stands, fundsForcedBurns }: Judge,
): CheckResult {
  const { operation } = signed;
  const fault = rules.wellFormed(operation, state.chainId);
  if (fault !== undefined) return refuse(fault);
  const order = checkNonce(state, signed);
  if (order !== undefined) return order;
  const token = tokenOfOperation(operation);
  if (token === undefined) return ACCEPT;
  const applied = tokenOf(state, token);
  const policy = applied === undefined ? undefined : rules.restricted(applied, token, barrier);
  // A barrier only forbids: a restriction that is not applied allows nothing, such as to lift it.
  for (const one of policy === applied ? [applied] : [applied, policy]) {
    const refusal = rules.judge(state.operator, token, one, signed);
    if (refusal !== undefined && stands(refusal)) return refuse(refusal);
  }
  return policy === undefined ? ACCEPT : checkFunds(state, policy, signed, rules, fundsForcedBurns);
}

/** Returns the check result for a nonce that is not exactly the next one, `undefined` if it is (specification 3.1). */
export function checkNonce(state: LedgerState, { operation, sender }: SignedOperation): CheckResult | undefined {
  const expected = accountOf(state, sender).nonce;
  const got = operation.nonce;
  if (got === expected) return undefined;
  return got > expected
    ? wait({ code: "business_nonce_gap", expected, got })
    : refuse({ code: "business_nonce_too_low", expected, got });
}

function checkFunds(
  state: LedgerState,
  policy: Token,
  signed: SignedOperation,
  rules: CheckRules,
  fundsForcedBurns: boolean,
): CheckResult {
  const { operation } = signed;
  switch (operation.kind) {
    case "payment":
      return checkPayment(state, policy, operation, signed, rules);
    case "burn":
      return checkBurnRequest(state, policy, operation, signed, fundsForcedBurns);
    case "cancellation":
    case "issue":
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return ACCEPT;
    default:
      return unreachable(operation);
  }
}

/** Not paused, both sides allowed by the lists, and the balance covers amount and fee (specification 5.2). */
function checkPayment(
  state: LedgerState,
  policy: Token,
  payment: Payment,
  { sender }: SignedOperation,
  rules: CheckRules,
): CheckResult {
  const { token, recipient, value } = payment;
  const refusal =
    pausedRefusal(token, policy) ??
    exclusionRefusal(sender, token, policy) ??
    exclusionRefusal(recipient, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const fee = rules.paymentFee(state.parameters.fees, token);
  const need = value + fee;
  if (need > AMOUNT_MAX) {
    // No balance can ever hold it, so it would wait for funds in vain.
    return refuse({ code: "validation_amount", field: "value", reason: `with the fee of ${fee} it passes 2^256 - 1` });
  }
  return funded(balanceOf(state, sender, token), need as Amount, payment);
}

/** The role is needed for one's own balance too; burning from an excluded address is allowed (protocol 4.1). */
function checkBurnRequest(
  state: LedgerState,
  policy: Token,
  burn: Burn,
  { sender }: SignedOperation,
  fundsForcedBurns: boolean,
): CheckResult {
  const { token, value } = burn;
  const refusal = missingRole(token, policy, sender, "MintBurnTokens") ?? pausedRefusal(token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const debited = debitedBy(burn, sender);
  if (debited !== sender && !fundsForcedBurns) return ACCEPT;
  return funded(balanceOf(state, debited, token), value, burn);
}

function funded(balance: Amount, need: Amount, { token }: Payment | Burn): CheckResult {
  return balance >= need ? ACCEPT : wait({ code: "business_insufficient_funds", token, balance, need });
}
