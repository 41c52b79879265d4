/** Replacements of rules of the ledger that several variants make: of a decided slot's outcome, and of the state judged. */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { Address } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { isListRefusal, type Refusal } from "../core/base/refusal.ts";
import type { LedgerSlot, LedgerValue } from "../core/base/slot.ts";
import type { ApplyRules } from "../core/ledger/apply.ts";
import type { ApplyResult } from "../core/ledger/apply-result.ts";
import type { ExecutionResult } from "../core/ledger/execute.ts";
import type { LedgerRules } from "../core/ledger/rules.ts";
import { type AuthorisedOperation, balanceOf, type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import type { Token } from "../core/ledger/token.ts";
import { type RulesChange, replaceRules } from "./known-bad-variant.ts";

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
    const applied = real();
    return applied.outcome === "applied" ? { ...applied, state: change(applied.state, before, decided) } : applied;
  });
}

/** `real` applies the slot by the rules, of which it may change some. */
export type ApplyReplacement = (
  before: LedgerState,
  decided: DecidedSlot,
  real: (changed?: Partial<ApplyRules>) => ApplyResult,
) => ApplyResult;

/** Applies slots by `apply`. */
export function replaceApply(apply: ApplyReplacement): RulesChange {
  return replaceRules("ledger", (real) => ({
    apply: (state, slot, value, operation, rules) =>
      apply(state, { slot, value, operation }, (changed) =>
        real.apply(state, slot, value, operation, { ...rules, ...changed }),
      ),
  }));
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
  return replaceRules("ledger", (real) => ({
    executeOne: (state, token, entry, slot, rules) =>
      execute(state, token, entry, (from) => real.executeOne(from, token, entry, slot, rules)),
  }));
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

type Check = LedgerRules["check"];

/** Replaces the check of operations before admission, and that before a vote, by what `alter` makes of each. */
export function alterChecks(alter: (check: Check) => Check): RulesChange {
  return replaceRules("ledger", ({ check, checkVote }) => ({ check: alter(check), checkVote: alter(checkVote) }));
}

/** Judges operations before admission and vote by another state than the validator's. */
export function replaceJudged(pretend: (state: LedgerState, signed: SignedOperation) => LedgerState): RulesChange {
  return alterChecks(
    (check) => (state, barrier, signed, rules) => check(pretend(state, signed), barrier, signed, rules),
  );
}

/** Judges operations that a list refuses as those that `pretend` returns in their place, if any. */
export function evadeLists(pretend: (signed: SignedOperation) => SignedOperation | undefined): RulesChange {
  return alterChecks((check) => (state, barrier, signed, rules) => {
    const verdict = check(state, barrier, signed, rules);
    const substitute = verdict.answer === "refuse" && isListRefusal(verdict.refusal) ? pretend(signed) : undefined;
    return substitute === undefined ? verdict : check(state, barrier, substitute, rules);
  });
}
