/** Application of decided slots: the only way in which a ledger changes (protocol 4.1, 4.3). */
import { ZERO } from "../base/amount.ts";
import { AssertionError, assert, requireDefined, unreachable } from "../base/assert.ts";
import { nextCount } from "../base/ids.ts";
import type { OperationId, SignedOperation } from "../base/operation.ts";
import type { Receipt, Refusal } from "../base/refusal.ts";
import {
  type AccountSlot,
  type BurnValue,
  type LedgerSlot,
  type LedgerValue,
  type SkipValue,
  slotKey,
} from "../base/slot.ts";
import { type ApplyResult, appliedResult, impossibleResult, waitingResult } from "./apply-result.ts";
import { addAuthorised, removeAuthorised } from "./authorised.ts";
import { chargeFee, debit, waitingForFunds } from "./balances.ts";
import { type CheckRules, checkCreated } from "./check.ts";
import { findDueBurn } from "./check-due.ts";
import { applyList, type executeOne } from "./execute.ts";
import type { paymentFee, skipFee } from "./fees.ts";
import type { operationId } from "./identity.ts";
import { kindOf } from "./operations/kinds.ts";
import { accountOf, draftOf, isNext, type LedgerState } from "./state.ts";

/** Rules that the application of a slot calls, of the record of all rules. */
export interface ApplyRules extends Pick<CheckRules, "checkAuthority" | "paymentFee"> {
  readonly operationId: typeof operationId;
  readonly skipFee: typeof skipFee;
  readonly executeOne: typeof executeOne;
}

/**
 * Returns the state after a decided slot, with the receipts of the effects decided there; or what is still lacking
 * here; or why no honest quorum can have decided this on `state`. `operation` is the content of an operation value, or
 * the first that a skip shows; burns and lists are found among the authorised ones.
 * @throws AssertionError unless `slot` is the next of its sequence and `operation` is the value's: the caller's error.
 */
export function apply(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operation: SignedOperation | undefined,
  rules: ApplyRules,
): ApplyResult {
  if (!isNext(state, slot)) throw new AssertionError(`${slotKey(slot)} is not the next slot of its sequence`);
  if (slot.kind === "account") return applyToAccount(state, slot, value, operation, rules);
  return value.type === "list" ? applyList(state, slot, value, rules) : valueKindMismatch(slot, value);
}

function applyToAccount(
  state: LedgerState,
  slot: AccountSlot,
  value: LedgerValue,
  operation: SignedOperation | undefined,
  rules: ApplyRules,
): ApplyResult {
  switch (value.type) {
    case "operation": {
      const signed = requireDefined(operation, "content of an operation");
      assert(rules.operationId(signed) === value.id, "the content of an operation is of another");
      return applyOperation(state, slot, value.id, signed, rules.paymentFee);
    }
    case "burn":
      return applyBurn(state, slot, value);
    case "skip":
      return applySkip(state, slot, value, operation, rules.skipFee);
    case "list":
      return valueKindMismatch(slot, value);
    default:
      return unreachable(value);
  }
}

function valueKindMismatch(slot: LedgerSlot, value: LedgerValue): ApplyResult {
  return impossibleResult(`${slotKey(slot)} decides no ${value.type}`);
}

/**
 * Uses up the nonce and executes the operation, or adds it to the authorised ones. A decision is final: no rule is
 * checked again, but a debit waits until the funds are here too (protocol 4.3). Impossible if sender or nonce are not
 * those of the slot, and for a cancellation, which is decided as a skip.
 */
