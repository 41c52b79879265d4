import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Messages leave first; what they promise is written afterwards (protocol 3.1). */
export const voteBeforePersist: KnownBadVariant = {
  name: "vote-before-persist",
  mistake: "votes and commits are sent before they are durable: a crash in between loses them",
  source: "protocol 3.1; bugs B1",
  caughtBy: ["amnesia", "accountability"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      const isPersist = outputs.map((output) => output.type === "persist");
      return [...outputs.filter((_, i) => !isPersist[i]), ...outputs.filter((_, i) => isPersist[i])];
    },
  }),
};
