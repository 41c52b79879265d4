/**
 * Rules for votes in account slots (protocol 4.2, 4.4, 5). Refusals are codes that a client can receive, and sentences
 * for faults that only a validator can cause.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import type { AccountSlot, BurnValue, LedgerValue, SkipValue } from "../../core/base/slot.ts";
import { spentAmount } from "./epoch.ts";
import { formRefusals } from "./form-rules.ts";
import {
  debitedAccount,
  isCancellation,
  isForcedDebit,
  isSignedAlike,
  isSpending,
  tokenOf,
} from "./operation-meaning.ts";
import { balanceOf, countersOf, firstInQueue, isBurnDue, type LedgerState } from "./state.ts";
import { forbidsVote, policyOf, refusalsIn } from "./token-rules.ts";

const NONE: readonly string[] = [];

/** Returns the rules that forbid a vote for `value` in `slot` in this state; empty if it is allowed. */
export function accountRefusals(
  state: LedgerState,
  slot: AccountSlot,
  value: LedgerValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  const place = accountEffectRefusals(state, slot);
  switch (value.type) {
    case "operation": {
      const [signed] = operations;
      if (signed === undefined) return [...place, "the operation is unknown"];
      const refusals = ownerRefusals(state, slot.address, signed);
      return place.length === 0 ? refusals : [...place, ...refusals];
    }
    case "burn":
      return [...place, ...dueReasons(state, slot, value)];
    case "skip":
      return [...place, ...skipReasons(state, slot.address, value, operations)];
    case "list":
      return [...place, "a list belongs in a token's slot"];
    default:
      return unreachable(value);
  }
}

/** Returns a refusal if this is not the account's next slot (protocol 3.1, 1a). */
export function accountEffectRefusals(state: LedgerState, slot: AccountSlot): readonly string[] {
  const { sequence } = countersOf(state, slot.address);
  return sequence === slot.sequence ? NONE : [`slot ${sequence} is next, not ${slot.sequence}`];
}

/** Checks the owner's operation: its form, its nonce, the policy of its token and its funds. */
function ownerRefusals(state: LedgerState, owner: Address, signed: SignedOperation): readonly string[] {
  const refusals: string[] = [...commonRefusals(state, owner, signed)];
  if (signed.sender !== owner) refusals.push("it was signed by another account");
  if (isCancellation(signed)) return [...refusals, "a cancellation is decided as a skip"];
  // Right after a forced burn it is the owner's turn; only a clock tells its end (protocol 5).
  if (isBurnDue(state, owner) && !countersOf(state, owner).afterBurn) refusals.push("a forced burn is due first");
  for (const reason of refusalsIn(state, signed)) if (forbidsVote(signed, reason)) refusals.push(reason);
  // The same holds for the debited account's order: a forced burn without funds fails there (protocol 5).
  if (!isForcedDebit(signed) && !isFunded(state, signed)) refusals.push("business_insufficient_funds");
  return refusals;
}

/** Checks that do not depend on policies: form, chain, nonce, and whether the account exists. */
export function commonRefusals(state: LedgerState, owner: Address, signed: SignedOperation): readonly string[] {
  const { operation } = signed;
  const { nonce, multisig } = countersOf(state, owner);
  const isUnknown = operation.account !== undefined && multisig === undefined;
  const ofForm = formRefusals(signed);
  const { chainId } = state.genesis;
  if (operation.nonce === nonce && operation.chainId === chainId && !isUnknown) return ofForm;
  const refusals: string[] = [...ofForm];
  if (isUnknown) refusals.push("resource_multisig_not_found");
  if (operation.chainId !== chainId) refusals.push("validation_chain_id");
  if (operation.nonce < nonce) refusals.push("business_nonce_too_low");
  if (operation.nonce > nonce) refusals.push("business_nonce_gap");
  return refusals;
}

/** Checks who signed the operations of a skip's warrant, and each of them by itself. */
export function warrantRefusals(state: LedgerState, owner: Address, operations: readonly SignedOperation[]): string[] {
  const refusals: string[] = [];
  for (const signed of operations) {
    if (signed.sender !== owner) refusals.push("its warrant was signed by another account");
    refusals.push(...commonRefusals(state, owner, signed));
  }
  return refusals;
}

/** Returns true if the debited account covers the amount, and what is spent its fee as well. */
export function isFunded(state: LedgerState, { operation, sender }: SignedOperation): boolean {
  if (isSpending(operation))
    return balanceOf(state, operation.token, sender) >= spentAmount(state.epoch.parameters.fees, operation);
  if (operation.kind !== "burn" && operation.kind !== "clawback") return true;
  return balanceOf(state, operation.token, debitedAccount(operation, sender)) >= operation.value;
}

/** Checks a due forced burn and its outcome by the pause and the balance (protocol 5). */
function dueReasons(state: LedgerState, slot: AccountSlot, value: BurnValue): readonly string[] {
  const signed = state.due.get(value.id);
  if (signed === undefined) return ["no such burn is due"];
  if (!isForcedDebit(signed)) return ["it is not a forced burn"];
  const reasons: string[] = [];
  if (debitedAccount(signed.operation, signed.sender) !== slot.address) reasons.push("it burns from another account");
  if (firstInQueue(state, signed) !== value.id) reasons.push("an earlier burn of this authority is due first");
  const isPaused = policyOf(state, signed)?.isPaused === true;
  const outcome = isPaused ? "paused" : isFunded(state, signed) ? "burned" : "failed";
  if (outcome !== value.outcome) reasons.push(`the state here makes the outcome ${outcome}`);
  return reasons;
}

/** Checks a skip: its warrant, and the token of its fee (protocol 4.4). */
function skipReasons(
  state: LedgerState,
  owner: Address,
  value: SkipValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  const reasons = warrantRefusals(state, owner, operations);
  const displaced = operations.filter((signed) => !isCancellation(signed));
  const needed = value.by === "cancellation" ? 1 : 2;
  if (displaced.length < needed) reasons.push(`its warrant shows ${displaced.length} operations, ${needed} are needed`);
  if (value.by === "cancellation" && displaced.length === operations.length)
    reasons.push("its warrant has no cancellation");
  const [first, second] = displaced;
  if (value.by === "recovery" && first !== undefined && second !== undefined) {
    if (isSignedAlike(first.operation, second.operation))
      reasons.push("its two operations have one digest, which proves no equivocation");
  }
  if (!feeTokens(state, displaced).has(value.feeToken)) reasons.push(`it pays in ${value.feeToken ?? "no token"}`);
  return reasons;
}

/**
 * Returns the tokens in which a skip may pay. Of two proof operations the one with the lower id that names an issued
 * token counts; this model does not hash, so it accepts either token.
 */
function feeTokens(state: LedgerState, displaced: readonly SignedOperation[]): ReadonlySet<Address | undefined> {
  const tokens = new Set<Address | undefined>();
  for (const signed of displaced) {
    if (policyOf(state, signed) !== undefined) tokens.add(tokenOf(signed.operation));
  }
  return tokens.size === 0 ? new Set([undefined]) : tokens;
}
