/** Two that are hunted beside the variants, to see whether a hunt can be trusted: one must be found, one must not. */
import type { Amount } from "../core/base/amount.ts";
import { credit } from "../core/ledger/balances.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import type { Bug } from "./bug.ts";
import { afterwards, paymentOf } from "./wrong-apply.ts";

/** Broken so that whoever looks at any payment sees it. A hunt that does not find it finds nothing. */
export const CANARY: Bug = {
  name: "canary",
  wrong: "every payment makes one unit out of nothing",
  source: "protocol 7.3",
  caughtBy: ["conservation", "validity"],
  rules: afterwards((after, _before, decided) => {
    const payment = paymentOf(decided);
    return payment === undefined ? after : credit(after, payment.recipient, payment.token, 1n as Amount);
  }),
};

/** The real program, wrapped as variants are. A hunt that finds it accuses whatever it looks at. */
export const CONTROL: Bug = {
  name: "control",
  wrong: "nothing",
  source: "protocol 7",
  caughtBy: CATALOGUE.map(({ name }) => name),
  rules: (real) => ({ ...real }),
  program: (real) => ({ ...real, step: (state, input) => real.step(state, input) }),
};
