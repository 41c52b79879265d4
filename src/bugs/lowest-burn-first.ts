import { dueFor } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";

/** Due burns by address, not in turn (protocol 5). */
export const lowestBurnFirst: Bug = {
  name: "lowest-burn-first",
  wrong: "all burns of the authority with the lowest address come first",
  source: "protocol 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: { ...real.validator, nextBurn: ({ ledger }, slot) => dueFor(ledger, slot)[0] },
  }),
};
