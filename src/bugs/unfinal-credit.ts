import type { Address } from "../core/base/ids.ts";
import { isRecovery } from "../core/base/operation.ts";
import type { DecisionView } from "../core/validator/slots/decision-inputs.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Spending of a credit that is not final (bugs D18). */
export const unfinalCredit: KnownBadVariant = {
  name: "unfinal-credit",
  mistake: "a voter counts the credit of a payment once it has voted for it, before it is final",
  source: "bugs D18; protocol 4.2",
  caughtBy: ["validity", "liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, at, slot, content, round) => {
        const verdict = real.validator.checkContent(state, at, slot, content, round);
        if (verdict.answer !== "wait" || verdict.missing.code !== "business_insufficient_funds") return verdict;
        const [signed] = content.operations;
        const isComing = signed !== undefined && expects(state, signed.sender, verdict.missing.token);
        return isComing ? { answer: "accept" } : verdict;
      },
    },
  }),
};

/** Returns true if a payment to the account is known here and not applied. */
function expects(state: DecisionView, account: Address, token: Address): boolean {
  return [...(state as ValidatorState).pending.values()].some(({ submission }) => {
    if (isRecovery(submission)) return false;
    const { operation } = submission;
    return operation.kind === "payment" && operation.recipient === account && operation.token === token;
  });
}
