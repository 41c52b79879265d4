import { dueFor } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";

/** Due burns by address instead of in turn (design 5). */
export const lowestBurnFirst: Bug = {
  name: "lowest-burn-first",
  wrong: "the burns of the authority with the lowest address come first, however many there are",
  source: "design 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: { ...real.validator, nextBurn: ({ ledger }, slot) => dueFor(ledger, slot)[0] },
  }),
};
