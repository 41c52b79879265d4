/** Operations that are authorised and wait for the slot of their effect (protocol 4.1): since when they are due here, and what goes on with them. */
import type { OperationId, SignedOperation } from "../../base/operation.ts";
import { targetOf } from "../../ledger/target.ts";
import type { Turn } from "../agenda.ts";

/** An operation was authorised: it is due from now on, in the next slot of its token or of the account that it debits. */
export function becomeDue(turn: Turn, id: OperationId, signed: SignedOperation): void {
  const { state, agenda } = turn;
  const target = targetOf(signed);
  if (target.where === "own") return;
  if (!state.dueSince.has(id)) state.dueSince = state.dueSince.set(id, turn.at);
  if (target.where === "token") agenda.push({ do: "token", token: target.token });
  else
    agenda.push({ do: "judgeAgain", prefix: `account/${target.address}/` }, { do: "advance", address: target.address });
}

/**
 * Goes on with all that the state says is due, where nothing else will: after a restart, a state taken over, an epoch's end.
 * A token that waits for its issue is among it, and is in no list of tokens.
 */
export function openDue(turn: Turn): void {
  for (const { id, signed } of turn.state.ledger.authorised.values()) becomeDue(turn, id, signed);
}
