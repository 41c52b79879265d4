/** Operations that are authorised and wait for the slot of their effect (design 4.1): since when they are due here, and which comes next. */
import type { OperationId, SignedOperation } from "../base/operation.ts";
import type { AccountSlot } from "../base/slot.ts";
import { type Authorised, dueFor } from "../ledger/state.ts";
import { targetOf } from "../ledger/target.ts";
import type { Turn } from "./agenda.ts";
import type { View } from "./grounds.ts";

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

/**
 * The forced burn that comes next in an account's slot; `undefined` where none is due. Authorities take turns in the order
 * of their addresses, each with its oldest burn, so that one authority's burns never starve another's (design 5).
 */
export function nextBurn({ ledger, turns }: Pick<View, "ledger" | "turns">, slot: AccountSlot): Authorised | undefined {
  const due = dueFor(ledger, slot);
  const last = turns.get(slot.address)?.authority;
  // Sorted by signer: the first entry past the last signer is the oldest of the next one.
  return (last === undefined ? undefined : due.find(({ signed }) => signed.sender > last)) ?? due[0];
}
