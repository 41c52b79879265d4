import type { LedgerState } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Operation that stops every validator that applies it, even after a restart (bugs H5). */
export const poisonOperation: KnownBadVariant = {
  name: "poison-operation",
  mistake:
    "a validator that applies metadata with a member beside name and uri does nothing any more, restarted or not",
  source: "bugs H5",
  caughtBy: ["liveness", "convergence"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return isPoisoned(state.ledger) ? outputs.filter(({ type }) => type === "event" || type === "persist") : outputs;
    },
  }),
};

function isPoisoned({ tokens }: LedgerState): boolean {
  return [...tokens.values()].some(({ additional }) => additional.length > 0);
}
