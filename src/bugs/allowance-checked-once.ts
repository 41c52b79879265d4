import { ZERO } from "../core/base/amount.ts";
import { granted } from "../core/ledger/token.ts";
import type { Bug } from "./bug.ts";
import { executesDespite } from "./wrong-apply.ts";

/** Allowance checked at the submission of a mint only (bugs D19). */
export const allowanceCheckedOnce: Bug = {
  name: "allowance-checked-once",
  wrong: "an allowance is checked when a mint is submitted, not in the token's order: two mints share it",
  source: "bugs D19; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: executesDespite(
    "business_allowance_exceeded",
    (policy, { operation, sender }) =>
      operation.kind === "mint" ? granted(policy, sender, "MintBurnTokens", operation.value) : policy,
    (after, _before, { sender }) => granted(after, sender, "MintBurnTokens", ZERO),
  ),
};
