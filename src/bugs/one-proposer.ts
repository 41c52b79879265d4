import { present } from "../core/base/assert.ts";
import type { Bug } from "./bug.ts";

/** Rounds change and their proposer does not (protocol 3). */
export const oneProposer: Bug = {
  name: "one-proposer",
  wrong: "the proposer of a slot is the same in every round: if it is silent no round is any better than the last",
  source: "protocol 3, 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, proposerOf: ({ members }) => present(members[0], "first validator") },
  }),
};
