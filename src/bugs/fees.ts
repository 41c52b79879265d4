/** Variants with wrong fees or shares (bugs D). */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { FeeSchedule } from "../core/base/epoch.ts";
import type { Address } from "../core/base/ids.ts";
import { credit } from "../core/ledger/balances.ts";
import { balanceOf } from "../core/ledger/state.ts";
import { alterStateAfterApply, paymentOf, replaceApply } from "./altered-rules.ts";
import { replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const FEES: VariantTable = {
  "cheap-skip": {
    mistake: "a cancellation or recovery costs a payment's fee in place of its own",
    source: "protocol 4.4",
    caughtBy: ["fees", "validity"],
    rules: replaceRules("ledger", (real) => ({
      skipFee: (fees, _by, token) => (token === undefined ? ZERO : real.paymentFee(fees, token)),
    })),
  },
  "fee-not-reserved": {
    mistake: "a balance must cover only the amount of a payment: the pool gets the fee even if the balance lacks it",
    source: "bugs D13",
    caughtBy: ["conservation", "validity", "fees"],
    rules: replaceRules("ledger", (real) => ({
      paymentFee: () => ZERO,
      apply: (state, slot, value, operation, changed) => {
        const rules = { ...changed, paymentFee: real.paymentFee };
        const payment = paymentOf({ slot, value, operation });
        if (payment === undefined) return real.apply(state, slot, value, operation, rules);
        const { sender, token } = payment;
        const balance = balanceOf(state, sender, token);
        const need = payment.value + real.paymentFee(state.parameters.fees, token);
        const isShort = balance >= payment.value && balance < need;
        const lent = isShort ? credit(state, sender, token, (need - balance) as Amount) : state;
        return real.apply(lent, slot, value, operation, rules);
      },
    })),
  },
  "lost-fee": {
    mistake: "the fee of a payment is taken from the payer and put into no pool",
    source: "protocol 4.4, 7.10",
    caughtBy: ["conservation", "fees", "validity"],
    rules: alterStateAfterApply((after, before, decided) =>
      paymentOf(decided) === undefined ? after : { ...after, pools: before.pools },
    ),
  },
  "rounded-up-fees": {
    mistake: "if an epoch's fees are not divisible, every validator gets one unit more",
    source: "bugs D11",
    caughtBy: ["conservation", "fees", "validity", "checkpoints"],
    rules: replaceRules("ledger", (real) => ({
      openNext: (state, next, number) => {
        const { validators } = state.parameters;
        let opened = real.openNext(state, next, number);
        for (const [token, pool] of state.pools.entries()) {
          if (pool % BigInt(validators.length) === 0n) continue;
          for (const { reward } of validators) opened = credit(opened, reward, token as Address, 1n as Amount);
        }
        return opened;
      },
    })),
  },
  "stale-fees": {
    mistake: "payments pay the fees of the first epoch in every later one",
    source: "protocol 4.4, 6.3",
    caughtBy: ["fees", "validity"],
    rules: (real) => {
      let first: FeeSchedule | undefined;
      return replaceApply((before, _decided, apply) => {
        first ??= before.parameters.fees;
        const known = first;
        return apply({ paymentFee: (_fees, token) => real.ledger.paymentFee(known, token) });
      })(real);
    },
  },
  "fee-of-the-higher-id": {
    mistake: "a skip of two payments pays in the token of the one with the higher id",
    source: "protocol 4.4",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      skipFeeToken: (state, displaced, rules) => real.skipFeeToken(state, displaced.slice(-1), rules),
    })),
  },
  "free-skip-evades-fee": {
    mistake: "a skip of an operation that costs nothing is voted for, although a payment is known for the nonce",
    source: "protocol 4.4",
    caughtBy: ["validity"],
    rules: replaceRules("validator", () => ({ owesSkipFee: () => false })),
  },
};
