import { AMOUNT_MAX } from "../core/base/amount.ts";
import { granted } from "../core/ledger/token.ts";
import { ignoreRefusal } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Role checked at the submission only (bugs E4). */
export const roleCheckedOnce: KnownBadVariant = {
  name: "role-checked-once",
  mistake: "a role is looked at when a mint is asked for, and not again in the token's order: a former holder mints",
  source: "bugs E4; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: ignoreRefusal(
    "business_missing_role",
    (policy, { operation, sender }) =>
      operation.kind === "mint" ? granted(policy, sender, "MintBurnTokens", AMOUNT_MAX) : policy,
    (after, before) => ({ ...after, roles: before.roles }),
  ),
};
