import type { Reason } from "../core/validator/message.ts";
import type { View } from "../core/validator/slots/grounds.ts";
import type { Bug } from "./bug.ts";

/** Both outcomes of a burn with votes in round 0, and no round change (protocol 8). */
export const oneOutcomeReason: Bug = {
  name: "one-outcome-reason",
  wrong: "a vote for the other outcome of a burn is no reason for a round change: neither outcome is decided",
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
