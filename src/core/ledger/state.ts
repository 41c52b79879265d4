/** Ledger of a validator after the slots that it has applied. Immutable: an older state stays valid. */
import { type Amount, ZERO } from "../base/amount.ts";
import { assert } from "../base/assert.ts";
import { entryOf } from "../base/entry.ts";
import type { EpochParameters } from "../base/epoch.ts";
import type { Address, CheckpointNumber, Epoch, Nonce, Sequence, Version } from "../base/ids.ts";
import type { Mutable } from "../base/mutable.ts";
import type { OperationId, SignedOperation, SignerSet } from "../base/operation.ts";
import type { Policies } from "../base/policies.ts";
import { type LedgerSlot, type SlotKey, slotNumber } from "../base/slot.ts";
import type { Trie } from "../base/trie.ts";
import type { Token } from "./token.ts";

/** Account. One that no slot has touched has zeros and no entry. */
export interface Account {
  /** Nonce that its next operation must carry. */
  readonly nonce: Nonce;
  /** Its decided slots: the nonces used plus the forced burns suffered. */
  readonly sequence: Sequence;
  /** Number of its burns to other chains; absent before the first. */
  readonly bridgeNonce?: number;
  /** Signers of a multisig account that was created; their keys ascend. */
  readonly multisig?: SignerSet;
}

/** Final in its signer's slot, not yet executed in the slot of its effect (protocol 4.1). */
export interface AuthorisedOperation {
  readonly id: OperationId;
  readonly signed: SignedOperation;
  /** Slot that authorised it. */
  readonly authorisedBy: SlotKey;
  /** That slot's sequence, in its signer's account: the signer's order. */
  readonly sequence: Sequence;
}

/** Amounts of zero have no entry, so that equal states have equal roots for any past. */
export interface LedgerState {
  readonly chainId: number;
  /** Account that may issue tokens, and that signs governance proposals. */
  readonly operator: Address;
  /** L of protocol 3: largest number of operations in a token slot. */
  readonly listLimit: number;
  readonly policies: Policies;
  /** The current epoch. */
  readonly epoch: Epoch;
  /** Checkpoint after which it began. */
  readonly opened: CheckpointNumber;
  /** Parameters of the current epoch. */
  readonly parameters: EpochParameters;
  readonly accounts: Trie<Account>;
  /** Balances by `balanceKey`; a negative one is the fee that an account owes (protocol 4.4). */
  readonly balances: Trie<bigint>;
  readonly tokens: Trie<Token>;
  /** Listed addresses by `listedKey`: on the blacklist of a public token or the whitelist of a private one. */
  readonly listed: Trie<true>;
  /** Transactions of source chains that were minted, by `sourceKey`. */
  readonly bridged: Trie<true>;
  /** Collected fees, by token. */
  readonly pools: Trie<Amount>;
  /** Total ever burned, by token. */
  readonly burned: Trie<Amount>;
  /** Authorised operations by `authorisedKey`: those of one token or account are adjacent, in each signer's order. */
  readonly authorised: Trie<AuthorisedOperation>;
  /** Operation id to its key in `authorised`. */
  readonly authorisedKeys: Trie<string>;
}

/** Ledger state under construction: a copy that nobody else has seen yet. */
export type StateDraft = Mutable<LedgerState>;

/** Returns a copy to change, made field by field: that costs a tenth of spreading a record. */
export function draftOf(state: LedgerState): StateDraft {
  const { chainId, operator, listLimit, policies, epoch, opened, parameters } = state;
  const { accounts, balances, tokens, listed, bridged, pools, burned, authorised, authorisedKeys } = state;
  return {
    chainId,
    operator,
    listLimit,
    policies,
    epoch,
    opened,
    parameters,
    accounts,
    balances,
    tokens,
    listed,
    bridged,
    pools,
    burned,
    authorised,
    authorisedKeys,
  };
}

const UNTOUCHED: Account = { nonce: 0 as Nonce, sequence: 0 as Sequence };

/** Returns the account, with zeros if no slot has touched it. */
export function accountOf(state: LedgerState, address: Address): Account {
  return state.accounts.get(address) ?? UNTOUCHED;
}

/** Returns a lookup of next nonces, which finds each account once: for scans of many operations of few accounts. */
export function nonceLookup(state: LedgerState): (address: Address) => Nonce {
  const nonces = new Map<Address, Nonce>();
  return (address) => entryOf(nonces, address, () => accountOf(state, address).nonce);
}

/** Returns a balance in the token's smallest unit; 0 for a pair that was never used, and for one that owes a fee. */
export function balanceOf(state: LedgerState, address: Address, token: Address): Amount {
  const net = netBalanceOf(state, address, token);
  return net < 0n ? ZERO : (net as Amount);
}

/** Returns the fees that an account owes in a token, in its smallest unit: its next credits pay them (protocol 4.4). */
export function owedFees(state: LedgerState, address: Address, token: Address): Amount {
  const net = netBalanceOf(state, address, token);
  return net < 0n ? (-net as Amount) : ZERO;
}

/** Returns a balance less what is owed: one of the two is 0. */
export function netBalanceOf({ balances }: LedgerState, address: Address, token: Address): bigint {
  return balances.get(balanceKey(address, token)) ?? 0n;
}

/** Returns the token, `undefined` before its issue takes effect. */
export function tokenOf(state: LedgerState, token: Address): Token | undefined {
  return state.tokens.get(token);
}

/** Returns the number of the token's decided slots; 0 before its issue takes effect. */
export function versionOf(state: LedgerState, token: Address): Version {
  return state.tokens.get(token)?.version ?? (0 as Version);
}

/** Returns the fees collected in a token. */
export function poolOf(state: LedgerState, token: Address): Amount {
  return state.pools.get(token) ?? ZERO;
}

/** Returns the total ever burned of a token. */
export function burnedOf(state: LedgerState, token: Address): Amount {
  return state.burned.get(token) ?? ZERO;
}

/** Returns minted less burned: the circulating supply. */
export function supplyOf(state: LedgerState, token: Address): Amount {
  const minted = state.tokens.get(token)?.minted ?? ZERO;
  const burned = burnedOf(state, token);
  assert(burned <= minted, `token ${token}: burned ${burned} of ${minted} minted`);
  return (minted - burned) as Amount;
}

/** Returns the key of a balance: an account's balances are adjacent. */
export function balanceKey(address: Address, token: Address): string {
  return `${address}/${token}`;
}

/** Returns the tokens of which an account has a balance, in the order of their addresses. Cost: O(tokens held). */
export function heldTokens(state: LedgerState, address: Address): readonly Address[] {
  const entries = state.balances.entriesWithPrefix(`${address}/`);
  return entries.flatMap(([key, balance]) => (balance > 0n ? [key.slice(address.length + 1) as Address] : []));
}

/** Returns the number of the next slot in the sequence of `slot`, which is the number of applied ones. */
export function nextOf(state: LedgerState, slot: LedgerSlot): number {
  return slot.kind === "account" ? accountOf(state, slot.address).sequence : versionOf(state, slot.token);
}

/** Returns true if a slot is the next one of its account or token. */
export function isNext(state: LedgerState, slot: LedgerSlot): boolean {
  return slotNumber(slot) === nextOf(state, slot);
}

/** Returns a state in which `token` has this policy. */
export function withToken(state: LedgerState, token: Address, policy: Token): LedgerState {
  const draft = draftOf(state);
  draft.tokens = state.tokens.set(token, policy);
  return draft;
}
