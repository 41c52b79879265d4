import { AMOUNT_MAX } from "../core/base/amount.ts";
import { granted } from "../core/ledger/token.ts";
import type { Bug } from "./bug.ts";
import { executesDespite } from "./wrong-apply.ts";

/** Role checked at the submission only (bugs E4). */
export const roleCheckedOnce: Bug = {
  name: "role-checked-once",
  wrong: "a role is looked at when a mint is asked for, and not again in the token's order: a former holder mints",
  source: "bugs E4; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: executesDespite(
    "business_missing_role",
    (policy, { operation, sender }) =>
      operation.kind === "mint" ? granted(policy, sender, "MintBurnTokens", AMOUNT_MAX) : policy,
    (after, before) => ({ ...after, roles: before.roles }),
  ),
};
