import type { Bug } from "./bug.ts";

/** Burns follow each other for as long as there are any (protocol 8). */
export const noOwnersTurn: Bug = {
  name: "no-owners-turn",
  wrong: "one forced burn may follow another at once: burns of one unit never let the owner have a turn",
  source: "protocol 8; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isOwnersTurn: () => false } }),
};
