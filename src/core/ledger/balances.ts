/**
 * Movements of amounts; no other functions change them. No sum can overflow: per token, balances + pool + burned =
 * minted (protocol 7.3), minted is at most 2^256 - 1, and `minted` rises before what was minted is credited. Entries of
 * zero are left out.
 */
import { type Amount, add, subtract } from "../base/amount.ts";
import { required } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import { ACCEPT, type CheckResult, wait } from "../base/refusal.ts";
import type { Trie } from "../base/trie.ts";
import { type Applied, waiting } from "./applied.ts";
import { balanceKey, balanceOf, burnedOf, type LedgerState, poolOf, withChanges } from "./state.ts";

/** Adds to a balance. @throws AssertionError past 2^256 - 1, which the invariant above rules out. */
export function credit(state: LedgerState, address: Address, token: Address, amount: Amount): LedgerState {
  const sum = required(add(balanceOf(state, address, token), amount), `room in the balance of ${address} in ${token}`);
  return withChanges(state, { balances: put(state.balances, balanceKey(address, token), sum) });
}

/** Takes from a balance; returns `undefined` if it is too low: no amount falls below zero (protocol 4.3). */
export function debit(state: LedgerState, address: Address, token: Address, amount: Amount): LedgerState | undefined {
  const rest = subtract(balanceOf(state, address, token), amount);
  return rest === undefined
    ? undefined
    : withChanges(state, { balances: put(state.balances, balanceKey(address, token), rest) });
}

/** Returns `waiting` for a debit that this state cannot make yet. */
export function waitingForFunds(state: LedgerState, address: Address, token: Address, need: Amount): Applied {
  return waiting({ code: "business_insufficient_funds", token, balance: balanceOf(state, address, token), need });
}

/** Accepts an operation that needs an amount of a token if the balance covers it; waits otherwise. */
export function funded(balance: Amount, need: Amount, token: Address): CheckResult {
  return balance >= need ? ACCEPT : wait({ code: "business_insufficient_funds", token, balance, need });
}

/** Adds a fee to the token's pool. @throws AssertionError past 2^256 - 1. */
export function depositPool(state: LedgerState, token: Address, fee: Amount): LedgerState {
  const sum = required(add(poolOf(state, token), fee), `room in the pool of ${token}`);
  return withChanges(state, { pools: put(state.pools, token, sum) });
}

/** Takes a share out of the token's pool. @throws AssertionError for more than it holds. */
export function withdrawPool(state: LedgerState, token: Address, amount: Amount): LedgerState {
  const rest = required(subtract(poolOf(state, token), amount), `${amount} in the pool of ${token}`);
  return withChanges(state, { pools: put(state.pools, token, rest) });
}

/** Adds to the burned amount. @throws AssertionError past 2^256 - 1. */
export function countBurned(state: LedgerState, token: Address, amount: Amount): LedgerState {
  const sum = required(add(burnedOf(state, token), amount), `room in what was burned of ${token}`);
  return withChanges(state, { burned: put(state.burned, token, sum) });
}

function put(amounts: Trie<Amount>, key: string, amount: Amount): Trie<Amount> {
  return amount === 0n ? amounts.delete(key) : amounts.set(key, amount);
}
