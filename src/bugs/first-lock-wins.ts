import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Rounds of locks are not compared (bugs C6). */
export const firstLockWins: KnownBadVariant = {
  name: "first-lock-wins",
  mistake: "a proposer goes on with the lock of the lowest round that it receives, not with that of the highest",
  source: "protocol 3.2, 3.3; bugs C6",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    consensus: {
      ...real.consensus,
      forcedValue: (justification) => {
        const locks = justification.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
        return locks.reduce((lowest, lock) => (lock.round < lowest.round ? lock : lowest), locks[0] as never)?.value;
      },
    },
  }),
};
