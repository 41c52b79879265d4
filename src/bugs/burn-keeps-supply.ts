import { changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards } from "./wrong-apply.ts";

/** Burn that is not counted (protocol 7.3). */
export const burnKeepsSupply: Bug = {
  name: "burn-keeps-supply",
  wrong: "a burn debits the holder and leaves the token's supply unchanged",
  source: "protocol 4.1, 7.3",
  caughtBy: ["conservation", "validity"],
  rules: afterwards((after, before) => changed(after, { burned: before.burned })),
};
