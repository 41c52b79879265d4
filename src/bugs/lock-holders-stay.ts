import type { Millis } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Lock as a reason to stay in its round (protocol 3.2, b). */
export const lockHoldersStay: KnownBadVariant = {
  name: "lock-holders-stay",
  mistake: "a holder of a lock never leaves round 0 on an equivocation proof",
  source: "protocol 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      effectiveAt: (state, at, slot, reason) => {
        const isLocked = state.slots.get(slotKey(slot))?.lock !== undefined;
        const isStaying = reason.kind === "equivocation" && isLocked;
        return isStaying ? (Number.POSITIVE_INFINITY as Millis) : real.validator.effectiveAt(state, at, slot, reason);
      },
    },
  }),
};
