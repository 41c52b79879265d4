import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Everybody has to agree (bugs H1). */
export const waitsForAll: KnownBadVariant = {
  name: "waits-for-all",
  mistake: "a certificate needs the signatures of all validators: one that is silent stops the network",
  source: "bugs H1; protocol 1.1",
  caughtBy: ["liveness"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => n } }),
};
