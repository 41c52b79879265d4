import type { Bug } from "./bug.ts";

/** What is lost once is lost (bugs H2). */
export const neverAsksAgain: Bug = {
  name: "never-asks-again",
  wrong: "nothing is sent a second time: no vote is asked for again, and no relay taken over",
  source: "bugs H2; protocol 3.1",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "setTimer" || !output.name.startsWith("retry ")),
  }),
};
