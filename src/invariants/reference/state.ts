/** State of the reference model: tries, so that a copy costs nothing (protocol 4.1). */
import type { Amount } from "../../core/base/amount.ts";
import type { EpochParameters, Genesis } from "../../core/base/epoch.ts";
import type { Address, Nonce, Sequence } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import { paddedNumber } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { debitedBy, nonceOf, type TokenAddressOf, tokenOf } from "./operation-meaning.ts";
import { genesisPolicy, type Policy } from "./policy.ts";

export interface Counters {
  readonly nonce: number;
  readonly sequence: number;
  /** True if the last decided slot is a forced burn: then it is the owner's turn (protocol 5). */
  readonly afterBurn: boolean;
}

/** Number of decided slots of a token, and its policy once issued. */
export interface TokenState {
  readonly version: number;
  readonly policy: Policy | undefined;
}

/** Epoch of a state. */
export interface EpochState {
  readonly number: number;
  /** Number of the checkpoint that opened it; 0 for the genesis. */
  readonly opened: number;
  readonly parameters: EpochParameters;
}

export interface LedgerState {
  readonly epoch: EpochState;
  readonly accounts: Trie<Counters>;
  /** By `token/address`. */
  readonly balances: Trie<bigint>;
  readonly tokens: Trie<TokenState>;
  readonly pools: Trie<bigint>;
  readonly burned: Trie<bigint>;
  /** Authorised, not yet executed (protocol 4.1). The only source of what is due. */
  readonly due: Trie<SignedOperation>;
  /** Ids of `due` by `kind/owner/signer/nonce`: within a signer's prefix, the first is next (protocol 3). */
  readonly queues: Trie<OperationId>;
}

/** Constants of a run. */
export interface Constants {
  readonly genesis: Genesis;
  readonly addressOf: TokenAddressOf;
}

const NEW_ACCOUNT: Counters = { nonce: 0, sequence: 0, afterBurn: false };
const NEW_TOKEN: TokenState = { version: 0, policy: undefined };

/** Returns the state at genesis. */
export function atGenesis(genesis: Genesis): LedgerState {
  let balances = Trie.empty<bigint>();
  const given = new Map<Address, bigint>();
  for (const { token, address, amount } of genesis.balances) {
    const key = balanceKey(token, address);
    balances = balances.set(key, (balances.get(key) ?? 0n) + amount);
    given.set(token, (given.get(token) ?? 0n) + amount);
  }
  const tokens = Trie.of<TokenState>(
    genesis.tokens.map((one) => [one.token, { version: 0, policy: genesisPolicy(one, given.get(one.token) ?? 0n) }]),
  );
  return {
    epoch: { number: 0, opened: 0, parameters: genesis },
    accounts: Trie.empty(),
    balances,
    tokens,
    pools: Trie.empty(),
    burned: Trie.empty(),
    due: Trie.empty(),
    queues: Trie.empty(),
  };
}

/** Returns a copy with some parts changed. Field by field, which costs a tenth of a record spread. */
export function withChanges(state: LedgerState, parts: Partial<LedgerState>): LedgerState {
  const { epoch, accounts, balances, tokens, pools, burned, due, queues } = state;
  return Object.assign({ epoch, accounts, balances, tokens, pools, burned, due, queues }, parts);
}

/** Returns an account's counters; 0 for an unused account. */
export function countersOf(state: LedgerState, address: Address): Counters {
  return state.accounts.get(address) ?? NEW_ACCOUNT;
}

/** Returns a token's state; without a policy if it is not issued. */
export function tokenStateOf(state: LedgerState, token: Address): TokenState {
  return state.tokens.get(token) ?? NEW_TOKEN;
}

/** Returns the balance of an address in a token. */
export function balanceOf(state: LedgerState, token: Address, address: Address): bigint {
  return state.balances.get(balanceKey(token, address)) ?? 0n;
}

function balanceKey(token: Address, address: Address): string {
  return `${token}/${address}`;
}

