import type { Reason } from "../core/validator/message.ts";
import type { View } from "../core/validator/slots/grounds.ts";
import type { Bug } from "./bug.ts";

/** Two outcomes of one burn are voted for in round 0, and nothing leads out of it (protocol 8). */
export const oneOutcomeReason: Bug = {
  name: "one-outcome-reason",
  wrong: "a vote for the other outcome of the same burn is no reason to change round: both outcomes wait for ever",
  source: "protocol 8; 3.2, c; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      reasonCounts: (state, slot, reason) =>
        !isOtherOutcome(state, reason) && real.validator.reasonCounts(state, slot, reason),
    },
  }),
};

function isOtherOutcome({ environment }: View, reason: Reason): boolean {
  if (reason.kind !== "burn" || reason.content.value.type !== "burn") return false;
  const { value } = reason.content;
  const outcome = value.outcome === "burned" ? "failed" : "burned";
  return reason.vote.value === environment.hashes.value({ ...value, outcome });
}
