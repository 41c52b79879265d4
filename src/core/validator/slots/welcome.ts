/** Messages that open the record of a slot although too many undecided slots are open: they show that the slot is at work. */

import type { Carried } from "../message.ts";
import type { ValidatorState } from "../state.ts";
import { isAuthentic } from "./content-check.ts";
import { operationsIn } from "./reason-check.ts";

/**
 * Whether a message may open a record beyond the bound. Few can: a lock certificate and a proposal of a later round open
 * one only with the signatures of a quorum, which holds f + 1 honest ones. A reason counts for the next slot of an account
 * or token alone, and only where its owner signed it and somebody pays for the round (protocol 3.2); so there is one slot
 * for each account that holds a payment's fee, or that f + 1 votes show. Checks two signatures at most.
 */
export function provesItself(state: ValidatorState, { body, reason }: Carried): boolean {
  if (body.type === "lock") return true;
  if (body.type === "proposal") return body.round > 0;
  if (body.type !== "roundChange" || reason === undefined || reason.kind === "closing") return false;
  const { environment } = state;
  return (
    environment.rules.validator.reasonCounts(state, body.slot, reason) &&
    operationsIn(reason).every((signed) => isAuthentic(environment, signed))
  );
}
