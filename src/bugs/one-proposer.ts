import { present } from "../core/base/assert.ts";
import type { Bug } from "./bug.ts";

/** Same proposer in every round (protocol 3). */
export const oneProposer: Bug = {
  name: "one-proposer",
  wrong: "the proposer of a slot is the same in every round: if it is silent, no round succeeds",
  source: "protocol 3, 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, proposerOf: ({ members }) => present(members[0], "first validator") },
  }),
};
