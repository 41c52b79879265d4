import type { FeeSchedule } from "../core/base/epoch.ts";
import { applyRules } from "../core/ledger/apply.ts";
import type { Bug } from "./bug.ts";
import { appliesInstead } from "./wrong-apply.ts";

/** Fees read once (protocol 4.4, 6.3). */
export const staleFees: Bug = {
  name: "stale-fees",
  wrong: "payments pay the fees of the first epoch in every later one",
  source: "protocol 4.4, 6.3",
  caughtBy: ["fees", "validity"],
  rules: (real) => {
    let first: FeeSchedule | undefined;
    return appliesInstead((before, _decided, apply) => {
      first ??= before.parameters.fees;
      const known = first;
      return apply({ ...applyRules, paymentFee: (_fees, token) => applyRules.paymentFee(known, token) });
    })(real);
  },
};
