import type { Bug } from "./bug.ts";

/** Durable commit assumed to be signed (protocol 3.2). */
export const repeatsBelowItsRound: Bug = {
  name: "repeats-below-its-round",
  wrong: "a commit is sent again in the round of its lock, even if a crash prevented its signature",
  source: "protocol 3.2; 7.6",
  caughtBy: ["amnesia"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, mayRepeat: () => true } }),
};
