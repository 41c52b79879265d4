import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Slot reopened after a checkpoint listed it (protocol 6.2). */
export const revivedSlots: KnownBadVariant = {
  name: "revived-slots",
  mistake: "a validator that has pruned a slot makes a new record of it, and commits with an old lock certificate",
  source: "protocol 6.2; bugs F13",
  caughtBy: ["agreement", "amnesia", "accountability", "irreversibility", "validity"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isPruned: () => false } }),
};
