/** Variants with wrong rules for a batch payment (specification 5.17). */
import type { Amount } from "../core/base/amount.ts";
import type { Leg, SignedOperation } from "../core/base/operation.ts";
import { paymentFee } from "../core/ledger/fees.ts";
import { exclusionRefusal } from "../core/ledger/lists.ts";
import { balanceOf, type LedgerState, tokenOf } from "../core/ledger/state.ts";
import { evadeLists } from "./altered-rules.ts";
import { replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const BATCH_PAYMENTS: VariantTable = {
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
