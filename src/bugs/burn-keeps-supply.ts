import { withChanges } from "../core/ledger/state.ts";
import { afterwards } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Burn that is not counted (protocol 7.3). */
export const burnKeepsSupply: KnownBadVariant = {
  name: "burn-keeps-supply",
  mistake: "a burn debits the holder and leaves the token's supply unchanged",
  source: "protocol 4.1, 7.3",
  caughtBy: ["conservation", "validity"],
  rules: afterwards((after, before) => withChanges(after, { burned: before.burned })),
};
