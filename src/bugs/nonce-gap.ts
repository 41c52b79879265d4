import { isRecovery, type SignedOperation } from "../core/base/operation.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import { accountOf, withChanges } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Any nonce above the last one accepted (bugs D1). */
export const nonceGap: KnownBadVariant = {
  name: "nonce-gap",
  mistake: "a nonce must be higher than the last one, not the next: k + 2 is decided before k + 1, which is lost",
  source: "bugs D1",
  caughtBy: ["accounts", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      check: (state, barrier, signed, parts) => real.ledger.check(turnCome(state, signed), barrier, signed, parts),
      checkVote: (state, barrier, signed, parts) =>
        real.ledger.checkVote(turnCome(state, signed), barrier, signed, parts),
      apply: (state, slot, value, operation, parts) => {
        const from = operation === undefined || value.type !== "operation" ? state : turnCome(state, operation);
        return real.ledger.apply(from, slot, value, operation, parts);
      },
    },
  }),
  program: (real) => ({
    ...real,
    step: (state, input) => {
      if (input.type !== "submit" || isRecovery(input.submission)) return real.step(state, input);
      const { sender } = input.submission;
      const before = accountOf(state.ledger, sender);
      state.ledger = turnCome(state.ledger, input.submission);
      const outputs = real.step(state, input);
      state.ledger = withChanges(state.ledger, { accounts: state.ledger.accounts.set(sender, before) });
      return outputs;
    },
  }),
};

/** Returns the state as if every earlier nonce had been used. */
export function turnCome(state: LedgerState, { sender, operation: { nonce } }: SignedOperation): LedgerState {
  const account = accountOf(state, sender);
  if (nonce <= account.nonce) return state;
  return withChanges(state, { accounts: state.accounts.set(sender, { ...account, nonce }) });
}
