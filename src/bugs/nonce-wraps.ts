import type { Nonce } from "../core/base/ids.ts";
import { accountOf, withChanges } from "../core/ledger/state.ts";
import { afterwards } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Nonces of two bits, few enough for a run to exhaust. */
const NONCES = 4;

/** Nonce counter that wraps around (bugs D4). */
export const nonceWraps: KnownBadVariant = {
  name: "nonce-wraps",
  mistake: "nonce 0 follows the largest one, here 3: operations signed for it may be executed again",
  source: "bugs D4",
  caughtBy: ["accounts", "validity"],
  rules: afterwards((after, _before, { slot }) => {
    if (slot.kind !== "account") return after;
    const account = accountOf(after, slot.address);
    if (account.nonce < NONCES) return after;
    const nonce = (account.nonce % NONCES) as Nonce;
    return withChanges(after, { accounts: after.accounts.set(slot.address, { ...account, nonce }) });
  }),
};
