import { mayVoteInSlot } from "../core/validator/slots/slot-readiness.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Votes for unchecked checkpoints (protocol 6.1). */
export const unreadCheckpoint: KnownBadVariant = {
  name: "unread-checkpoint",
  mistake: "voters take a proposed checkpoint as it comes: they do not replay its list, and do not compare its roots",
  source: "protocol 6.1; bugs F3",
  caughtBy: ["agreement", "checkpoints", "liveness", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, at, slot, content, round) =>
        slot.kind === "checkpoint" && content.value.type === "checkpoint" && mayVoteInSlot(state, slot)
          ? { answer: "accept" }
          : real.validator.checkContent(state, at, slot, content, round),
    },
  }),
};
