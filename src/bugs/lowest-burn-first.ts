import { dueFor } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";

/** Due burns by address instead of in turn (protocol 5). */
export const lowestBurnFirst: Bug = {
  name: "lowest-burn-first",
  wrong: "the burns of the authority with the lowest address come first, however many there are",
  source: "protocol 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: { ...real.validator, nextBurn: ({ ledger }, slot) => dueFor(ledger, slot)[0] },
  }),
};
