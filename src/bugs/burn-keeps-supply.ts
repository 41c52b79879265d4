import { changed } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";
import { afterwards } from "./wrong-apply.ts";

/** Burned, and not counted (protocol 7.3). */
export const burnKeepsSupply: Bug = {
  name: "burn-keeps-supply",
  wrong: "a burn takes the units from their holder and leaves the token's supply as it was",
  source: "protocol 4.1, 7.3",
  caughtBy: ["conservation", "validity"],
  rules: afterwards((after, before) => changed(after, { burned: before.burned })),
};
