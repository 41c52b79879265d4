import type { Bug } from "./bug.ts";

/** Two outcomes of one burn are voted for in round 0, and nothing leads out of it (design 8). */
export const oneOutcomeReason: Bug = {
  name: "one-outcome-reason",
  wrong: "a vote for another outcome of the same burn is no reason to change round, and `failed` is voted for at once",
  source: "design 8; 3.2, c; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      reasonCounts: (state, slot, reason) => reason.kind !== "burn" && real.validator.reasonCounts(state, slot, reason),
    },
  }),
};
