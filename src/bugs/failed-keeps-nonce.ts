import type { Nonce } from "../core/base/ids.ts";
import { accountOf } from "../core/ledger/state.ts";
import { replaceExecute } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Failed operation that leaves its nonce unused (bugs D2). */
export const failedKeepsNonce: KnownBadVariant = {
  name: "failed-keeps-nonce",
  mistake: "an operation that fails in its token's order leaves its nonce unused: the same bytes may run again",
  source: "bugs D2",
  caughtBy: ["accounts", "validity"],
  rules: replaceExecute((state, _token, { signed: { sender } }, real) => {
    const executed = real(state);
    if (executed.receipt.success) return executed;
    const { accounts } = executed.state;
    const account = accountOf(executed.state, sender);
    const back = { ...account, nonce: (account.nonce - 1) as Nonce };
    return { ...executed, state: { ...executed.state, accounts: accounts.set(sender, back) } };
  }),
};
