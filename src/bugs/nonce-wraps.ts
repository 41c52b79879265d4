import type { Nonce } from "../core/base/ids.ts";
import { accountOf, changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards } from "./wrong-apply.ts";

/** Nonces of two bits, few enough for a run to exhaust. */
const NONCES = 4;

/** Nonce counter that wraps around (bugs D4). */
export const nonceWraps: Bug = {
  name: "nonce-wraps",
  wrong: "nonce 0 follows the largest one, here 3: operations signed for it may be executed again",
  source: "bugs D4",
  caughtBy: ["accounts", "validity"],
  rules: afterwards((after, _before, { slot }) => {
    if (slot.kind !== "account") return after;
    const account = accountOf(after, slot.address);
    if (account.nonce < NONCES) return after;
    const nonce = (account.nonce % NONCES) as Nonce;
    return changed(after, { accounts: after.accounts.set(slot.address, { ...account, nonce }) });
  }),
};
