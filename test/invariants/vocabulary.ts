/** Names, operations and decisions for the streams of these tests. */

import type { Amount } from "../../src/core/base/amount.ts";
import type { FeeEntry, Genesis, GenesisToken, Member } from "../../src/core/base/epoch.ts";
import type { Address, Hash, Millis, Nonce, Sequence, Signature, Version } from "../../src/core/base/ids.ts";
import type { Operation, Recovery, Role, SignedOperation } from "../../src/core/base/operation.ts";
import { policiesWith } from "../../src/core/base/policies.ts";
import type { Receipt } from "../../src/core/base/refusal.ts";
import { type LedgerSlot, type LedgerValue, slotKey } from "../../src/core/base/slot.ts";
import type { NodeName, RunSetting } from "../../src/invariants/observation.ts";
import { tokenAddress } from "../../src/invariants/reference/addresses.ts";

/** Returns an address that contains a readable name. */
export function address(name: string): Address {
  return `0x${hexOf(name).padEnd(40, "0").slice(0, 40)}` as Address;
}

/** Returns a hash that contains a readable name. */
export function hash(name: string): Hash {
  return `0x${hexOf(name).padEnd(64, "0").slice(0, 64)}` as Hash;
}

function hexOf(name: string): string {
  return [...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

export const ALICE: Address = address("alice");
export const BOB: Address = address("bob");
export const CAROL: Address = address("carol");
export const ISSUER: Address = address("issuer");
export const OPERATOR: Address = address("operator");
export const USD: Address = tokenAddress(ISSUER, "USD");
export const CHAIN = 1212101;

export function amount(value: bigint | number): Amount {
  return BigInt(value) as Amount;
}

export const FEES: FeeEntry = { payment: amount(1), cancellation: amount(3), recovery: amount(3) };

export const HIGHER_FEES: FeeEntry = { payment: amount(20), cancellation: amount(30), recovery: amount(30) };

export function usd(more: Partial<GenesisToken> = {}): GenesisToken {
  return {
    token: USD,
    symbol: "USD",
    name: "US dollar",
    decimals: 6,
    masterAuthority: ISSUER,
    isPrivate: false,
    isPaused: false,
    clawbackEnabled: true,
    roles: [],
    blacklist: [],
    whitelist: [],
    ...more,
  };
}

/** Validators with reward accounts of their own. */
export function members(names: readonly NodeName[]): readonly Member[] {
  return names.map((name) => ({ key: address(name), reward: address(`${name} reward`) }));
}

export interface SettingOptions {
  readonly validators?: number;
  readonly byzantine?: readonly NodeName[];
  readonly token?: Partial<GenesisToken>;
  readonly genesis?: Partial<Genesis>;
  readonly isFaultless?: boolean;
}

/** Four honest validators, one token, 1000 each for alice and bob, unless `wish` says otherwise. */
export function setting(options: SettingOptions = {}): RunSetting {
  const names = Array.from({ length: options.validators ?? 4 }, (_, place) => `v${place + 1}`);
  const genesis: Genesis = {
    chainId: CHAIN,
    operator: OPERATOR,
    validators: members(names),
    fees: { default: FEES, tokens: new Map() },
    listLimit: 64,
    policies: policiesWith(),
    checkpoints: undefined,
    epochLength: undefined,
    tokens: [usd(options.token)],
    balances: [
      { address: ALICE, token: USD, amount: amount(1000) },
      { address: BOB, token: USD, amount: amount(1000) },
    ],
    ...options.genesis,
  };
  const nodes = names.map((node) => ({ node, keys: [address(node)], honest: !options.byzantine?.includes(node) }));
  const waits = { livenessMs: 5000 as Millis, slotMs: 0 as Millis, linkMs: 0 as Millis };
  const bounds = { ...waits, isOpaque: false, isFaultless: options.isFaultless ?? false };
  return { genesis, nodes, correctClients: new Set([ALICE, BOB]), ...bounds };
}

type Loose<K extends Operation["kind"]> = Omit<
  Extract<Operation, { kind: K }>,
  "kind" | "layout" | "chainId" | "nonce"
>;

/** Returns a signed operation; its signature is never checked. */
export function signed<K extends Operation["kind"]>(
  kind: K,
  sender: Address,
  nonce: number,
  rest: Loose<K>,
): SignedOperation {
  const operation = { kind, layout: "spec", chainId: CHAIN, nonce: nonce as Nonce, ...rest } as unknown as Operation;
  return { operation, sender, signature: `0x${"0".repeat(130)}` as Signature };
}

export function payment(
  sender: Address,
  nonce: number,
  recipient: Address,
  value: number | bigint,
  token: Address = USD,
): SignedOperation {
  return signed("payment", sender, nonce, { token, recipient, value: amount(value) });
}

export function grant(sender: Address, nonce: number, role: Role, to: Address, value: number): SignedOperation {
  return signed("authority", sender, nonce, {
    token: USD,
    authorityAddress: to,
    action: "Grant",
    authorityType: role,
    value: amount(value),
  });
}

export function pause(sender: Address, nonce: number, action: "Pause" | "Unpause" = "Pause"): SignedOperation {
  return signed("pause", sender, nonce, { token: USD, action });
}

export function recovery(account: Address, first: SignedOperation, second: SignedOperation): Recovery {
  return { kind: "recovery", chainId: CHAIN, account, nonce: first.operation.nonce, evidence: { first, second } };
}

export function accountSlot(owner: Address, sequence: number): LedgerSlot {
  return { kind: "account", address: owner, sequence: sequence as Sequence };
}

export function tokenSlot(version: number, token: Address = USD): LedgerSlot {
  return { kind: "token", token, version: version as Version };
}

export interface Decision {
  readonly slot: LedgerSlot;
  readonly value: LedgerValue;
  readonly operations: readonly SignedOperation[];
}

/** Returns the value of an owner's operation. */
export function own(name: string, sequence: number, operation: SignedOperation): Decision {
  return {
    slot: accountSlot(operation.sender, sequence),
    value: { type: "operation", id: hash(name) },
    operations: [operation],
  };
}

/** Returns the value of a skip by cancellation, which pays in dollars. Each operation has its name before it. */
export function cancelled(
  [name, cancellation]: readonly [string, SignedOperation],
  [other, displaced]: readonly [string, SignedOperation],
): Decision {
  const { sender, operation } = cancellation;
  return {
    slot: accountSlot(sender, operation.nonce),
    value: { type: "skip", by: "cancellation", id: hash(name), displaced: [hash(other)], feeToken: USD },
    operations: [cancellation, displaced],
  };
}

/** Returns the value of a list of due operations. */
export function list(version: number, entries: readonly (readonly [string, SignedOperation])[]): Decision {
  const ids = entries.map(([name]) => hash(name));
  return { slot: tokenSlot(version), value: { type: "list", ids }, operations: entries.map(([, one]) => one) };
}

export function receiptOf(name: string, slot: LedgerSlot, fee: number): Receipt {
  return { id: hash(name), success: true, fee: amount(fee), feeToken: USD, error: undefined, slot: slotKey(slot) };
}
