import type { Bug } from "./bug.ts";

/** Everybody has to agree (bug catalogue H1). */
export const waitsForAll: Bug = {
  name: "waits-for-all",
  wrong: "a certificate needs the signatures of all validators: one that is silent stops the network",
  source: "bug catalogue H1; design 1",
  caughtBy: ["liveness"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => n } }),
};
