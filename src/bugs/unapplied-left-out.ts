import { isSettled } from "../core/validator/slots/slot-position.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Close that omits decisions waiting for funds or content (protocol 8). */
export const unappliedLeftOut: KnownBadVariant = {
  name: "unapplied-left-out",
  mistake:
    "a validator that closes an epoch shows what it has applied, and not what it knows to be final and could not apply yet",
  source: "protocol 6.3, 8; bugs F10",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      claimsOf: (state) => real.validator.claimsOf(state).filter(({ slot }) => isSettled(state, slot)),
    },
  }),
};
