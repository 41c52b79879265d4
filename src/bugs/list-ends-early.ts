import type { Refusal } from "../core/base/refusal.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { replaceApply } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** List handled as one transaction of which the first part stays (bugs D9). */
export const listEndsEarly: KnownBadVariant = {
  name: "list-ends-early",
  mistake: "the first failed operation ends a list: earlier ones stay applied, later ones fail with its code",
  source: "bugs D9; protocol 4.1",
  caughtBy: ["validity"],
  rules: replaceApply((_before, _decided, real) => {
    let failed: Refusal | undefined;
    return real({
      ...applyRules,
      executeOne: (state, token, entry, slot) => {
        const executed = applyRules.executeOne(state, token, entry, slot);
        if (failed !== undefined) return { state, receipt: { ...executed.receipt, success: false, error: failed } };
        failed = executed.receipt.error;
        return executed;
      },
    });
  }),
};
