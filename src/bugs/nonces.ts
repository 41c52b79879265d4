/** Variants that accept wrong nonces or keep used ones (bugs D). */
import type { Nonce } from "../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { executeOne } from "../core/ledger/execute.ts";
import { accountOf, type LedgerState } from "../core/ledger/state.ts";
import { alterStateAfterApply, replaceApply, replaceExecute, replaceJudged } from "./altered-rules.ts";
import { replaceRules, replaceStep, type VariantTable } from "./known-bad-variant.ts";

/** Accepts each submission as if every earlier nonce had been used. */
const acceptingGaps = replaceStep((real, state, input) => {
  if (input.type !== "submit" || isRecovery(input.submission)) return real.step(state, input);
  const { sender } = input.submission;
  const before = accountOf(state.ledger, sender);
  state.ledger = withNonceUsed(state.ledger, input.submission);
  const outputs = real.step(state, input);
  state.ledger = { ...state.ledger, accounts: state.ledger.accounts.set(sender, before) };
  return outputs;
});

/** Judges each operation as if every earlier nonce had been used. */
const anyNonceJudged = replaceJudged(withNonceUsed);

/** Nonces of two bits, few enough for a run to exhaust. */
const NONCES = 4;

export const NONCE_RULES: VariantTable = {
  "failed-keeps-nonce": {
    mistake: "an operation that fails in its token's order leaves its nonce unused: the same bytes may run again",
    source: "bugs D2",
    caughtBy: ["accounts", "validity"],
    rules: replaceExecute((state, _token, { signed: { sender } }, real) => {
      const executed = real(state);
      if (executed.receipt.success) return executed;
      const { accounts } = executed.state;
      const account = accountOf(executed.state, sender);
      const back = { ...account, nonce: (account.nonce - 1) as Nonce };
      return { ...executed, state: { ...executed.state, accounts: accounts.set(sender, back) } };
    }),
  },
  "list-ends-early": {
    mistake: "the first failed operation ends a list: earlier ones stay applied, later ones fail with its code",
    source: "bugs D9; protocol 4.1",
    caughtBy: ["validity"],
    rules: replaceApply((_before, _decided, real) => {
      let failed: Refusal | undefined;
      return real({
        executeOne: (state, token, entry, slot, rules) => {
          const executed = executeOne(state, token, entry, slot, rules);
          if (failed !== undefined) return { state, receipt: { ...executed.receipt, success: false, error: failed } };
          failed = executed.receipt.error;
          return executed;
        },
      });
    }),
  },
  "nonce-gap": {
    mistake: "a nonce must be higher than the last one, not the next: k + 2 is decided before k + 1, which is lost",
    source: "bugs D1",
    caughtBy: ["accounts", "validity"],
    rules: (real) =>
      replaceRules("ledger", ({ apply }) => ({
        apply: (state, slot, value, operation, parts) => {
          const from = operation === undefined || value.type !== "operation" ? state : withNonceUsed(state, operation);
          return apply(from, slot, value, operation, parts);
        },
      }))(anyNonceJudged(real)),
    program: acceptingGaps,
  },
  "nonce-wraps": {
    mistake: "nonce 0 follows the largest one, here 3: operations signed for it may be executed again",
    source: "bugs D4",
    caughtBy: ["accounts", "validity"],
    rules: alterStateAfterApply((after, _before, { slot }) => {
      if (slot.kind !== "account") return after;
      const account = accountOf(after, slot.address);
      if (account.nonce < NONCES) return after;
      const nonce = (account.nonce % NONCES) as Nonce;
      return { ...after, accounts: after.accounts.set(slot.address, { ...account, nonce }) };
    }),
  },
  /** Nonce checked at the application only, which is too late: a decision is irreversible. */
  "unread-nonce": {
    mistake:
      "voters accept any nonce after the last one: the decision contradicts every ledger, and all validators halt",
    source: "bugs D1; protocol 3.1; 12",
    caughtBy: ["agreement", "convergence", "validity"],
    rules: anyNonceJudged,
    program: acceptingGaps,
  },
};

/** Returns the state as if every earlier nonce had been used. */
function withNonceUsed(state: LedgerState, { sender, operation: { nonce } }: SignedOperation): LedgerState {
  const account = accountOf(state, sender);
  if (nonce <= account.nonce) return state;
  return { ...state, accounts: state.accounts.set(sender, { ...account, nonce }) };
}
