import type { Amount } from "../core/base/amount.ts";
import { credit } from "../core/ledger/balances.ts";
import { findBurn } from "../core/ledger/check-burn.ts";
import { balanceOf } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Burn of more than the balance (bugs E7). */
export const overdrawnBurn: KnownBadVariant = {
  name: "overdrawn-burn",
  mistake: "a forced burn never fails for lack of funds: it debits the balance and counts the full amount as burned",
  source: "bugs E7; protocol 5",
  caughtBy: ["conservation", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      burnOutcome: (state, account, id) => (findBurn(state, account, id) === undefined ? undefined : "burned"),
      checkBurn: (state, account, value) => {
        const verdict = real.ledger.checkBurn(state, account, value);
        const isDue = findBurn(state, account, value.id) !== undefined;
        return verdict.answer === "wait" && isDue && value.outcome === "burned" ? { answer: "accept" } : verdict;
      },
      apply: (state, slot, value, operation, parts) => {
        const isBurned = slot.kind === "account" && value.type === "burn" && value.outcome === "burned";
        const due = isBurned ? findBurn(state, slot.address, value.id) : undefined;
        if (!isBurned || due === undefined) return real.ledger.apply(state, slot, value, operation, parts);
        const { token, value: amount } = due.burn;
        const balance = balanceOf(state, slot.address, token);
        const lent = balance < amount ? credit(state, slot.address, token, (amount - balance) as Amount) : state;
        return real.ledger.apply(lent, slot, value, operation, parts);
      },
    },
  }),
};