/** Returns the state with `amount` added to a balance; may be negative. */
export function credited(state: LedgerState, token: Address, address: Address, amount: bigint): LedgerState {
  if (amount === 0n) return state;
  const key = balanceKey(token, address);
  return withChanges(state, { balances: state.balances.set(key, (state.balances.get(key) ?? 0n) + amount) });
}

/** Prefix of a signer's queued operations for one token, or of its burns on one account. */
function queuePrefix(signed: SignedOperation, constants: Constants): string {
  const { operation, sender } = signed;
  if (operation.kind === "burn") return `burn/${debitedBy(operation, sender)}/${sender}/`;
  return `token/${tokenOf(operation, constants.addressOf) ?? ""}/${sender}/`;
}

/** Returns the state with an operation authorised. */
export function authorised(
  state: LedgerState,
  id: OperationId,
  signed: SignedOperation,
  constants: Constants,
): LedgerState {
  const key = queuePrefix(signed, constants) + paddedNumber(nonceOf(signed));
  return { ...state, due: state.due.set(id, signed), queues: state.queues.set(key, id) };
}

/** Returns the state with an operation executed, and so no longer due. */
export function executed(
  state: LedgerState,
  id: OperationId,
  signed: SignedOperation,
  constants: Constants,
): LedgerState {
  const key = queuePrefix(signed, constants) + paddedNumber(nonceOf(signed));
  return { ...state, due: state.due.delete(id), queues: state.queues.delete(key) };
}

/** Returns true if a forced burn of this account is due. */
export function isBurnDue(state: LedgerState, address: Address): boolean {
  for (const _ of state.queues.within(`burn/${address}/`)) return true;
  return false;
}

/** Returns the first due operation of the same signer in the same queue. */
export function firstInQueue(
  state: LedgerState,
  signed: SignedOperation,
  constants: Constants,
): OperationId | undefined {
  for (const [, id] of state.queues.within(queuePrefix(signed, constants))) return id;
  return undefined;
}

/** State difference, in the terms of a node's observed changes. */
export type Expected =
  | {
      readonly of: "balance";
      readonly address: Address;
      readonly token: Address;
      readonly before: Amount;
      readonly after: Amount;
    }
  | { readonly of: "account"; readonly address: Address; readonly nonce: Nonce; readonly sequence: Sequence }
  | { readonly of: "token"; readonly token: Address; readonly state: TokenState }
  | { readonly of: "pool" | "burned"; readonly token: Address; readonly before: Amount; readonly after: Amount }
  | { readonly of: "authorised"; readonly id: OperationId; readonly present: boolean };

/** Returns all differences between two states, each once, net for balances. Costs the size of the difference. */
export function changesBetween(before: LedgerState, after: LedgerState): readonly Expected[] {
  const changes: Expected[] = [];
  for (const { key, before: old, after: now } of before.balances.differences(after.balances)) {
    const [token, address] = key.split("/") as [Address, Address];
    changes.push({ of: "balance", token, address, before: amountOf(old), after: amountOf(now) });
  }
  for (const { key, after: now } of before.accounts.differences(after.accounts)) {
    const { nonce, sequence } = now ?? NEW_ACCOUNT;
    changes.push({ of: "account", address: key as Address, nonce: nonce as Nonce, sequence: sequence as Sequence });
  }
  for (const { key, after: now } of before.tokens.differences(after.tokens)) {
    changes.push({ of: "token", token: key as Address, state: now ?? NEW_TOKEN });
  }
  for (const of of ["pool", "burned"] as const) {
    const name = of === "pool" ? "pools" : "burned";
    for (const { key, before: old, after: now } of before[name].differences(after[name])) {
      changes.push({ of, token: key as Address, before: amountOf(old), after: amountOf(now) });
    }
  }
  for (const { key, after: now } of before.due.differences(after.due)) {
    changes.push({ of: "authorised", id: key as OperationId, present: now !== undefined });
  }
  return changes;
}

function amountOf(entry: bigint | undefined): Amount {
  return (entry ?? 0n) as Amount;
}
