import type { Bug } from "./bug.ts";

/** Pruning takes the certificates along that a proposer will have to show (protocol 6.2; 3, table). */
export const prunedWarrants: Bug = {
  name: "pruned-warrants",
  wrong: "at a checkpoint the certificates go that authorised what still waits to be executed",
  source: "protocol 6.2; bugs F13",
  caughtBy: ["liveness", "checkpoints"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      const isPruned = outputs.some((output) => output.type === "event" && output.event.type === "checkpointed");
      if (!isPruned) return outputs;
      for (const { authorisedBy } of state.ledger.authorised.values()) state.slots = state.slots.delete(authorisedBy);
      return outputs;
    },
  }),
};
