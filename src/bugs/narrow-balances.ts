/** Balances stored in a type narrower than an amount (bugs D7, D16). */
import type { Amount } from "../core/base/amount.ts";
import { balanceKey, balanceOf, withChanges } from "../core/ledger/state.ts";
import { afterwards, paymentOf } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Largest signed 64-bit integer. */
const NARROW_MAX = 2n ** 63n - 1n;
/** Largest exponent of two up to which every integer is a double. */
const DOUBLE_BITS = 53;

/** Credits beyond the largest number are lost. */
export const saturatingCredit: KnownBadVariant = {
  name: "saturating-credit",
  mistake: "balances saturate at 2^63 - 1: the excess of a payment is lost",
  source: "bugs D7",
  caughtBy: ["conservation", "validity"],
  rules: keptAs((amount) => (amount > NARROW_MAX ? NARROW_MAX : amount)),
};

/** Balances stored as doubles. */
export const roundedBalances: KnownBadVariant = {
  name: "rounded-balances",
  mistake: "balances are floating-point numbers: above 2^53 the last units are rounded",
  source: "bugs D16",
  caughtBy: ["conservation", "validity"],
  rules: keptAs(rounded),
};

/** Stores payees' balances in another form. */
function keptAs(kept: (amount: bigint) => bigint): NonNullable<KnownBadVariant["rules"]> {
  return afterwards((after, _before, decided) => {
    const payment = paymentOf(decided);
    if (payment === undefined) return after;
    const { recipient, token } = payment;
    const is = balanceOf(after, recipient, token);
    const narrow = kept(is);
    if (narrow === is) return after;
    return withChanges(after, { balances: after.balances.set(balanceKey(recipient, token), narrow as Amount) });
  });
}

/** Rounds down to the nearest double. */
function rounded(amount: bigint): bigint {
  const more = BigInt(Math.max(0, amount.toString(2).length - DOUBLE_BITS));
  return (amount >> more) << more;
}
