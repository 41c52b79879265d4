import type { Bug } from "./bug.ts";

/** Pieces of a state accepted without proof (protocol 6.2). */
export const unprovenState: Bug = {
  name: "unproven-state",
  wrong: "a joining validator does not check the pieces of a state against the state root",
  source: "protocol 6.2; bugs F14",
  caughtBy: ["agreement", "checkpoints", "convergence", "conservation", "accounts", "authority", "validity"],
  rules: (real) => ({ ...real, validator: { ...real.validator, pieceHolds: () => true } }),
};
