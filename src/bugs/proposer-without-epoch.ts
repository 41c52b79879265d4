import type { Epoch } from "../core/base/ids.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Proposer as a function of slot and round alone (protocol 3). */
export const proposerWithoutEpoch: KnownBadVariant = {
  name: "proposer-without-epoch",
  mistake: "a slot that stays open has the same first proposer in every epoch",
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
