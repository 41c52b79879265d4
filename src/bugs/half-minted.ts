import { add } from "../core/base/amount.ts";
import { withToken } from "../core/ledger/execute.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { replaceExecute } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** First half of an operation kept although the second is refused (bugs D9). */
export const halfMinted: KnownBadVariant = {
  name: "half-minted",
  mistake: "a mint raises the supply before it is checked: a failed one leaves it raised",
  source: "bugs D9",
  caughtBy: ["conservation", "validity"],
  rules: replaceExecute((state, token, { signed: { operation } }, real) => {
    const executed = real(state);
    const policy = tokenOf(executed.state, token);
    if (executed.receipt.success || operation.kind !== "mint" || policy === undefined) return executed;
    const minted = add(policy.minted, operation.value) ?? policy.minted;
    return { ...executed, state: withToken(executed.state, token, { ...policy, minted }) };
  }),
};
