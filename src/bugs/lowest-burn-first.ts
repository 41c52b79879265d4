import { dueFor } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Due burns by address, not in turn (protocol 5). */
export const lowestBurnFirst: KnownBadVariant = {
  name: "lowest-burn-first",
  mistake: "all burns of the authority with the lowest address come first",
  source: "protocol 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: { ...real.validator, nextBurn: ({ ledger }, slot) => dueFor(ledger, slot)[0] },
  }),
};
