import type { Bug } from "./bug.ts";

/** Missing reply about a restriction (protocol 4.2). */
export const silentAboutBars: Bug = {
  name: "silent-about-bars",
  wrong: "no reply reports that a restriction bars a client's disclosed operation",
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
