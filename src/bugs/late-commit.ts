import { roundValueIn } from "../core/consensus/slot-state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Commit below a round that the validator left, with the lock omitted from its round change (protocol 3.3). */
export const lateCommit: KnownBadVariant = {
  name: "late-commit",
  mistake: "a validator commits on a lock of a round that it has left, after a round change without the lock",
  source: "protocol 3.2, 3.3; bugs C5",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: (real) => ({
    ...real,
    consensus: {
      ...real.consensus,
      mayCommit: (state, lock, holdsContent) => holdsContent && roundValueIn(state.commits, lock.round) === undefined,
    },
  }),
};
