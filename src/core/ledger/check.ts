/** Checks of an operation, or of a skip, before admission and before a vote (protocol 4.2). Pure. */
import type { Address } from "../base/ids.ts";
import type { Operation, Recovery, SignedOperation } from "../base/operation.ts";
import { ACCEPT, type CheckResult, type Refusal, refuse, wait } from "../base/refusal.ts";
import type { paymentFee } from "./fees.ts";
import { memoFault, recentPositionFault } from "./field-rules.ts";
import type { isEquivocation } from "./identity.ts";
import { layoutFault, signsMemo } from "./layout.ts";
import { NONCE_MAX } from "./limits.ts";
import type { withRestrictions } from "./lists.ts";
import { kindOf, tokenOfOperation } from "./operations/kinds.ts";
import { accountOf, type LedgerState, tokenOf } from "./state.ts";
import { missingRole, type Restriction } from "./token.ts";

/** Rules that the checks of an operation call, of the record of all rules. */
export interface CheckRules {
  readonly wellFormed: typeof formFault;
  readonly withRestrictions: typeof withRestrictions;
  readonly checkAuthority: typeof checkAuthority;
  readonly paymentFee: typeof paymentFee;
}

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
  rules: CheckRules,
): CheckResult {
  return checkOperation(state, barrier, signed, rules, ENTRY_CHECK);
}

/** Differences of an entry validator's check and a voter's: which refusals count, and if forced burns need funds. */
type CheckMode = Readonly<{ stands: (refusal: Refusal) => boolean; fundsForcedBurns: boolean }>;

const ENTRY_CHECK: CheckMode = { stands: () => true, fundsForcedBurns: true };
const VOTER_CHECK: CheckMode = { stands: isForVoters, fundsForcedBurns: false };

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
  rules: CheckRules,
): CheckResult {
  return checkOperation(state, barrier, signed, rules, VOTER_CHECK);
}

function isForVoters({ code }: Refusal): boolean {
  return code === "business_missing_role" || code === "resource_token_not_found";
}

function checkOperation(
  state: LedgerState,
  barrier: readonly Restriction[],
  signed: SignedOperation,
  rules: CheckRules,
  { stands, fundsForcedBurns }: CheckMode,
): CheckResult {
  const { operation, sender } = signed;
  const fault = rules.wellFormed(operation, state.chainId);
  if (fault !== undefined) return refuse(fault);
  const order = checkCreated(state, signed) ?? checkNonce(state, signed);
  if (order !== undefined) return order;
  const token = tokenOfOperation(operation);
  // A cancellation, which `checkCancellation` judges, or a creation of a multisig account, which no state forbids.
  if (token === undefined) return ACCEPT;
  const barrierState = rules.withRestrictions(state, token, barrier);
  // A barrier only forbids: a restriction that is not applied allows nothing, such as to lift it.
  for (const checkedState of barrierState === state ? [state] : [state, barrierState]) {
    const refusal = rules.checkAuthority(checkedState, token, signed);
    if (refusal !== undefined && stands(refusal)) return refuse(refusal);
  }
  const policy = tokenOf(barrierState, token);
  const { inAccount } = kindOf(operation);
  if (policy === undefined || inAccount === undefined) return ACCEPT;
  const refusal = inAccount.permission?.(state, barrier, tokenOf(state, token) ?? policy, operation);
  if (refusal !== undefined) return refuse(refusal);
  return inAccount.check(barrierState, policy, operation, sender, { feeOf: rules.paymentFee, fundsForcedBurns });
}

