import type { Reason } from "../core/validator/message.ts";
import type { DecisionView } from "../core/validator/slots/decision-inputs.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Both outcomes of a burn with votes in round 0, and no round change (protocol 8). */
export const oneOutcomeReason: KnownBadVariant = {
  name: "one-outcome-reason",
  mistake: "a vote for the other outcome of a burn is no reason for a round change: neither outcome is decided",
  source: "protocol 8; 3.2, c; 5",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      isReasonValid: (state, slot, reason) =>
        !isOtherOutcome(state, reason) && real.validator.isReasonValid(state, slot, reason),
    },
  }),
};

function isOtherOutcome({ environment }: DecisionView, reason: Reason): boolean {
  if (reason.kind !== "burn" || reason.content.value.type !== "burn") return false;
  const { value } = reason.content;
  const outcome = value.outcome === "burned" ? "failed" : "burned";
  return reason.vote.value === environment.hashes.value({ ...value, outcome });
}
