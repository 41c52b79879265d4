/** Policy of one token in the reference model (specification 6.2, 6.4). */
import type { Genesis, GenesisToken } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Issue, Role, SignedOperation } from "../../core/base/operation.ts";
import type { RefusalCode } from "../../core/base/refusal.ts";
import { Trie } from "../../core/base/trie.ts";

export interface Policy {
  readonly symbol: string;
  readonly name: string;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly master: Address;
  readonly decimals: number;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly hasClawback: boolean;
  /** Total ever minted, genesis balances included, so that no sum of balances can overflow. */
  readonly everMinted: bigint;
  /** Allowances by `role/address`, null where only burning was granted. */
  readonly roles: Trie<bigint | null>;
  readonly blacklist: Trie<true>;
  readonly whitelist: Trie<true>;
  /** Chain and lower-case text of each transaction that was minted, in ASCII. */
  readonly minted: Trie<true>;
}

/** Rule of one network beside those of the specification: the code that forbids an operation on a token, if it does. */
export type NetworkRule = (signed: SignedOperation, token: Policy) => RefusalCode | undefined;

/** A genesis as the oracles judge by it. */
export type JudgedGenesis = Genesis & { readonly networkRule?: NetworkRule | undefined };

/** Largest number of addresses per role (specification 14.2). */
export const CAPS: Readonly<Record<Role, number>> = {
  MasterMintBurn: 1,
  MintBurnTokens: 20,
  Pause: 5,
  ManageList: 5,
  UpdateMetadata: 5,
  Clawback: 5,
  Bridge: 5,
};

/** Members of a token of the genesis, or of one that a node shows, that make its policy. */
export type TokenTerms = Omit<GenesisToken, "token" | "roles"> & {
  readonly roles: readonly { readonly role: Role; readonly address: Address; readonly allowance: bigint | null }[];
};

/** Returns the policy of a token of the genesis; `minted` is the sum of its balances there. */
export function genesisPolicy(token: TokenTerms, minted: bigint): Policy {
  const bare: Policy = {
    symbol: token.symbol,
    name: token.name,
    uri: "",
    additional: [],
    master: token.masterAuthority,
    decimals: token.decimals,
    isPrivate: token.isPrivate,
    isPaused: token.isPaused,
    hasClawback: token.clawbackEnabled,
    everMinted: minted,
    roles: Trie.empty(),
    blacklist: Trie.of(token.blacklist.map((address) => [address, true])),
    whitelist: Trie.of(token.whitelist.map((address) => [address, true])),
    minted: Trie.empty(),
  };
  return token.roles.reduce(
    (policy, { role, address, allowance }) => grantRole(policy, role, address, allowance),
    bare,
  );
}

/**
 * Returns the policy of an issued token: paused unless the genesis says otherwise, without role holders (specification
 * 5.5).
 */
export function issuedPolicy(issue: Issue, isOpen: boolean): Policy {
  const isPrivate = issue.isPrivate ?? false;
  const clawbackEnabled = issue.clawbackEnabled !== false;
  const lists = { roles: [], blacklist: [], whitelist: [] };
  return genesisPolicy({ ...issue, ...lists, isPrivate, isPaused: !isOpen, clawbackEnabled }, 0n);
}

/**
 * Returns the allowance of a granted role, null if only burning was granted, `undefined` if the role is not held. The master's own power is not granted.
 */
export function allowanceOf(policy: Policy, role: Role, address: Address): bigint | null | undefined {
  return policy.roles.get(`${role}/${address}`);
}

/** Returns the number of addresses that hold a role. */
export function countHolders({ roles }: Policy, role: Role): number {
  return roles.entriesWithPrefix(`${role}/`).length;
}

/** Returns true if the address is the master or holds the role (specification 6.2). */
export function mayAct(policy: Policy, role: Role, address: Address): boolean {
  return address === policy.master || allowanceOf(policy, role, address) !== undefined;
}

/** Returns true if the lists let an address send and receive. */
export function isAllowed(policy: Policy, address: Address): boolean {
  return policy.isPrivate ? policy.whitelist.has(address) : !policy.blacklist.has(address);
}

/** Returns the policy with the role granted and its allowance set. */
export function grantRole(policy: Policy, role: Role, address: Address, allowance: bigint | null): Policy {
  return { ...policy, roles: policy.roles.set(`${role}/${address}`, allowance) };
}

/** Returns the policy with the role revoked. */
export function revokeRole(policy: Policy, role: Role, address: Address): Policy {
  return { ...policy, roles: policy.roles.delete(`${role}/${address}`) };
}

/** Allowance of a grant without a value. */
export const NO_ALLOWANCE = 0n;
