/** A ledger without validators: each operation is checked, decided and takes effect at once. */

import type { Amount } from "../../../../src/core/base/amount.ts";
import type { Genesis, GenesisToken } from "../../../../src/core/base/epoch.ts";
import type { Address } from "../../../../src/core/base/ids.ts";
import type { OperationId, Role, SignedOperation } from "../../../../src/core/base/operation.ts";
import { policiesWith } from "../../../../src/core/base/policies.ts";
import type { Receipt, RefusalCode } from "../../../../src/core/base/refusal.ts";
import type { AccountSlot, LedgerSlot, LedgerValue, TokenSlot } from "../../../../src/core/base/slot.ts";
import { burnOutcome } from "../../../../src/core/ledger/check-due.ts";
import { genesisState } from "../../../../src/core/ledger/genesis-state.ts";
import { operationId } from "../../../../src/core/ledger/identity.ts";
import { effectSlotOf } from "../../../../src/core/ledger/operations/kinds.ts";
import { accountOf, type LedgerState, poolOf, supplyOf, versionOf } from "../../../../src/core/ledger/state.ts";
import type { Restriction } from "../../../../src/core/ledger/token.ts";
import { address, CHAIN, type Draft, signed } from "./operations.ts";
import { apply, check } from "./real-rules.ts";

export const OPERATOR = address(0xa0);
export const MASTER = address(0xa1);
export const MINTER = address(0xa2);
export const GRANTER = address(0xa3);
export const PAUSER = address(0xa4);
export const LISTER = address(0xa5);
export const EDITOR = address(0xa6);
export const SEIZER = address(0xa7);
export const BRIDGE = address(0xa8);
export const ALICE = address(0xb1);
export const BOB = address(0xb2);
export const CAROL = address(0xb3);
/** Public and unpaused. */
export const COIN = address(0xc1);
/** Private and unpaused, with Alice and Bob on its whitelist. */
export const CLUB = address(0xc2);

export function amount(value: bigint | number): Amount {
  return BigInt(value) as Amount;
}

const ROLES: readonly [Role, Address, number][] = [
  ["MintBurnTokens", MINTER, 1_000],
  ["MasterMintBurn", GRANTER, 0],
  ["Pause", PAUSER, 0],
  ["ManageList", LISTER, 0],
  ["UpdateMetadata", EDITOR, 0],
  ["Clawback", SEIZER, 0],
  ["Bridge", BRIDGE, 0],
];

/** One authority in each role, both lists empty. */
export function genesisToken(token: Address, changes: Partial<GenesisToken> = {}): GenesisToken {
  return {
    token,
    symbol: `S${token.slice(-2)}`,
    name: "Some token",
    decimals: 6,
    masterAuthority: MASTER,
    isPrivate: false,
    isPaused: false,
    clawbackEnabled: true,
    roles: ROLES.map(([role, holder, allowance]) => ({ role, address: holder, allowance: amount(allowance) })),
    blacklist: [],
    whitelist: [],
    ...changes,
  };
}

/** Alice and Bob have 1000 of each token; a payment costs 2, a cancellation 5, a recovery 7. */
export function genesisOf(changes: Partial<Genesis> = {}): Genesis {
  return {
    chainId: CHAIN,
    operator: OPERATOR,
    validators: [address(1), address(2), address(3), address(4)].map((key) => ({ key, reward: key })),
    fees: { default: { payment: amount(2), cancellation: amount(5), recovery: amount(7) }, tokens: new Map() },
    listLimit: 64,
    policies: policiesWith(),
    checkpoints: undefined,
    epochLength: undefined,
    tokens: [genesisToken(COIN), genesisToken(CLUB, { isPrivate: true, whitelist: [ALICE, BOB] })],
    balances: [ALICE, BOB].flatMap((holder) =>
      [COIN, CLUB].map((token) => ({ address: holder, token, amount: amount(1_000) })),
    ),
    ...changes,
  };
}

export function start(changes: Partial<Genesis> = {}): LedgerState {
  return genesisState(genesisOf(changes));
}

/** The operation with its sender's next nonce. */
export function draft(state: LedgerState, sender: Address, fields: Draft): SignedOperation {
  return signed(sender, accountOf(state, sender).nonce, fields);
}

/** Returns the code with which an operation is refused or waits now, or "accept". */
export function verdict(
  state: LedgerState,
  sender: Address,
  fields: Draft,
  barrier: readonly Restriction[] = [],
): RefusalCode | "accept" {
  const answer = check(state, barrier, draft(state, sender, fields));
  if (answer.answer === "accept") return "accept";
  return answer.answer === "wait" ? answer.missing.code : answer.refusal.code;
}

export interface Done {
  readonly state: LedgerState;
  readonly receipts: readonly Receipt[];
  readonly id: OperationId;
}

/** Applies a slot. @throws Error if it waits or is impossible. */
export function decide(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  content?: SignedOperation,
): Omit<Done, "id"> {
  const applied = apply(state, slot, value, content);
  if (applied.outcome === "waiting") throw new Error(`waiting: ${applied.missing.code}`);
  if (applied.outcome === "impossible") throw new Error(`impossible: ${applied.reason}`);
  return applied;
}

/** Returns the next slot of an account. */
export function accountSlot(state: LedgerState, account: Address): AccountSlot {
  return { kind: "account", address: account, sequence: accountOf(state, account).sequence };
}

/** Returns the next slot of a token. */
export function tokenSlot(state: LedgerState, token: Address = COIN): TokenSlot {
  return { kind: "token", token, version: versionOf(state, token) };
}

