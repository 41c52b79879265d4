import { applyRules } from "../core/ledger/apply.ts";
import type { Bug } from "./bug.ts";
import { appliesInstead } from "./wrong-apply.ts";

/** Skip at the fee of a payment (specification 7.3). */
export const cheapSkip: Bug = {
  name: "cheap-skip",
  wrong: "a cancellation or recovery costs a payment's fee in place of its own",
  source: "protocol 4.4",
  caughtBy: ["fees", "validity"],
  rules: appliesInstead((_before, _decided, real) =>
    real({
      ...applyRules,
      skipFeeAmount: (fees, by, token, step) =>
        applyRules.skipFeeAmount(fees, by, token, step === "full" ? "payment" : step),
    }),
  ),
};
