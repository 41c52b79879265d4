import type { Bug } from "./bug.ts";

/** No detection of missed slots (protocol 10). */
export const neverCompares: Bug = {
  name: "never-compares",
  wrong: "validators do not compare applied slots: one that was away never learns what it missed",
  source: "bugs H2, D17; protocol 10",
  caughtBy: ["convergence", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "setTimer" || output.name !== "sync"),
  }),
};
