/**
 * Authorised operations that wait for the slot of their effect (protocol 4.1): since when they are due here, and their
 * relaying.
 */
import type { OperationId, SignedOperation } from "../../base/operation.ts";
import { effectSlotOf } from "../../ledger/effect-slot.ts";
import type { StepContext } from "../step-context.ts";

/** Marks an authorised operation as due, in the next slot of its token or of the account that it debits. */
export function setDue(context: StepContext, id: OperationId, signed: SignedOperation): void {
  const { state, agenda } = context;
  const target = effectSlotOf(signed);
  if (target.where === "own") return;
  if (!state.dueSince.has(id)) state.dueSince = state.dueSince.set(id, context.at);
  if (target.where === "token") agenda.push({ do: "token", token: target.token });
  else
    agenda.push({ do: "judgeAgain", prefix: `account/${target.address}/` }, { do: "advance", address: target.address });
}

/**
 * Continues with all due operations of the state, after a restart, a state transfer or an epoch's end. A token that
 * waits for its issue is among them, and is in no list of tokens.
 */
export function openDueSlots(context: StepContext): void {
  for (const { id, signed } of context.state.ledger.authorised.values()) setDue(context, id, signed);
}
