import type { Bug } from "./bug.ts";

/** A validator that lost its disk takes part again as if it had never signed anything (protocol 11.3). */
export const forgetfulRejoin: Bug = {
  name: "forgetful-rejoin",
  wrong: "a validator that starts again with an empty disk votes where it may have voted before",
  source: "protocol 11.3; bugs B2",
  caughtBy: ["amnesia", "accountability"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const isForgetful = input.type === "restart" && input.records.length === 0;
      return real.step(state, isForgetful ? { type: "start", at: input.at } : input);
    },
  }),
};
