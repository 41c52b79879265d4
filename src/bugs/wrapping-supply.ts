import { AMOUNT_MAX, type Amount, add } from "../core/base/amount.ts";
import { checkRules } from "../core/ledger/check.ts";
import { ignoreRefusal } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const despite = ignoreRefusal(
  "business_amount_overflow",
  // A mint that overflows its recipient's own balance is still refused.
  (policy, { operation }, balance) =>
    operation.kind === "mint" && add(balance, operation.value) !== undefined
      ? { ...policy, minted: (AMOUNT_MAX - operation.value) as Amount }
      : policy,
  (after, before, { operation }) =>
    operation.kind === "mint"
      ? { ...after, minted: ((before.minted + operation.value) % (AMOUNT_MAX + 1n)) as Amount }
      : after,
);

/** Sum that wraps around at zero (bugs D8). */
export const wrappingSupply: KnownBadVariant = {
  name: "wrapping-supply",
  mistake: "the minted total wraps around at 2^256, and no mint is refused",
  source: "bugs D8",
  caughtBy: ["conservation", "validity", "authority", "accounts"],
  rules: (real) => {
    const { ledger, ...rest } = despite(real);
    const judge: typeof checkRules.judge = (...about) => {
      const refusal = checkRules.judge(...about);
      return refusal?.code === "business_amount_overflow" ? undefined : refusal;
    };
    return {
      ...rest,
      ledger: {
        ...ledger,
        check: (state, barrier, signed, parts = checkRules) =>
          ledger.check(state, barrier, signed, { ...parts, judge }),
      },
    };
  },
};
