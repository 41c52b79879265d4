import type { FeeSchedule } from "../core/base/epoch.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { replaceApply } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Fees read once (protocol 4.4, 6.3). */
export const staleFees: KnownBadVariant = {
  name: "stale-fees",
  mistake: "payments pay the fees of the first epoch in every later one",
  source: "protocol 4.4, 6.3",
  caughtBy: ["fees", "validity"],
  rules: (real) => {
    let first: FeeSchedule | undefined;
    return replaceApply((before, _decided, apply) => {
      first ??= before.parameters.fees;
      const known = first;
      return apply({ ...applyRules, paymentFee: (_fees, token) => applyRules.paymentFee(known, token) });
    })(real);
  },
};
