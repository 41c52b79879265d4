/** Which of the forced burns that wait for one account comes next (protocol 5). */
import type { AccountSlot } from "../../base/slot.ts";
import { type Authorised, dueFor } from "../../ledger/state.ts";
import type { View } from "./grounds.ts";

/**
 * The forced burn that comes next in an account's slot; `undefined` where none is due. Authorities take turns in the order
 * of their addresses, each with its oldest burn, so that one authority's burns never starve another's (protocol 5).
 */
export function nextBurn({ ledger, turns }: Pick<View, "ledger" | "turns">, slot: AccountSlot): Authorised | undefined {
  const due = dueFor(ledger, slot);
  const last = turns.get(slot.address)?.authority;
  // Sorted by signer: the first entry past the last signer is the oldest of the next one.
  return (last === undefined ? undefined : due.find(({ signed }) => signed.sender > last)) ?? due[0];
}
