import { required } from "../core/base/assert.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Same proposer in every round (protocol 3). */
export const oneProposer: KnownBadVariant = {
  name: "one-proposer",
  mistake: "the proposer of a slot is the same in every round: if it is silent, no round succeeds",
  source: "protocol 3, 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, proposerOf: ({ members }) => required(members[0], "first validator") },
  }),
};