/** Decides an operation in its signer's account slot, unchecked. */
export function authorise(state: LedgerState, operation: SignedOperation): Done {
  const id = operationId(operation);
  return { id, ...decide(state, accountSlot(state, operation.sender), { type: "operation", id }, operation) };
}

/** Returns the slot and the value that decide the effect of an operation; `undefined` if it needs no slot of its own. */
export function effectOf(
  state: LedgerState,
  operation: SignedOperation,
): { readonly slot: LedgerSlot; readonly value: LedgerValue } | undefined {
  const id = operationId(operation);
  const target = effectSlotOf(operation);
  if (target.kind === "own") return undefined;
  if (target.kind === "token") return { slot: tokenSlot(state, target.token), value: { type: "list", ids: [id] } };
  const outcome = burnOutcome(state, target.address, id) ?? "failed";
  return { slot: accountSlot(state, target.address), value: { type: "burn", id, outcome } };
}

/** Decides the effect of an operation that `authorise` left waiting. */
export function settle(state: LedgerState, operation: SignedOperation): Done {
  const effect = effectOf(state, operation);
  const decided = effect === undefined ? { state, receipts: [] } : decide(state, effect.slot, effect.value);
  return { id: operationId(operation), ...decided };
}

/** Takes an operation from check to effect. @throws Error if it is not accepted. */
export function act(state: LedgerState, sender: Address, fields: Draft): Done {
  const operation = draft(state, sender, fields);
  const answer = check(state, [], operation);
  if (answer.answer !== "accept") {
    throw new Error(
      `${fields.kind}: ${answer.answer} ${answer.answer === "wait" ? answer.missing.code : answer.refusal.code}`,
    );
  }
  const first = authorise(state, operation);
  const second = settle(first.state, operation);
  return { ...second, receipts: [...first.receipts, ...second.receipts] };
}

/** Several in a row. */
export function play(state: LedgerState, ...turns: readonly (readonly [Address, Draft])[]): LedgerState {
  return turns.reduce((current, [sender, fields]) => act(current, sender, fields).state, state);
}

/** Balances of all accounts in a token, without what they owe. */
export function held(state: LedgerState, token: Address): bigint {
  let sum = 0n;
  for (const [key, balance] of state.balances.entries()) if (balance > 0n && key.endsWith(`/${token}`)) sum += balance;
  return sum;
}

/** Returns true if balances and pool are exactly what was minted and not burned (protocol 7.3). */
export function isConserved(state: LedgerState, token: Address): boolean {
  return held(state, token) + poolOf(state, token) === supplyOf(state, token);
}

export const pay = (recipient: Address, value: bigint | number, token: Address = COIN): Draft => ({
  kind: "payment",
  token,
  recipient,
  value: amount(value),
});
export const mint = (recipient: Address, value: bigint | number, token: Address = COIN): Draft => ({
  kind: "mint",
  token,
  recipient,
  value: amount(value),
});
export const burn = (value: bigint | number, recipient?: Address, token: Address = COIN): Draft => ({
  kind: "burn",
  token,
  value: amount(value),
  ...(recipient === undefined ? {} : { recipient }),
});
export const clawback = (from: Address, recipient: Address, value: bigint | number, token: Address = COIN): Draft => ({
  kind: "clawback",
  token,
  from,
  recipient,
  value: amount(value),
});
export const bridgeMint = (
  recipient: Address,
  value: bigint | number,
  sourceTxHash = "0x1",
  token: Address = COIN,
): Draft => ({
  ...{ kind: "bridgeMint", token, recipient, value: amount(value) },
  ...{ sourceChainId: 1, sourceTxHash, bridgeMetadata: "" },
});
export const bridgeBurn = (sender: Address, value: bigint | number, escrow = 0, token: Address = COIN): Draft => ({
  ...{ kind: "bridgeBurn", token, sender, value: amount(value), escrowFee: amount(escrow) },
  ...{ destinationChainId: 2, destinationAddress: "0xd", bridgeMetadata: "m", bridgeParam: "0x01" },
});
/** `legs`: recipients and amounts in turn. */
export const batch = (...legs: readonly (readonly [to: Address, amount: bigint | number])[]): Draft => ({
  ...{ kind: "batch", token: COIN, legs: legs.map(([recipient, value]) => ({ recipient, amount: amount(value) })) },
  createdAt: 0n,
});
export const grant = (
  authorityType: string,
  authorityAddress: Address,
  value: bigint | number = 0,
  token: Address = COIN,
): Draft => ({
  kind: "authority",
  token,
  authorityAddress,
  action: "Grant",
  authorityType,
  value: amount(value),
});
export const revoke = (authorityType: string, authorityAddress: Address, token: Address = COIN): Draft => ({
  kind: "authority",
  token,
  authorityAddress,
  action: "Revoke",
  authorityType,
});
export const pause = (action: "Pause" | "Unpause", token: Address = COIN): Draft => ({ kind: "pause", token, action });
export const list = (
  which: "blacklist" | "whitelist",
  action: string,
  account: Address,
  token: Address = COIN,
): Draft => ({
  kind: "list",
  list: which,
  token,
  address: account,
  action,
});
export const edit = (name: string, token: Address = COIN): Draft => ({
  kind: "metadata",
  token,
  name,
  uri: "https://example.org",
  additional: [["country", "AT"]],
});
export const issue = (symbol: string, masterAuthority: Address = MASTER, isPrivate = false): Draft => ({
  kind: "issue",
  symbol,
  name: `The ${symbol}`,
  decimals: 2,
  masterAuthority,
  isPrivate,
});
