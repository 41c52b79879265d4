import { applyRules } from "../core/ledger/apply.ts";
import { replaceApply } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Skip at the fee of a payment (specification 7.3). */
export const cheapSkip: KnownBadVariant = {
  name: "cheap-skip",
  mistake: "a cancellation or recovery costs a payment's fee in place of its own",
  source: "protocol 4.4",
  caughtBy: ["fees", "validity"],
  rules: replaceApply((_before, _decided, real) =>
    real({
      ...applyRules,
      skipFeeAmount: (fees, by, token, step) =>
        applyRules.skipFeeAmount(fees, by, token, step === "full" ? "payment" : step),
    }),
  ),
};
