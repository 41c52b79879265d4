/**
 * Consistency of a state that no replay led to. A transferred state is proved by its root only, and a quorum with more
 * than f Byzantine members can certify any root.
 */
import type { Address } from "../base/ids.ts";
import { type AccountSlot, slotKey } from "../base/slot.ts";
import { effectSlotOf } from "./effect-slot.ts";
import { authorisedKey, type LedgerState, supplyOf } from "./state.ts";

/**
 * Returns why later operations on this state could fail within the ledger itself; `undefined` for a consistent one.
 * Balances and pool of each token must equal minted less burned, so that no sum can exceed 2^256 - 1, and each
 * authorised operation must have its own key. Cost: O(entries).
 */
export function stateFault(state: LedgerState): string | undefined {
  return supplyFault(state) ?? authorisedFault(state);
}

function supplyFault(state: LedgerState): string | undefined {
  const sums = new Map<string, bigint>();
  const count = (token: string, amount: bigint): void => void sums.set(token, (sums.get(token) ?? 0n) + amount);
  for (const [key, amount] of state.balances.entries()) count(key.slice(key.indexOf("/") + 1), amount);
  for (const [token, amount] of state.pools.entries()) count(token, amount);
  for (const [token, { minted }] of state.tokens.entries()) {
    const burned = state.burned.get(token) ?? 0n;
    if (burned > minted) return `token ${token}: burned ${burned}, expected at most ${minted}`;
    const [held, supply] = [sums.get(token) ?? 0n, supplyOf(state, token as Address)];
    if (held !== supply) return `token ${token}: balances and pool hold ${held}, expected ${supply}`;
    sums.delete(token);
  }
  const [stranger] = sums.keys();
  return stranger === undefined ? undefined : `balances of token ${stranger}, which does not exist`;
}

function authorisedFault({ authorised }: LedgerState): string | undefined {
  for (const [key, entry] of authorised.entries()) {
    const { signed, sequence, authorisedBy, id } = entry;
    const slot: AccountSlot = { kind: "account", address: signed.sender, sequence };
    const isPlaced =
      effectSlotOf(signed).where !== "own" && authorisedKey(entry) === key && authorisedBy === slotKey(slot);
    if (!isPlaced) return `operation ${id} is authorised at ${key}`;
  }
  return undefined;
}
