import { AMOUNT_MAX, type Amount, add, ZERO } from "../core/base/amount.ts";
import { withToken } from "../core/ledger/execute.ts";
import { grantActionOf } from "../core/ledger/spelling.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { granted } from "../core/ledger/token.ts";
import { replaceExecute } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Grant of an allowance that adds to the old one (bugs E5). */
export const addedAllowance: KnownBadVariant = {
  name: "added-allowance",
  mistake: "a second grant of minting adds to the allowance in place of setting it",
  source: "bugs E5; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: replaceExecute((state, token, { signed: { operation } }, real) => {
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
