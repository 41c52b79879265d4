/** Keys by name, operations that they sign, and the genesis of the tests. */

import { type Amount, ZERO } from "../../../../src/core/base/amount.ts";
import type { EpochParameters, Genesis, SignedProposal } from "../../../../src/core/base/epoch.ts";
import type { Address, Epoch, Nonce } from "../../../../src/core/base/ids.ts";
import type { Operation, Recovery, SignedOperation } from "../../../../src/core/base/operation.ts";
import { keccak } from "../../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../../src/core/crypto/scheme.ts";
import { submissionId } from "../../../../src/core/ledger/identity.ts";
import { digestOf } from "../../../../src/core/ledger/layout.ts";
import { proposalDigest } from "../../../../src/core/ledger/value.ts";
import { genesisOf, genesisToken } from "../../ledger/support/world.ts";

export const CHAIN = 1212101;
export const USD: Address = `0x${"11".repeat(20)}` as Address;
/** Initial balance of every account. */
export const FUNDS = 1000n;
export const FEE = 1n;
export const SKIP_FEE = 2n;

export function keyOf(name: string): PrivateKey {
  return keccak(new TextEncoder().encode(`key of ${name}`)) as unknown as PrivateKey;
}

export function addressOf(name: string): Address {
  return keyedHash.addressOf(keyOf(name));
}

type Without<T> = T extends unknown ? Omit<T, "layout" | "chainId" | "nonce" | "token"> : never;
/** Operation without the members that are equal in all tests. */
export type Draft = Without<Operation>;

/** An operation on the dollar, signed by its owner. */
export function order(name: string, nonce: number, draft: Draft): SignedOperation {
  const rest = draft.kind === "cancellation" || draft.kind === "issue" ? {} : { token: USD };
  return signed(name, { layout: "client", chainId: CHAIN, nonce: nonce as Nonce, ...rest, ...draft } as Operation);
}

export function signed(name: string, operation: Operation): SignedOperation {
  return { operation, sender: addressOf(name), signature: keyedHash.sign(keyOf(name), digestOf(operation)) };
}

export function payment(from: string, nonce: number, to: string, value: bigint): SignedOperation {
  return order(from, nonce, { kind: "payment", recipient: addressOf(to), value: value as Amount });
}

export function cancellation(from: string, nonce: number): SignedOperation {
  return order(from, nonce, { kind: "cancellation" });
}

export function mint(from: string, nonce: number, to: string, value: bigint): SignedOperation {
  return order(from, nonce, { kind: "mint", recipient: addressOf(to), value: value as Amount });
}

/** A token of its signer, which does not exist yet. */
export function issue(from: string, nonce: number, symbol: string): SignedOperation {
  const fields = { symbol, name: symbol, decimals: 2, isPrivate: false, clawbackEnabled: true };
  return order(from, nonce, { kind: "issue", ...fields, masterAuthority: addressOf(from) });
}

/** A forced burn if `of` is not the signer. */
export function burn(from: string, nonce: number, of: string, value: bigint): SignedOperation {
  return order(from, nonce, { kind: "burn", recipient: addressOf(of), value: value as Amount });
}

export function pause(from: string, nonce: number, action: "Pause" | "Unpause"): SignedOperation {
  return order(from, nonce, { kind: "pause", action });
}

export function blacklist(
  from: string,
  nonce: number,
  account: string,
  action: "Add" | "Remove" = "Add",
): SignedOperation {
  return order(from, nonce, { kind: "list", list: "blacklist", address: addressOf(account), action });
}

export function grant(from: string, nonce: number, to: string, allowance: bigint): SignedOperation {
  const given = { action: "Grant", authorityType: "MintBurnTokens", value: allowance as Amount };
  return order(from, nonce, { kind: "authority", authorityAddress: addressOf(to), ...given });
}

/** Equivocation proof of two operations of one account and nonce. */
export function recovery(first: SignedOperation, second: SignedOperation): Recovery {
  const { nonce } = first.operation;
  return { kind: "recovery", chainId: CHAIN, account: first.sender, nonce, evidence: { first, second } };
}

/** Proposal that the operator signs to have an epoch closed. */
export function proposalOf(next: EpochParameters, epoch: Epoch, by = "operator", chainId = CHAIN): SignedProposal {
  const proposal = { chainId, epoch, next };
  return { proposal, signature: keyedHash.sign(keyOf(by), proposalDigest(proposal)) };
}

export const idOf: typeof submissionId = submissionId;

const FUNDED = ["alice", "bob", "carol"];

/** One token, whose master is `issuer`; `burner` may burn and mints nothing. */
export function testGenesis(n: number): Genesis {
  const fee = { payment: FEE as Amount, cancellation: SKIP_FEE as Amount, recovery: SKIP_FEE as Amount };
  const dollar = genesisToken(USD, {
    symbol: "USD",
    name: "Dollar",
    decimals: 2,
    masterAuthority: addressOf("issuer"),
    roles: [{ role: "MintBurnTokens", address: addressOf("burner"), allowance: ZERO }],
  });
  const members = Array.from({ length: n }, (_, i) => addressOf(`v${i + 1}`));
  return genesisOf({
    operator: addressOf("operator"),
    validators: members.map((key) => ({ key, reward: key })),
    fees: { default: fee, tokens: new Map() },
    tokens: [dollar],
    balances: FUNDED.map((name) => ({ address: addressOf(name), token: USD, amount: FUNDS as Amount })),
  });
}
