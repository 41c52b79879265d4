import { changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards, paymentOf } from "./wrong-apply.ts";

/** Fee that is lost (protocol 4.4). */
export const lostFee: Bug = {
  name: "lost-fee",
  wrong: "the fee of a payment is taken from the payer and put into no pool",
  source: "protocol 4.4, 7.10",
  caughtBy: ["conservation", "fees", "validity"],
  rules: afterwards((after, before, decided) =>
    paymentOf(decided) === undefined ? after : changed(after, { pools: before.pools }),
  ),
};
