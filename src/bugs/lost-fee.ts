import { withChanges } from "../core/ledger/state.ts";
import { afterwards, paymentOf } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Fee that is lost (protocol 4.4). */
export const lostFee: KnownBadVariant = {
  name: "lost-fee",
  mistake: "the fee of a payment is taken from the payer and put into no pool",
  source: "protocol 4.4, 7.10",
  caughtBy: ["conservation", "fees", "validity"],
  rules: afterwards((after, before, decided) =>
    paymentOf(decided) === undefined ? after : withChanges(after, { pools: before.pools }),
  ),
};
