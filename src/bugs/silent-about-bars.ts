import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Missing reply about a restriction (protocol 4.2). */
export const silentAboutBars: KnownBadVariant = {
  name: "silent-about-bars",
  mistake: "a client never receives the response that a restriction bars its disclosed operation",
  source: "protocol 4.2",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real
        .step(state, input)
        .filter((out) => out.type !== "reply" || out.reply.status !== "pending" || out.reply.barred === undefined),
  }),
};
