/** Order of the forced burns that wait for one account (protocol 5). */
import type { AccountSlot } from "../../base/slot.ts";
import { type Authorised, dueFor } from "../../ledger/state.ts";
import type { DecisionView } from "./decision-inputs.ts";

/**
 * Returns the next forced burn of an account's slot; `undefined` if none is due. Authorities alternate in the order of
 * their addresses, each with its oldest burn, so that one authority's burns never starve another's (protocol 5).
 */
export function nextBurn(
  { ledger, ownersTurns: turns }: Pick<DecisionView, "ledger" | "ownersTurns">,
  slot: AccountSlot,
): Authorised | undefined {
  const due = dueFor(ledger, slot);
  const last = turns.get(slot.address)?.authority;
  // Sorted by signer: the first entry past the last signer is the oldest of the next one.
  return (last === undefined ? undefined : due.find(({ signed }) => signed.sender > last)) ?? due[0];
}
