import type { Bug } from "./bug.ts";

/** A durable commit is taken for one that was signed (protocol 3.2). */
export const repeatsBelowItsRound: Bug = {
  name: "repeats-below-its-round",
  wrong: "a commit is sent again in whatever round its lock is of, also where a crash kept it from being signed",
  source: "protocol 3.2; 7.6",
  caughtBy: ["amnesia"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, mayRepeat: () => true } }),
};
