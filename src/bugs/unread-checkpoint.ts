import { isReady } from "../core/validator/slots/readiness.ts";
import type { Bug } from "./bug.ts";

/** Votes for unchecked checkpoints (protocol 6.1). */
export const unreadCheckpoint: Bug = {
  name: "unread-checkpoint",
  wrong: "voters accept a proposed checkpoint unchecked: they neither replay its list nor compare its roots",
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
