import { ZERO } from "../core/base/amount.ts";
import { granted } from "../core/ledger/token.ts";
import { ignoreRefusal } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Allowance checked at the submission of a mint only (bugs D19). */
export const allowanceCheckedOnce: KnownBadVariant = {
  name: "allowance-checked-once",
  mistake: "an allowance is checked when a mint is submitted, not in the token's order: two mints share it",
  source: "bugs D19; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: ignoreRefusal(
    "business_allowance_exceeded",
    (policy, { operation, sender }) =>
      operation.kind === "mint" ? granted(policy, sender, "MintBurnTokens", operation.value) : policy,
    (after, _before, { sender }) => granted(after, sender, "MintBurnTokens", ZERO),
  ),
};
