import type { Epoch } from "../core/base/ids.ts";
import type { Bug } from "./bug.ts";

/** Proposer as a function of slot and round alone (protocol 3). */
export const proposerWithoutEpoch: Bug = {
  name: "proposer-without-epoch",
  wrong: "a slot that stays open has the same first proposer in every epoch",
  source: "protocol 3",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: {
      ...real.consensus,
      proposerOf: (committee, slot, round) =>
        real.consensus.proposerOf({ ...committee, epoch: 0 as Epoch }, slot, round),
    },
  }),
};
