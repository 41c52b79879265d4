/** Policy of a token: one immutable record, changed in the token's own slots only (protocol 4.1). */
import { type Amount, ZERO } from "../base/amount.ts";
import type { Address, Version } from "../base/ids.ts";
import { ROLES, type Role } from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { Trie } from "../base/trie.ts";

/** Addresses; the value only marks presence. */
export type AddressSet = Trie<true>;

export interface Token {
  /** Number of decided slots of this token. */
  readonly version: Version;
  readonly symbol: string;
  readonly name: string;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly decimals: number;
  /** Fixed for ever; acts in every role and is never granted one. */
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  /** Total ever minted, the genesis supply included; never falls. At most 2^256 - 1. */
  readonly minted: Amount;
  /** Holder to its remaining allowance; 0 for every role but MintBurnTokens. */
  readonly roles: Readonly<Record<Role, Trie<Amount>>>;
  /** Addresses from which a role was revoked in this epoch: they may still cancel what they signed in it (protocol 3.2). */
  readonly formerHolders: AddressSet;
  /** Holds addresses in a public token only. */
  readonly blacklist: AddressSet;
  /** Holds addresses in a private token only. */
  readonly whitelist: AddressSet;
}

/** Returns roles without holders. */
export function noRoles(): Readonly<Record<Role, Trie<Amount>>> {
  const nobody = Trie.empty<Amount>();
  return { MasterMintBurn: nobody, MintBurnTokens: nobody, Pause: nobody, ManageList: nobody, UpdateMetadata: nobody };
}

/** Returns true if `address` was granted `role`. */
export function holds(token: Token, address: Address, role: Role): boolean {
  return token.roles[role].has(address);
}

/** Returns true if `address` may act in `role`: it holds it, or is the master (specification 6.2). */
export function mayActAs(token: Token, address: Address, role: Role): boolean {
  return address === token.masterAuthority || holds(token, address, role);
}

/** Returns a token in which `address` holds `role` with this allowance; a second grant sets it (protocol 4.1). */
export function granted(token: Token, address: Address, role: Role, allowance: Amount): Token {
  const kept = role === "MintBurnTokens" ? allowance : ZERO;
  return { ...token, roles: { ...token.roles, [role]: token.roles[role].set(address, kept) } };
}

/** Returns a token in which `address` does not hold `role`, and has held it. */
export function revoked(token: Token, address: Address, role: Role): Token {
  const roles = { ...token.roles, [role]: token.roles[role].delete(address) };
  return { ...token, roles, formerHolders: token.formerHolders.set(address, true) };
}

/**
 * Returns true if `address` is the master, or holds any role, or has held one in this epoch: this never ends within an
 * epoch.
 */
export function heldRoleThisEpoch(token: Token, address: Address): boolean {
  return token.formerHolders.has(address) || ROLES.some((role) => mayActAs(token, address, role));
}

/** Returns true if `address` is on the list that this token uses: black for a public one, white for a private one. */
export function isOnList(token: Token, address: Address): boolean {
  return (token.isPrivate ? token.whitelist : token.blacklist).has(address);
}

/** Returns a token whose list has `address` on it, or not. */
export function withListEntry(token: Token, address: Address, listed: boolean): Token {
  const change = (list: AddressSet): AddressSet => (listed ? list.set(address, true) : list.delete(address));
  return token.isPrivate
    ? { ...token, whitelist: change(token.whitelist) }
    : { ...token, blacklist: change(token.blacklist) };
}

/** Returns why the lists exclude `address` from sending and receiving (specification 6.4), or `undefined`. */
export function exclusionRefusal(address: Address, token: Address, policy: Token): Refusal | undefined {
  if (isOnList(policy, address) === policy.isPrivate) return undefined;
  return { code: policy.isPrivate ? "business_not_whitelisted" : "business_blacklisted", token, address };
}
