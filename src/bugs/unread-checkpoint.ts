import { isReady } from "../core/validator/slots/readiness.ts";
import type { Bug } from "./bug.ts";

/** Votes for unchecked checkpoints (protocol 6.1). */
export const unreadCheckpoint: Bug = {
  name: "unread-checkpoint",
  wrong: "voters take a proposed checkpoint as it comes: they do not replay its list, and do not compare its roots",
  source: "protocol 6.1; bugs F3",
  caughtBy: ["agreement", "checkpoints", "liveness", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      judgeContent: (state, at, slot, content, round) =>
        slot.kind === "checkpoint" && content.value.type === "checkpoint" && isReady(state, slot)
          ? { answer: "accept" }
          : real.validator.judgeContent(state, at, slot, content, round),
    },
  }),
};
