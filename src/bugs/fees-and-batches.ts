/** Variants with wrong fees or shares (bugs D), or with wrong rules for a batch payment (specification 5.17). */

import { type Amount, ZERO } from "../core/base/amount.ts";
import type { FeeSchedule } from "../core/base/epoch.ts";
import type { Address } from "../core/base/ids.ts";
import type { Leg, SignedOperation } from "../core/base/operation.ts";
import { credit } from "../core/ledger/balances.ts";
import { paymentFee } from "../core/ledger/fees.ts";
import { exclusionRefusal } from "../core/ledger/lists.ts";
import { balanceOf, type LedgerState, tokenOf } from "../core/ledger/state.ts";
import { alterStateAfterApply, evadeLists, paymentOf, replaceApply } from "./altered-rules.ts";
import { replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const FEES_AND_BATCHES: VariantTable = {
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
      let genesisFees: FeeSchedule | undefined;
      return replaceApply((before, _decided, apply) => {
        genesisFees ??= before.parameters.fees;
        const firstFees = genesisFees;
        return apply({ paymentFee: (_fees, token) => real.ledger.paymentFee(firstFees, token) });
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
  "half-a-batch": {
    mistake: "a batch pays the legs that list and balance allow, and leaves out the others",
    source: "specification 5.17; protocol 4.4, 7.3",
    caughtBy: ["conservation", "validity", "authority", "convergence", "checkpoints"],
    rules: replaceRules("ledger", (real) => ({
      check: (state, barrier, signed, rules) => real.check(state, barrier, withPayableLegs(state, signed), rules),
      checkVote: (state, barrier, signed, rules) =>
        real.checkVote(state, barrier, withPayableLegs(state, signed), rules),
      apply: (state, slot, value, signed, rules) => {
        if (value.type !== "operation" || signed === undefined) return real.apply(state, slot, value, signed, rules);
        const payable = withPayableLegs(state, signed);
        return real.apply(state, slot, value, payable, { ...rules, operationId: () => value.id });
      },
    })),
  },
  "fee-per-leg": {
    mistake: "a batch pays one payment's fee for each of its legs",
    source: "specification 5.17; protocol 4.4",
    caughtBy: ["fees", "validity"],
    rules: replaceRules("ledger", (real) => ({
      check: (state, barrier, signed, rules) => real.check(state, barrier, signed, withFeePerLeg(signed, rules)),
      checkVote: (state, barrier, signed, rules) =>
        real.checkVote(state, barrier, signed, withFeePerLeg(signed, rules)),
      apply: (state, slot, value, signed, rules) =>
        real.apply(state, slot, value, signed, withFeePerLeg(signed, rules)),
    })),
  },
  "last-recipient-unchecked": {
    mistake: "the list is asked for each recipient of a batch but the last",
    source: "specification 5.17, 6.4; protocol 4.2",
    caughtBy: ["validity", "authority"],
    rules: evadeLists(withLastLegToSender),
  },
};

/** Returns a batch with the legs that can be paid one after the other; any other operation, and one without any, as it is. */
function withPayableLegs(state: LedgerState, signed: SignedOperation): SignedOperation {
  const { operation, sender } = signed;
  const policy = operation.kind === "batch" ? tokenOf(state, operation.token) : undefined;
  if (operation.kind !== "batch" || policy === undefined) return signed;
  const { token, legs } = operation;
  let left = balanceOf(state, sender, token) - paymentFee(state.parameters.fees, token);
  const passing = legs.filter(({ recipient, amount }) => {
    if (amount > left || exclusionRefusal(state, recipient, token, policy) !== undefined) return false;
    left -= amount;
    return true;
  });
  return passing.length === 0 || passing.length === legs.length ? signed : withLegs(signed, passing);
}

function withLegs(signed: SignedOperation, legs: readonly Leg[]): SignedOperation {
  if (signed.operation.kind !== "batch") return signed;
  const { operationsHash: _ofAllLegs, ...batch } = signed.operation;
  return { ...signed, operation: { ...batch, legs } };
}

function withFeePerLeg<R extends { readonly paymentFee: typeof paymentFee }>(
  signed: SignedOperation | undefined,
  rules: R,
): R {
  if (signed?.operation.kind !== "batch") return rules;
  const count = BigInt(signed.operation.legs.length);
  return { ...rules, paymentFee: (fees, token) => (rules.paymentFee(fees, token) * count) as Amount };
}

/** Returns a batch whose last leg pays its sender; `undefined` for another operation. */
function withLastLegToSender(signed: SignedOperation): SignedOperation | undefined {
  const { operation, sender } = signed;
  const last = operation.kind === "batch" ? operation.legs.at(-1) : undefined;
  if (operation.kind !== "batch" || last === undefined) return undefined;
  return withLegs(signed, operation.legs.with(-1, { ...last, recipient: sender }));
}
