import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Pieces of a state accepted without proof (protocol 6.2). */
export const unprovenState: KnownBadVariant = {
  name: "unproven-state",
  mistake: "a joining validator does not check the pieces of a state against the state root",
  source: "protocol 6.2; bugs F14",
  caughtBy: ["agreement", "checkpoints", "convergence", "conservation", "accounts", "authority", "validity"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isValidPiece: () => true } }),
};
