import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Consecutive forced burns without the owner's turn (protocol 8). */
export const noOwnersTurn: KnownBadVariant = {
  name: "no-owners-turn",
  mistake: "one forced burn may follow another at once: repeated burns of one unit leave no owner's turn",
  source: "protocol 8; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isOwnersTurn: () => false } }),
};
