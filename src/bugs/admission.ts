/** Variants of an entry validator that admits or refuses by the wrong part of its state (bugs I22). */
import { type Amount, ZERO } from "../core/base/amount.ts";
import { isRecovery, isSpending, type SignedOperation } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { spentAmount } from "../core/ledger/fees.ts";
import { accountOf, balanceOf } from "../core/ledger/state.ts";
import { idOf, pendingOf } from "../core/validator/mempool/pending.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { type KnownBadVariant, replaceStep } from "./known-bad-variant.ts";

/** One signed digest as two operations (protocol 9.3). */
export const signatureReadTwice: KnownBadVariant = {
  name: "signature-read-twice",
  mistake: "an entry validator admits a payment and a mint that have one signature, and either may be decided",
  source: "bugs I22; protocol 9.3",
  caughtBy: ["validity", "liveness"],
  program: replaceStep((real, state, input) => {
    state.mempool.digests.clear();
    return real.step(state, input);
  }),
};

/** Amounts of two tokens as one sum. */
export const queueInOneSum: KnownBadVariant = {
  name: "queue-in-one-sum",
  mistake:
    "an entry validator adds up what waits before a payment in all tokens, and compares it with the balance of one",
  source: "bugs I22; protocol 4.2",
  caughtBy: ["validity", "liveness"],
  program: replaceStep((real, state, input) => {
    if (input.type !== "submit" || isRecovery(input.submission)) return real.step(state, input);
    const refusal = shortfall(state, input.submission);
    if (refusal === undefined) return real.step(state, input);
    const id = idOf(state, input.submission);
    return [{ type: "reply", client: input.client, id, reply: { status: "refused", refusal, disclosed: false } }];
  }),
};

function shortfall(state: ValidatorState, { operation, sender }: SignedOperation): Refusal | undefined {
  const { ledger } = state;
  const { nonce } = accountOf(ledger, sender);
  if (!isSpending(operation) || operation.nonce <= nonce) return undefined;
  const { token } = operation;
  const costs = pendingOf(state, sender).map(({ submission }) => {
    if (isRecovery(submission) || !isSpending(submission.operation)) return ZERO;
    return submission.operation.nonce < operation.nonce
      ? spentAmount(ledger.parameters.fees, submission.operation)
      : ZERO;
  });
  const need = costs.reduce((sum, cost) => sum + cost, spentAmount(ledger.parameters.fees, operation)) as Amount;
  const balance = balanceOf(ledger, sender, token);
  return need > balance ? { code: "business_insufficient_funds", token, balance, need } : undefined;
}
