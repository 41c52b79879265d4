import { UndoMap } from "../core/base/undo-map.ts";
import type { Bug } from "./bug.ts";

/** What was applied before the last checkpoint is taken for listed (protocol 8). */
export const listedByTime: Bug = {
  name: "listed-by-time",
  wrong: "a proposer lists what it applied since the last checkpoint, and not what no checkpoint lists yet",
  source: "protocol 8; bugs F1, F5",
  caughtBy: ["checkpoints", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      const isNew = outputs.some((output) => output.type === "event" && output.event.type === "checkpointed");
      if (isNew) state.log = UndoMap.empty();
      return outputs;
    },
  }),
};
