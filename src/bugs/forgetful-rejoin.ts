import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Validator that lost its disk and takes part as if it had signed nothing (protocol 11.3). */
export const forgetfulRejoin: KnownBadVariant = {
  name: "forgetful-rejoin",
  mistake: "a validator that restarts with an empty disk votes in slots in which it may have voted before",
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
