import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Quorum of 2f + 1, which is correct only if N = 3f + 1 (protocol 1.1). */
export const quorumOf2fPlus1: KnownBadVariant = {
  name: "quorum-of-2f-plus-1",
  mistake: "a quorum is 2f + 1 for every N: with N = 6 two quorums need not intersect",
  source: "protocol 1.1; bugs A2",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => 2 * real.consensus.faultyOf(n) + 1 } }),
};
