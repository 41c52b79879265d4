/**
 * Replacements of rules of the ledger: of the application of decided slots, of which a part of the outcome is changed,
 * and of a rule that the ledger reaches in several places, in each of them.
 */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { Address } from "../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import type { LedgerSlot, LedgerValue } from "../core/base/slot.ts";
import { type ApplyRules, applyRules } from "../core/ledger/apply.ts";
import type { ApplyResult } from "../core/ledger/apply-result.ts";
import { checkRules } from "../core/ledger/check.ts";
import type { ExecutionResult } from "../core/ledger/execute.ts";
import { type AuthorisedOperation, balanceOf, type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import type { Token } from "../core/ledger/token.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { RulesChange } from "./known-bad-variant.ts";

/** Applied slot. */
export interface DecidedSlot {
  readonly slot: LedgerSlot;
  readonly value: LedgerValue;
  readonly operation: SignedOperation | undefined;
}

/** Applies slots by the rules, then by `change`. */
export function alterStateAfterApply(
  change: (after: LedgerState, before: LedgerState, decided: DecidedSlot) => LedgerState,
): RulesChange {
  return replaceApply((before, decided, real) => {
    const applied = real(applyRules);
    return applied.outcome === "applied" ? { ...applied, state: change(applied.state, before, decided) } : applied;
  });
}

/** `real` applies the slot by the rules, with these parts of the state. */
export type ApplyReplacement = (
  before: LedgerState,
  decided: DecidedSlot,
  real: (parts: ApplyRules) => ApplyResult,
) => ApplyResult;

/** Applies slots by `apply`. The parts that it passes on keep the caller's caches. */
export function replaceApply(apply: ApplyReplacement): RulesChange {
  return (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      apply: (state, slot, value, operation, parts = applyRules) =>
        apply(state, { slot, value, operation }, (changed) =>
          real.ledger.apply(state, slot, value, operation, { ...changed, operationId: parts.operationId }),
        ),
    },
  });
}

/** Executes operations in a token's list by `execute`, which receives the rules' result. */
export function replaceExecute(
  execute: (
    state: LedgerState,
    token: Address,
    entry: AuthorisedOperation,
    real: (from: LedgerState) => ExecutionResult,
  ) => ExecutionResult,
): RulesChange {
  return replaceApply((_before, _decided, real) =>
    real({
      ...applyRules,
      executeOne: (state, token, entry, slot) =>
        execute(state, token, entry, (from) => applyRules.executeOne(from, token, entry, slot)),
    }),
  );
}

/**
 * Executes operations refused with this code all the same: against a policy that would allow them (`pretend`, which
 * also receives the balance of a mint's recipient); `restore` reverts the pretended part.
 */
export function ignoreRefusal(
  code: Refusal["code"],
  pretend: (policy: Token, signed: SignedOperation, balance: Amount) => Token,
  restore: (after: Token, before: Token, signed: SignedOperation) => Token,
): RulesChange {
  return replaceExecute((state, token, { signed }, real) => {
    const refused = real(state);
    const policy = tokenOf(state, token);
    if (refused.receipt.error?.code !== code || policy === undefined) return refused;
    const { operation } = signed;
    const balance = operation.kind === "mint" ? balanceOf(state, operation.recipient, token) : ZERO;
    const executed = real(withToken(state, token, pretend(policy, signed, balance)));
    const after = tokenOf(executed.state, token);
    if (!executed.receipt.success || after === undefined) return refused;
    return { ...executed, state: withToken(executed.state, token, restore(after, policy, signed)) };
  });
}

/** Returns the payment that an account slot decides, if any. */
export function paymentOf({
  value,
  operation,
}: DecidedSlot):
  | { readonly sender: Address; readonly recipient: Address; readonly token: Address; readonly value: bigint }
  | undefined {
  if (value.type !== "operation" || operation === undefined) return undefined;
  const { operation: payment, sender } = operation;
  return payment.kind === "payment"
    ? { sender, recipient: payment.recipient, token: payment.token, value: payment.value }
    : undefined;
}

/** Names operations otherwise, also where they are applied. */
export function replaceIds(idBy: (real: Rules) => (signed: SignedOperation) => OperationId): RulesChange {
  return (real) => {
    const operationId = idBy(real);
    return {
      ...real,
      ledger: {
        ...real.ledger,
        operationId,
        apply: (state, slot, value, operation, parts = applyRules) =>
          real.ledger.apply(state, slot, value, operation, { ...parts, operationId }),
      },
    };
  };
}

/** Judges operations before admission and vote by another state than the validator's. */
export function replaceJudged(pretend: (state: LedgerState, signed: SignedOperation) => LedgerState): RulesChange {
  return (real) => {
    const { check, checkVote } = real.ledger;
    return {
      ...real,
      ledger: {
        ...real.ledger,
        check: (state, barrier, signed, parts) => check(pretend(state, signed), barrier, signed, parts),
        checkVote: (state, barrier, signed, parts) => checkVote(pretend(state, signed), barrier, signed, parts),
      },
    };
  };
}

/** Judges the form of operations otherwise, also within the checks before admission and vote. */
export function replaceForm(wellFormedBy: (real: Rules) => typeof checkRules.wellFormed): RulesChange {
  return (real) => {
    const wellFormed = wellFormedBy(real);
    const parts = { ...checkRules, wellFormed };
    return {
      ...real,
      ledger: {
        ...real.ledger,
        wellFormed,
        check: (state, barrier, signed) => real.ledger.check(state, barrier, signed, parts),
        checkVote: (state, barrier, signed) => real.ledger.checkVote(state, barrier, signed, parts),
      },
    };
  };
}
