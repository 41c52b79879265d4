import { type Amount, ZERO } from "../core/base/amount.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { credit } from "../core/ledger/balances.ts";
import { checkRules } from "../core/ledger/check.ts";
import { balanceOf } from "../core/ledger/state.ts";
import { paymentOf } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const parts = { ...checkRules, paymentFee: () => ZERO };

/** Fee charged without a check that the balance covers it (bugs D13). */
export const feeNotReserved: KnownBadVariant = {
  name: "fee-not-reserved",
  mistake: "a balance must cover only the amount of a payment: the pool gets the fee even if the balance lacks it",
  source: "bugs D13",
  caughtBy: ["conservation", "validity", "fees"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      paymentFee: parts.paymentFee,
      check: (state, barrier, signed) => real.ledger.check(state, barrier, signed, parts),
      checkVote: (state, barrier, signed) => real.ledger.checkVote(state, barrier, signed, parts),
      apply: (state, slot, value, operation, given = applyRules) => {
        const payment = paymentOf({ slot, value, operation });
        if (payment === undefined) return real.ledger.apply(state, slot, value, operation, given);
        const { sender, token } = payment;
        const balance = balanceOf(state, sender, token);
        const need = payment.value + real.ledger.paymentFee(state.parameters.fees, token);
        const isShort = balance >= payment.value && balance < need;
        const lent = isShort ? credit(state, sender, token, (need - balance) as Amount) : state;
        return real.ledger.apply(lent, slot, value, operation, given);
      },
    },
  }),
};
