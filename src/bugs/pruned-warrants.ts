import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Pruning of certificates that a proposer will need (protocol 6.2; 3, table). */
export const prunedWarrants: KnownBadVariant = {
  name: "pruned-warrants",
  mistake: "a checkpoint prunes the certificates of authorised operations that are not executed yet",
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
