import type { Bug } from "./bug.ts";

/** No detection of missed slots (protocol 10). */
export const neverCompares: Bug = {
  name: "never-compares",
  wrong:
    "validators do not compare what they have applied: a validator that was down receives decisions by chance only",
  source: "bugs H2, D17; protocol 10",
  caughtBy: ["convergence", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "setTimer" || output.name !== "sync"),
  }),
};
