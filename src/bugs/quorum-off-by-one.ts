import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Certificates with one signature too few (protocol 1.1). */
export const quorumOffByOne: KnownBadVariant = {
  name: "quorum-off-by-one",
  mistake: "a certificate needs one signature fewer than a quorum",
  source: "protocol 1.1; bugs A1",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, quorumOf: (n) => Math.max(1, real.consensus.quorumOf(n) - 1) },
  }),
};
