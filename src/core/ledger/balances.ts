/**
 * Movements of amounts; no other functions change them. No sum can overflow: per token, balances + pool + burned =
 * minted (protocol 7.3), minted is at most 2^256 - 1, and `minted` rises before what was minted is credited. Entries of
 * zero are left out; one below zero is a fee that its account owes, and what is credited to it goes to the pool first
 * (protocol 4.4).
 */
import { AMOUNT_MAX, type Amount, add, subtract } from "../base/amount.ts";
import { assert, requireDefined } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import { ACCEPT, type CheckResult, wait } from "../base/refusal.ts";
import type { Trie } from "../base/trie.ts";
import { type ApplyResult, waitingResult } from "./apply-result.ts";
import { balanceKey, balanceOf, burnedOf, draftOf, type LedgerState, netBalanceOf, poolOf } from "./state.ts";

/** Adds to a balance. @throws AssertionError past 2^256 - 1, which the invariant above rules out. */
export function credit(state: LedgerState, address: Address, token: Address, amount: Amount): LedgerState {
  const key = balanceKey(address, token);
  const before = state.balances.get(key) ?? 0n;
  const sum = before + amount;
  assert(sum <= AMOUNT_MAX, "room in a balance");
  const credited = withBalance(state, key, sum);
  if (before >= 0n) return credited;
  const owed = -before as Amount;
  return depositPool(credited, token, amount < owed ? amount : owed);
}

/**
 * Takes a fee and puts it into the token's pool: as much as the balance has, and the rest once it is credited. So the
 * state is the same whatever comes first, the fee or a credit (protocol 4.4). What is owed has no bound, since fees are
 * any amounts.
 */
export function chargeFee(state: LedgerState, address: Address, token: Address, fee: Amount): LedgerState {
  const net = netBalanceOf(state, address, token);
  const charged = withBalance(state, balanceKey(address, token), net - fee);
  if (net <= 0n) return charged;
  return depositPool(charged, token, net < fee ? (net as Amount) : fee);
}

/** Takes from a balance; returns `undefined` if it is too low: no amount falls below zero (protocol 4.3). */
export function debit(state: LedgerState, address: Address, token: Address, amount: Amount): LedgerState | undefined {
  const key = balanceKey(address, token);
  const rest = (state.balances.get(key) ?? 0n) - amount;
  return amount > 0n && rest < 0n ? undefined : withBalance(state, key, rest);
}

function withBalance(state: LedgerState, key: string, amount: bigint): LedgerState {
  const draft = draftOf(state);
  draft.balances = setAmount(state.balances, key, amount);
  return draft;
}

/** Returns `waiting` for a debit that this state cannot make yet. */
export function waitingForFunds(state: LedgerState, address: Address, token: Address, need: Amount): ApplyResult {
  return waitingResult({ code: "business_insufficient_funds", token, balance: balanceOf(state, address, token), need });
}

/** Accepts an operation that needs an amount of a token if the balance covers it; waits otherwise. */
export function checkFunds(balance: Amount, need: Amount, token: Address): CheckResult {
  return balance >= need ? ACCEPT : wait({ code: "business_insufficient_funds", token, balance, need });
}

/** Adds a fee to the token's pool. @throws AssertionError past 2^256 - 1. */
export function depositPool(state: LedgerState, token: Address, fee: Amount): LedgerState {
  return withPool(state, token, requireDefined(add(poolOf(state, token), fee), "room in a pool"));
}

/** Takes a share out of the token's pool. @throws AssertionError for more than it holds. */
export function withdrawPool(state: LedgerState, token: Address, amount: Amount): LedgerState {
  return withPool(
    state,
    token,
    requireDefined(subtract(poolOf(state, token), amount), `${amount} in the pool of ${token}`),
  );
}

function withPool(state: LedgerState, token: Address, amount: Amount): LedgerState {
  const draft = draftOf(state);
  draft.pools = setAmount(state.pools, token, amount);
  return draft;
}

/** Adds to the burned amount. @throws AssertionError past 2^256 - 1. */
export function countBurned(state: LedgerState, token: Address, amount: Amount): LedgerState {
  const sum = requireDefined(add(burnedOf(state, token), amount), `room in what was burned of ${token}`);
  const draft = draftOf(state);
  draft.burned = setAmount(state.burned, token, sum);
  return draft;
}

function setAmount<A extends bigint>(amounts: Trie<A>, key: string, amount: A): Trie<A> {
  return amount === 0n ? amounts.delete(key) : amounts.set(key, amount);
}