export function applyOperation(
  state: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  signed: SignedOperation,
  feeOf: typeof paymentFee,
): ApplyResult {
  const { operation, sender } = signed;
  const missing = checkCreated(state, signed);
  if (missing?.answer === "wait") return waitingResult(missing.missing);
  const { nonce } = accountOf(state, slot.address);
  if (sender !== slot.address) return impossibleResult(`operation ${id} is of ${sender}`);
  if (operation.nonce !== nonce)
    return impossibleResult(`operation ${id} has nonce ${operation.nonce}, expected ${nonce}`);
  const used = useNonce(state, slot);
  const { effectSlot, inAccount } = kindOf(operation);
  if (effectSlot(operation, sender).kind !== "own") return authorise(used, slot, id, signed);
  if (inAccount === undefined)
    return impossibleResult(`${operation.kind} ${id} is decided as an operation, expected a skip`);
  return inAccount.apply(used, slot, id, operation, feeOf);
}

/** Returns the state with one nonce and one slot used. */
export function useNonce(state: LedgerState, { address }: AccountSlot): LedgerState {
  const account = accountOf(state, address);
  const used = { ...account, nonce: nextCount(account.nonce), sequence: nextCount(account.sequence) };
  const draft = draftOf(state);
  draft.accounts = state.accounts.set(address, used);
  return draft;
}

function authorise(state: LedgerState, slot: AccountSlot, id: OperationId, signed: SignedOperation): ApplyResult {
  return appliedResult(addAuthorised(state, { id, signed, authorisedBy: slotKey(slot), sequence: slot.sequence }), []);
}

/**
 * Takes the decided outcome as given: `failed` and `paused` burn nothing, `burned` waits until the funds are here too.
 * Uses up a slot of the account but no nonce, so the owner's signed operations stay valid.
 */
export function applyBurn(state: LedgerState, slot: AccountSlot, value: BurnValue): ApplyResult {
  const due = findDueBurn(state, slot.address, value.id);
  if (due === undefined) return waitingResult({ code: "resource_authorisation_not_found", id: value.id });
  const { token, value: amount } = due.debit;
  const forced = requireDefined(kindOf(due.debit).inAccount?.forced, `forced effect of ${due.debit.kind} ${value.id}`);
  const account = accountOf(state, slot.address);
  const accounts = state.accounts.set(slot.address, { ...account, sequence: nextCount(account.sequence) });
  const left = removeAuthorised({ ...state, accounts }, due.entry);
  const base = { id: value.id, fee: ZERO, feeToken: undefined, slot: slotKey(slot) };
  if (value.outcome !== "burned") {
    const isPaused = value.outcome === "paused";
    const error: Refusal = isPaused
      ? { code: "business_token_paused", token }
      : forced.unfunded(due.debit, slot.address);
    return appliedResult(left, [{ ...base, success: false, error }]);
  }
  const debited = debit(left, slot.address, token, amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, amount);
  const receipt: Receipt = { ...base, success: true, error: undefined };
  return appliedResult(forced.settle(debited, due.debit), [receipt]);
}

/**
 * Charges the fee: a balance that lacks it owes the rest. Works while the token is paused or the owner listed. Impossible
 * if the skip shows an operation of another account or nonce.
 */
export function applySkip(
  state: LedgerState,
  slot: AccountSlot,
  value: SkipValue,
  skippedOperation: SignedOperation | undefined,
  feeOf: typeof skipFee,
): ApplyResult {
  const { id, by, feeToken } = value;
  const missing = skippedOperation && checkCreated(state, skippedOperation);
  if (missing?.answer === "wait") return waitingResult(missing.missing);
  const { nonce } = accountOf(state, slot.address);
  if (
    skippedOperation !== undefined &&
    (skippedOperation.sender !== slot.address || skippedOperation.operation.nonce !== nonce)
  )
    return impossibleResult(
      `skip ${id} is for nonce ${skippedOperation.operation.nonce} of ${skippedOperation.sender}, expected nonce ${nonce}`,
    );
  const fee = feeOf(state.parameters.fees, by, feeToken);
  const receipt = { id, success: true, fee, feeToken, error: undefined, slot: slotKey(slot) };
  const skipped = useNonce(state, slot);
  return appliedResult(feeToken === undefined ? skipped : chargeFee(skipped, slot.address, feeToken, fee), [receipt]);
}
