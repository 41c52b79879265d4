import type { KnownBadVariant } from "./known-bad-variant.ts";

/** No retransmission (bugs H2). */
export const neverAsksAgain: KnownBadVariant = {
  name: "never-asks-again",
  mistake: "there are no retransmissions: no vote is requested again, and no relay is taken over",
  source: "bugs H2; protocol 3.1",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "setTimer" || !output.name.startsWith("retry ")),
  }),
};
