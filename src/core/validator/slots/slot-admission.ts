/**
 * Admission of messages that open a slot's record beyond the bound of undecided slots: they prove that the slot is
 * active.
 */

import type { ConsensusEnvelope } from "../message.ts";
import type { ValidatorState } from "../state.ts";
import { isAuthentic } from "./content-check.ts";
import { operationsIn } from "./reason-check.ts";

/**
 * Returns true if a message may open a record beyond the bound. Few can: a lock certificate and a proposal of a later
 * round open one only with the signatures of a quorum, which holds f + 1 honest ones. A reason counts only for the next
 * slot of an account or token, and only if its owner signed it and the round is paid for (protocol 3.2); so there is
 * one slot for each account that holds a payment's fee, or that f + 1 votes show. Checks two signatures at most.
 */
export function opensSlot(state: ValidatorState, { body, reason }: ConsensusEnvelope): boolean {
  if (body.type === "lock") return true;
  if (body.type === "proposal") return body.round > 0;
  if (body.type !== "roundChange" || reason === undefined || reason.kind === "closing") return false;
  const { environment } = state;
  return (
    environment.rules.validator.isReasonValid(state, body.slot, reason) &&
    operationsIn(reason).every((signed) => isAuthentic(environment, signed))
  );
}
