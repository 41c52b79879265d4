import type { Bug } from "./bug.ts";

/** Round changes that carry nothing: the evidence for a skip is worthless (design 3.2, 3.3). */
export const hiddenLocks: Bug = {
  name: "hidden-locks",
  wrong: "a round change never carries the lock that its sender holds: what may be final already is skipped",
  source: "design 3.2, 3.3; bug catalogue C2",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, carriedLock: () => undefined } }),
};
