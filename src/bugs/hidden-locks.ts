import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Round changes without locks: no evidence for a skip (protocol 3.2, 3.3). */
export const hiddenLocks: KnownBadVariant = {
  name: "hidden-locks",
  mistake: "a round change never carries its sender's lock: a value that may be final is skipped",
  source: "protocol 3.2, 3.3; bugs C2",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, carriedLock: () => undefined } }),
};
