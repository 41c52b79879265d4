import type { KnownBadVariant } from "./known-bad-variant.ts";

/** No detection of missed slots (protocol 10). */
export const neverCompares: KnownBadVariant = {
  name: "never-compares",
  mistake:
    "validators do not compare what they have applied: a validator that was down receives decisions by chance only",
  source: "bugs H2, D17; protocol 10",
  caughtBy: ["convergence", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "setTimer" || output.name !== "sync"),
  }),
};