/** Waits for the creation of the multisig account that signed; `undefined` if there is none to wait for. */
export function checkCreated(state: LedgerState, { operation: { account } }: SignedOperation): CheckResult | undefined {
  if (account === undefined || accountOf(state, account).multisig !== undefined) return undefined;
  return wait({ code: "resource_multisig_not_found", account });
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

/**
 * Returns why a token forbids an operation, or lacks its issue; `undefined` if it does not (specification 5, 4.4; protocol
 * 4.1). The same check runs early, at the vote, and exactly, in the token's order.
 */
export function checkAuthority(
  state: LedgerState,
  token: Address,
  { operation, sender }: SignedOperation,
): Refusal | undefined {
  const policy = tokenOf(state, token);
  const { inToken } = kindOf(operation);
  const isIssue = inToken?.role === "Operator";
  if (isIssue && sender !== state.operator) {
    return { code: "business_missing_role", token: undefined, role: "Operator", signer: sender };
  }
  if (policy === undefined) return isIssue ? undefined : { code: "resource_token_not_found", token };
  if (inToken === undefined) return undefined;
  const { role } = inToken;
  const refusal = role === undefined || role === "Operator" ? undefined : missingRole(token, policy, sender, role);
  return refusal ?? inToken.refusal?.(state, token, policy, operation, sender);
}

/** Returns the first fault of an operation's form for a chain, `undefined` if there is none. Code order: outside in. */
export function formFault(operation: Operation, chainId: number): Refusal | undefined {
  if (operation.chainId !== chainId) {
    return { code: "validation_chain_id", expected: chainId, got: operation.chainId };
  }
  const { nonce, layout, memo } = operation;
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > NONCE_MAX) return { code: "validation_nonce", got: nonce };
  const counted = recentPositionFault(operation);
  if (counted !== undefined) return counted;
  const spelled = memo === undefined || !signsMemo(layout) ? undefined : memoFault(memo);
  return spelled ?? layoutFault(layout, operation) ?? kindOf(operation).fault(operation);
}

/**
 * Accepts a cancellation that may start or decide a skip of its signer's next nonce, given the operations known for
 * that nonce (protocol 3.2, reason a). Waits if there is none to pair it with (protocol 4.2). Pause and lists do not
 * restrict it. The caller forbids votes for it in round 0.
 */
export function checkCancellation(
  state: LedgerState,
  cancellation: SignedOperation,
  displaced: readonly SignedOperation[],
  rules: Pick<CheckRules, "wellFormed">,
): CheckResult {
  const { operation, sender } = cancellation;
  if (operation.kind !== "cancellation") {
    return refuse({ code: "validation_evidence", reason: `a ${operation.kind} cancels nothing` });
  }
  const fault = rules.wellFormed(operation, state.chainId);
  if (fault !== undefined) return refuse(fault);
  const order = checkCreated(state, cancellation) ?? checkNonce(state, cancellation);
  if (order !== undefined) return order;
  const isPaired = displaced.some(
    (other) =>
      other.sender === sender &&
      other.operation.chainId === operation.chainId &&
      other.operation.nonce === operation.nonce &&
      other.operation.kind !== "cancellation",
  );
  return isPaired ? ACCEPT : wait({ code: "business_nothing_to_cancel", nonce: operation.nonce });
}

/**
 * Accepts a recovery if its evidence is an equivocation proof of its account for the next nonce (protocol 3.0, 3.2
 * reason b; wire 3.9). The two signatures are checked elsewhere.
 */
export function checkRecovery(state: LedgerState, recovery: Recovery, rules: RecoveryRules): CheckResult {
  const fault = recoveryFault(recovery, state.chainId, rules);
  if (fault !== undefined) return refuse(fault);
  const creation = checkCreated(state, recovery.evidence.first);
  if (creation !== undefined) return creation;
  const expected = accountOf(state, recovery.account).nonce;
  const got = recovery.nonce;
  if (got > expected) return wait({ code: "business_nonce_gap", expected, got });
  return got < expected ? refuse({ code: "business_nonce_too_low", expected, got }) : ACCEPT;
}

interface RecoveryRules {
  readonly isEquivocation: typeof isEquivocation;
}

function recoveryFault(recovery: Recovery, chainId: number, rules: RecoveryRules): Refusal | undefined {
  const { first, second } = recovery.evidence;
  if (recovery.chainId !== chainId) return { code: "validation_chain_id", expected: chainId, got: recovery.chainId };
  if (!rules.isEquivocation(first, second)) {
    return { code: "validation_evidence", reason: "the two do not accuse one sender of two operations for one nonce" };
  }
  const isForThis =
    first.sender === recovery.account &&
    first.operation.nonce === recovery.nonce &&
    first.operation.chainId === chainId;
  return isForThis
    ? undefined
    : { code: "validation_evidence", reason: "the two are of another account, nonce or chain" };
}
