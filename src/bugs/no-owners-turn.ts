import type { Bug } from "./bug.ts";

/** Consecutive forced burns without the owner's turn (protocol 8). */
export const noOwnersTurn: Bug = {
  name: "no-owners-turn",
  wrong: "one forced burn may follow another at once: repeated burns of one unit leave no owner's turn",
  source: "protocol 8; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isOwnersTurn: () => false } }),
};
