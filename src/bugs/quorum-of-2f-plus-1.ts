import type { Bug } from "./bug.ts";

/** 2f + 1 is a quorum only where N = 3f + 1 (protocol 1.1). */
export const quorumOf2fPlus1: Bug = {
  name: "quorum-of-2f-plus-1",
  wrong: "a quorum is 2f + 1 whatever N is: with N = 6 two of them need not meet",
  source: "protocol 1.1; bugs A2",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => 2 * real.consensus.faultyOf(n) + 1 } }),
};
