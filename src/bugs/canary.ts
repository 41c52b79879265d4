/** Canary and control of a hunt: it must detect the first and not the second. */
import type { Amount } from "../core/base/amount.ts";
import { credit } from "../core/ledger/balances.ts";
import { INVARIANTS } from "../invariants/catalogue.ts";
import { alterStateAfterApply, paymentOf } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Broken in every payment. A hunt that misses it detects nothing. */
export const CANARY: KnownBadVariant = {
  name: "canary",
  mistake: "every payment creates one unit",
  source: "protocol 7.3",
  caughtBy: ["conservation", "validity"],
  rules: alterStateAfterApply((after, _before, decided) => {
    const payment = paymentOf(decided);
    return payment === undefined ? after : credit(after, payment.recipient, payment.token, 1n as Amount);
  }),
};

/** Real program, wrapped like a variant. A hunt that reports it has false positives. */
export const CONTROL: KnownBadVariant = {
  name: "control",
  mistake: "nothing",
  source: "protocol 7",
  caughtBy: INVARIANTS,
  rules: (real) => ({ ...real }),
  program: (real) => ({ ...real, step: (state, input) => real.step(state, input) }),
};
