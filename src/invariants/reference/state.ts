/** State of the reference model, which changes in place, with the net changes of the last decision (protocol 4.1). */
import { entryOf } from "../../core/base/entry.ts";
import type { EpochParameters } from "../../core/base/epoch.ts";
import { fillerAmount, openingSums } from "../../core/base/fillers.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation, SignerSet } from "../../core/base/operation.ts";
import { paddedNumber } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { multisigAddress } from "./addresses.ts";
import { debitedAccount, isForcedDebit, tokenOf } from "./operation-meaning.ts";
import { genesisPolicy, type JudgedGenesis, type Policy } from "./policy.ts";

export interface Counters {
  readonly nonce: number;
  readonly sequence: number;
  /** True if the last decided slot is a forced burn: then it is the owner's turn (protocol 5). */
  readonly afterBurn: boolean;
  /** Burns to other chains; absent for none. */
  readonly bridgeNonce?: number;
  /** Signer set of a multisig account that is created; absent for others. */
  readonly multisig?: SignerSet;
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

export interface LedgerState extends Queues {
  epoch: EpochState;
  readonly accounts: Map<Address, Counters>;
  /** Balances by token, then by address. A filler account without an entry has its genesis balance. */
  readonly balances: Map<Address, Map<Address, bigint>>;
  readonly genesis: JudgedGenesis;
  readonly tokens: Map<Address, TokenState>;
  readonly pools: Map<Address, bigint>;
  readonly burned: Map<Address, bigint>;
  due: Queues["due"];
  queues: Queues["queues"];
  /** Changes since `beginDecision`, each once. */
  moves: Move[];
}

/** Operations that wait for their slot: tries, so that a vote for a list can be tried out. */
export interface Queues {
  /** Authorised, not yet executed (protocol 4.1). The only source of what is due. */
  readonly due: Trie<SignedOperation>;
  /** Ids of `due` by `kind/owner/signer/nonce`: within a signer's prefix, the first is next (protocol 3). */
  readonly queues: Trie<OperationId>;
}

interface AmountMove {
  readonly before: bigint;
  after: bigint;
}

/** State difference, in the terms of a node's observed changes. */
export type Move =
  | ({ readonly of: "balance"; readonly address: Address; readonly token: Address } & AmountMove)
  | {
      readonly of: "account";
      readonly address: Address;
      nonce: number;
      sequence: number;
      bridgeNonce: number;
      multisig: SignerSet | undefined;
    }
  | { readonly of: "token"; readonly token: Address; state: TokenState }
  | ({ readonly of: "pool" | "burned"; readonly token: Address } & AmountMove)
  | { readonly of: "authorised"; readonly id: OperationId; readonly before: boolean; present: boolean };

type MoveOf<K extends Move["of"]> = Extract<Move, { readonly of: K }>;

const NEW_ACCOUNT: Counters = { nonce: 0, sequence: 0, afterBurn: false };
const NEW_TOKEN: TokenState = { version: 0, policy: undefined };

/** Returns the state at genesis. */
export function genesisLedger(genesis: JudgedGenesis): LedgerState {
  const balances: LedgerState["balances"] = new Map();
  for (const { token, address, amount } of genesis.balances) {
    const held = holdersOf(balances, token);
    held.set(address, (held.get(address) ?? 0n) + amount);
  }
  const sums = openingSums(genesis);
  const tokens = genesis.tokens.map((token): [Address, TokenState] => [
    token.token,
    { version: 0, policy: genesisPolicy(token, sums.get(token.token) ?? 0n) },
  ]);
  return {
    epoch: { number: 0, opened: 0, parameters: genesis },
    accounts: new Map((genesis.multisigs ?? []).map((set) => [multisigAddress(set), withSignerSet(NEW_ACCOUNT, set)])),
    balances,
    genesis,
    tokens: new Map(tokens),
    pools: new Map(),
    burned: new Map(),
    due: Trie.empty(),
    queues: Trie.empty(),
    moves: [],
  };
}

function holdersOf(balances: LedgerState["balances"], token: Address): Map<Address, bigint> {
  return entryOf(balances, token, () => new Map());
}

/** Forgets the changes so far. */
export function beginDecision(state: LedgerState): void {
  state.moves = [];
}

/** Returns an account's counters; 0 for an unused account. */
export function countersOf(state: LedgerState, address: Address): Counters {
  return state.accounts.get(address) ?? NEW_ACCOUNT;
}

/** Returns a token's state; without a policy if it is not issued. */
export function tokenStateOf(state: LedgerState, token: Address): TokenState {
  return state.tokens.get(token) ?? NEW_TOKEN;
}

/** Returns the balance of an address in a token; below zero what it owes of the fees of skips (protocol 4.4). */
export function balanceOf(state: LedgerState, token: Address, address: Address): bigint {
  return state.balances.get(token)?.get(address) ?? fillerAmount(state.genesis, token, address);
}

/** Returns the part of a balance that is below zero, as an amount. */
export function owedPart(balance: bigint): bigint {
  return balance < 0n ? -balance : 0n;
}

/** Takes a fee: the pool gets what the balance has, and the rest with later credits (protocol 4.4). */
export function charge(state: LedgerState, token: Address, address: Address, fee: bigint): void {
  const before = balanceOf(state, token, address);
  addToTotal(state, "pool", token, fee - owedPart(before - fee) + owedPart(before));
  moveBalance(state, token, address, -fee);
}

/** Adds to a balance, what is owed first; the sum may be negative. */
export function credit(state: LedgerState, token: Address, address: Address, amount: bigint): void {
  const before = balanceOf(state, token, address);
  if (amount > 0n) addToTotal(state, "pool", token, owedPart(before) - owedPart(before + amount));
  moveBalance(state, token, address, amount);
}

function moveBalance(state: LedgerState, token: Address, address: Address, amount: bigint): void {
  if (amount === 0n) return;
  const holders = holdersOf(state.balances, token);
  const before = balanceOf(state, token, address);
  const after = before + amount;
  holders.set(address, after);
  for (const move of state.moves) {
    if (move.of !== "balance" || move.address !== address || move.token !== token) continue;
    move.after = after;
    return;
  }
  state.moves.push({ of: "balance", address, token, before, after });
}

/** Adds to a token's fee pool or to its count of burned amounts. */
export function addToTotal(state: LedgerState, of: "pool" | "burned", token: Address, amount: bigint): void {
  if (amount === 0n) return;
  const amounts = of === "pool" ? state.pools : state.burned;
  const before = amounts.get(token) ?? 0n;
  const after = before + amount;
  amounts.set(token, after);
  const earlierMove = state.moves.find(
    (move): move is MoveOf<"pool" | "burned"> => move.of === of && move.token === token,
  );
  if (earlierMove === undefined) state.moves.push({ of, token, before, after });
  else earlierMove.after = after;
}

/** Sets an account's counters: a decision moves those of one account. */
export function setCounters(state: LedgerState, address: Address, counters: Counters): void {
  state.accounts.set(address, counters);
  const { nonce, sequence, bridgeNonce = 0, multisig } = counters;
  const earlierMove = state.moves.find(
    (move): move is MoveOf<"account"> => move.of === "account" && move.address === address,
  );
  if (earlierMove === undefined) state.moves.push({ of: "account", address, nonce, sequence, bridgeNonce, multisig });
  else Object.assign(earlierMove, { nonce, sequence, bridgeNonce, multisig });
}

/** Returns the counters of an account whose signer set is known from now on. */
export function withSignerSet(counters: Counters, { signers, threshold }: SignerSet): Counters {
  return { ...counters, multisig: { signers, threshold } };
}

/** Sets the version and policy of a token. */
export function setToken(state: LedgerState, token: Address, after: TokenState): void {
  state.tokens.set(token, after);
  const earlierMove = state.moves.find((move): move is MoveOf<"token"> => move.of === "token" && move.token === token);
  if (earlierMove === undefined) state.moves.push({ of: "token", token, state: after });
  else earlierMove.state = after;
}

/** Prefix of a signer's queued operations for one token, or of its burns on one account. */
function queuePrefix(signed: SignedOperation): string {
  const { operation, sender } = signed;
  if (isForcedDebit(signed)) return `burn/${debitedAccount(operation, sender)}/${sender}/`;
  return `token/${tokenOf(operation) ?? ""}/${sender}/`;
}

/** Makes an operation wait for its slot. */
export function authorise(state: LedgerState, id: OperationId, signed: SignedOperation): void {
  const key = queuePrefix(signed) + paddedNumber(signed.operation.nonce);
  noteDue(state, id, true);
  state.due = state.due.set(id, signed);
  state.queues = state.queues.set(key, id);
}

/** Removes an operation that is executed, and so no longer due. */
export function execute(state: LedgerState, id: OperationId, signed: SignedOperation): void {
  noteDue(state, id, false);
  const { due, queues } = queuesWithout(state, id, signed);
  state.due = due;
  state.queues = queues;
}

/** Returns the queues without an operation. */
export function queuesWithout({ due, queues }: Queues, id: OperationId, signed: SignedOperation): Queues {
  const key = queuePrefix(signed) + paddedNumber(signed.operation.nonce);
  return { due: due.delete(id), queues: queues.delete(key) };
}

function noteDue({ due, moves }: LedgerState, id: OperationId, present: boolean): void {
  const earlierMove = moves.find((move): move is MoveOf<"authorised"> => move.of === "authorised" && move.id === id);
  if (earlierMove === undefined) moves.push({ of: "authorised", id, before: due.has(id), present });
  else earlierMove.present = present;
}

/** Returns true if a forced burn of this account is due. */
export function isBurnDue(state: Queues, address: Address): boolean {
  return state.queues.size > 0 && state.queues.entriesWithPrefix(`burn/${address}/`).length > 0;
}

/** Returns the first due operation of the same signer in the same queue. */
export function firstInQueue(state: Queues, signed: SignedOperation): OperationId | undefined {
  return state.queues.entriesWithPrefix(queuePrefix(signed))[0]?.[1];
}

/** Returns true if a change has an effect. */
export function hasEffect(move: Move): boolean {
  switch (move.of) {
    case "account":
    case "token":
      return true;
    case "authorised":
      return move.before !== move.present;
    default:
      return move.before !== move.after;
  }
}
