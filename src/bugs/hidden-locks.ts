import type { Bug } from "./bug.ts";

/** Round changes that carry nothing: the evidence for a skip is worthless (protocol 3.2, 3.3). */
export const hiddenLocks: Bug = {
  name: "hidden-locks",
  wrong: "a round change never carries the lock that its sender holds: what may be final already is skipped",
  source: "protocol 3.2, 3.3; bugs C2",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, carriedLock: () => undefined } }),
};
