/** Policy of a token: one immutable record, changed in the token's own slots only (protocol 4.1); and its address. */
import { type Amount, ZERO } from "../base/amount.ts";
import { fromHex, text, toHex } from "../base/encoding.ts";
import type { Address, Version } from "../base/ids.ts";
import { type BridgeMint, ROLES, type Role } from "../base/operation.ts";
import type { Policies } from "../base/policies.ts";
import type { Refusal } from "../base/refusal.ts";
import { Trie } from "../base/trie.ts";
import { keccakBytes } from "../crypto/hash.ts";

export interface Token {
  /** Number of decided slots of this token. */
  readonly version: Version;
  readonly symbol: string;
  readonly name: string;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly decimals: number;
  /** Fixed for ever; acts in every role without a grant. */
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  /** Fixed by the issue. */
  readonly clawbackEnabled: boolean;
  /** Total ever minted, the genesis supply included; never falls. At most 2^256 - 1. */
  readonly minted: Amount;
  /** Holder to its remaining allowance, null if none was ever granted to it; 0 for every role but MintBurnTokens. */
  readonly roles: Readonly<Record<Role, Trie<Amount | null>>>;
}

/** Returns roles without holders. */
export function noRoles(): Token["roles"] {
  const nobody = Trie.empty<Amount | null>();
  return {
    MasterMintBurn: nobody,
    MintBurnTokens: nobody,
    Pause: nobody,
    ManageList: nobody,
    UpdateMetadata: nobody,
    Clawback: nobody,
    Bridge: nobody,
  };
}

/**
 * Returns the key in `bridged` of a transaction of a source chain, whose hash has either case there; where its bytes are
 * compared, with or without 0x and blanks too. Only A to Z have a case: that of other letters depends on their place and
 * on the version of Unicode.
 */
export function sourceKey(
  { policies }: { readonly policies: Policies },
  { token, sourceChainId, sourceTxHash }: BridgeMint,
): string {
  const lower = sourceTxHash.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const name = policies.deposits === "bytes" ? lower.replace(/\s/g, "").replace(/^0x/, "") : lower;
  return `${token}/${sourceChainId}/${toHex(keccakBytes(text(name) as Uint8Array))}`;
}

/** Returns true if `address` was granted `role`. */
export function holdsRole(token: Token, address: Address, role: Role): boolean {
  return token.roles[role].has(address);
}

/** Returns the holders of a role in the order of their addresses. */
export function holdersOf(token: Token, role: Role): readonly Address[] {
  return token.roles[role].entries().map(([address]) => address as Address);
}

/** Returns true if `address` may act in `role`: it holds it, or is the master (specification 6.2). */
export function mayActAs(token: Token, address: Address, role: Role): boolean {
  return address === token.masterAuthority || holdsRole(token, address, role);
}

/** Returns a token in which `address` holds `role` with this allowance; a second grant sets it (specification 5.8). */
export function grantRole(token: Token, address: Address, role: Role, allowance: Amount | null): Token {
  const kept = role === "MintBurnTokens" ? allowance : ZERO;
  return { ...token, roles: { ...token.roles, [role]: token.roles[role].set(address, kept) } };
}

/** Returns a token in which `address` does not hold `role`. */
export function revokeRole(token: Token, address: Address, role: Role): Token {
  return { ...token, roles: { ...token.roles, [role]: token.roles[role].delete(address) } };
}

/** Returns true if `address` is the master, or holds any role. */
export function holdsAnyRole(token: Token, address: Address): boolean {
  return ROLES.some((role) => mayActAs(token, address, role));
}

/** Returns the refusal of a signer that may not act in `role` (specification 4.4). */
export function missingRole(token: Address, policy: Token, signer: Address, role: Role): Refusal | undefined {
  return mayActAs(policy, signer, role) ? undefined : { code: "business_missing_role", token, role, signer };
}

/** Returns the refusal of operations that a pause stops: transfers, mints, burns and clawbacks (specification 6.5). */
export function pausedRefusal(token: Address, policy: Token): Refusal | undefined {
  return policy.isPaused ? { code: "business_token_paused", token } : undefined;
}

/** Restriction that a validator has committed to, or will when it commits to an operation (protocol 4.2, Barrier). */
export type Restriction =
  | { readonly type: "pause"; readonly token: Address }
  /** Blacklisted, or taken off the whitelist. */
  | { readonly type: "exclude"; readonly token: Address; readonly address: Address }
  /** Taken off the blacklist, or whitelisted, where only excluded accounts are clawed back from. */
  | { readonly type: "release"; readonly token: Address; readonly address: Address }
  | { readonly type: "revoke"; readonly token: Address; readonly address: Address; readonly role: Role }
  /** At most `value`: it lowers an allowance that is higher. */
  | { readonly type: "allowance"; readonly token: Address; readonly address: Address; readonly value: Amount };

/** Returns true if an allowance is lower than the one that its holder has, and takes its place. */
export function lowersAllowance(
  { policies }: { readonly policies: Policies },
  policy: Token,
  { address, value }: Extract<Restriction, { type: "allowance" }>,
): boolean {
  return policies.allowances === "set" && value < (policy.roles.MintBurnTokens.get(address) ?? ZERO);
}

/** Returns the address of a token: its master authority and symbol fix it, so a master has a symbol once (wire 3.6). */
export function issuedTokenAddress(master: Address, symbol: string): Address {
  const symbolBytes = text(symbol) as Uint8Array;
  return lastTwenty(new Uint8Array([...fromHex(master), ...symbolBytes]));
}

/** Returns the address of an account's holding of a token, as clients show it (wire 3.6). */
export function tokenAccountAddress(account: Address, token: Address): Address {
  return lastTwenty(new Uint8Array([...fromHex(account), ...fromHex(token)]));
}

function lastTwenty(bytes: Uint8Array): Address {
  return toHex(keccakBytes(bytes).subarray(12)) as Address;
}
