/** The network of the benchmarks: one token, a payment costs one unit, and each named account has more than it can spend. */
import type { Amount } from "../../src/core/base/amount.ts";
import type { CheckpointPolicy, Genesis } from "../../src/core/base/epoch.ts";
import type { Address, Nonce } from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../src/core/base/operation.ts";
import { policiesWith } from "../../src/core/base/policies.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import type { PrivateKey, Scheme } from "../../src/core/crypto/scheme.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";

export const CHAIN = 1212101;
export const USD = `0x${"11".repeat(20)}` as Address;
const FUNDS = (1n << 128n) as Amount;

export function keyOf(name: string): PrivateKey {
  return keccak(new TextEncoder().encode(`key of ${name}`)) as unknown as PrivateKey;
}

/** Checkpoints of so many slots each, or of what there is after `intervalMs`. */
export function everySlots(slots: number, intervalMs: number): CheckpointPolicy {
  return { slots, intervalMs, limit: 65_536, periodSeconds: 0, empty: false };
}

export function genesisOf(
  validators: readonly Address[],
  owners: readonly Address[],
  fillers: number,
  checkpoints: CheckpointPolicy | undefined,
): Genesis {
  const entry = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };
  const operator = `0x${"22".repeat(20)}` as Address;
  const token = { token: USD, symbol: "USD", name: "Dollar", decimals: 2, masterAuthority: operator };
  const policy = { isPrivate: false, isPaused: false, clawbackEnabled: true, roles: [], blacklist: [], whitelist: [] };
  return {
    chainId: CHAIN,
    operator,
    validators: validators.map((key) => ({ key, reward: key })),
    fees: { default: entry, tokens: new Map() },
    listLimit: 64,
    policies: policiesWith(),
    checkpoints,
    epochLength: undefined,
    tokens: [{ ...token, ...policy }],
    balances: owners.map((address) => ({ address, token: USD, amount: FUNDS })),
    ...(fillers === 0 ? {} : { fillers: { count: fillers, balances: [{ token: USD, amount: FUNDS }] } }),
  };
}

/** One unit to `recipient`, signed. */
export function paymentOf(scheme: Scheme, key: PrivateKey, nonce: number, recipient: Address): SignedOperation {
  const operation: Operation = {
    kind: "payment",
    layout: "client",
    chainId: CHAIN,
    nonce: nonce as Nonce,
    token: USD,
    recipient,
    value: 1n as Amount,
  };
  return { operation, sender: scheme.addressOf(key), signature: scheme.sign(key, digestOf(operation)) };
}
