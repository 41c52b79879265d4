import type { Amount } from "../core/base/amount.ts";
import { credit } from "../core/ledger/balances.ts";
import { afterwards, paymentOf } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Payee's balance read before the payer's is written (bugs D6). */
export const selfTransferMint: KnownBadVariant = {
  name: "self-transfer-mint",
  mistake:
    "a payment reads both balances before it writes either: an account that pays itself keeps the amount and receives it as well",
  source: "bugs D6",
  caughtBy: ["conservation", "validity"],
  rules: afterwards((after, _before, decided) => {
    const payment = paymentOf(decided);
    if (payment === undefined || payment.sender !== payment.recipient) return after;
    return credit(after, payment.sender, payment.token, payment.value as Amount);
  }),
};
