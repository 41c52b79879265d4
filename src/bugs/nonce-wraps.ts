import type { Nonce } from "../core/base/ids.ts";
import { accountOf, changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards } from "./wrong-apply.ts";

/** Nonces of two bits: so few that a run comes to their end. */
const NONCES = 4;

/** The counter begins again (bugs D4). */
export const nonceWraps: Bug = {
  name: "nonce-wraps",
  wrong: "after the largest nonce, here 3, comes 0 again: whatever was signed for it may be executed once more",
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
