import type { Bug } from "./bug.ts";

/** A slot that a checkpoint stands for is opened again (protocol 6.2). */
export const revivedSlots: Bug = {
  name: "revived-slots",
  wrong: "a validator that has pruned a slot makes a fresh record of it, and commits on an old lock certificate",
  source: "protocol 6.2; bugs F13",
  caughtBy: ["agreement", "amnesia", "accountability", "irreversibility", "validity"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isGone: () => false } }),
};
