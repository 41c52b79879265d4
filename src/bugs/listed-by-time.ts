import { UndoMap } from "../core/base/undo-map.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Slots applied before the last checkpoint count as listed (protocol 8). */
export const listedByTime: KnownBadVariant = {
  name: "listed-by-time",
  mistake: "a proposer lists the slots applied since the last checkpoint, not those that no checkpoint lists",
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
