/** Balances kept in something narrower than an amount (bugs D7, D16). */
import type { Amount } from "../core/base/amount.ts";
import { balanceKey, balanceOf, changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards, paymentOf } from "./wrong-apply.ts";

/** The largest number of 64 bits with a sign. */
const NARROW_MAX = 2n ** 63n - 1n;
/** Above this not every whole number is a double. */
const DOUBLE_BITS = 53;

/** What is paid in beyond the largest number is lost. */
export const saturatingCredit: Bug = {
  name: "saturating-credit",
  wrong: "a balance that a payment would raise above 2^63 - 1 stays there: what is more is lost",
  source: "bugs D7",
  caughtBy: ["conservation", "validity"],
  rules: keptAs((amount) => (amount > NARROW_MAX ? NARROW_MAX : amount)),
};

/** Money in a double. */
export const roundedBalances: Bug = {
  name: "rounded-balances",
  wrong: "balances are kept as floating-point numbers: above 2^53 the last units are rounded away or made up",
  source: "bugs D16",
  caughtBy: ["conservation", "validity"],
  rules: keptAs(rounded),
};

/** Payees' balances are kept in another form. */
function keptAs(kept: (amount: bigint) => bigint): NonNullable<Bug["rules"]> {
  return afterwards((after, _before, decided) => {
    const payment = paymentOf(decided);
    if (payment === undefined) return after;
    const { recipient, token } = payment;
    const is = balanceOf(after, recipient, token);
    const narrow = kept(is);
    if (narrow === is) return after;
    return changed(after, { balances: after.balances.set(balanceKey(recipient, token), narrow as Amount) });
  });
}

/** As a double holds it, to the nearest below. */
function rounded(amount: bigint): bigint {
  const more = BigInt(Math.max(0, amount.toString(2).length - DOUBLE_BITS));
  return (amount >> more) << more;
}
