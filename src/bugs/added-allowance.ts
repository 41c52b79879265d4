import { AMOUNT_MAX, type Amount, add, ZERO } from "../core/base/amount.ts";
import { withToken } from "../core/ledger/execute.ts";
import { grantActionOf } from "../core/ledger/spelling.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { granted } from "../core/ledger/token.ts";
import type { Bug } from "./bug.ts";
import { executesInstead } from "./wrong-apply.ts";

/** Grant of an allowance that adds to the old one (bugs E5). */
export const addedAllowance: Bug = {
  name: "added-allowance",
  wrong: "a second grant of minting adds to the allowance in place of setting it",
  source: "bugs E5; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: executesInstead((state, token, { signed: { operation } }, real) => {
    const executed = real(state);
    const after = tokenOf(executed.state, token);
    if (operation.kind !== "authority" || after === undefined || !executed.receipt.success) return executed;
    const { authorityAddress: holder, action, value } = operation;
    const before = tokenOf(state, token)?.roles.MintBurnTokens.get(holder);
    if (before === undefined || grantActionOf(action) !== "grant") return executed;
    if (after.roles.MintBurnTokens.get(holder) !== (value ?? ZERO)) return executed;
    const sum: Amount = add(before, value ?? ZERO) ?? AMOUNT_MAX;
    return { ...executed, state: withToken(executed.state, token, granted(after, holder, "MintBurnTokens", sum)) };
  }),
};
