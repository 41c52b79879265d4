import type { Bug } from "./bug.ts";

/** One signature too few makes a certificate (design 1). */
export const quorumOffByOne: Bug = {
  name: "quorum-off-by-one",
  wrong: "a certificate needs one signature less than a quorum",
  source: "design 1; bug catalogue A1",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, quorumOf: (n) => Math.max(1, real.consensus.quorumOf(n) - 1) },
  }),
};
