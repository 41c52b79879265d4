/** Lists of tokens, and what they and other restrictions forbid (specification 6.4; protocol 4.2). */
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Refusal } from "../base/refusal.ts";
import type { Trie } from "../base/trie.ts";
import { draftOf, type LedgerState, tokenOf, withToken } from "./state.ts";
import { grantRole, lowersAllowance, type Restriction, revokeRole, type Token } from "./token.ts";

/** Returns true if `address` is on the list that this token uses: black for a public one, white for a private one. */
export function isListed(state: LedgerState, token: Address, address: Address): boolean {
  return state.listed.has(listedKey(token, address));
}

/** Returns a state in which the list of a token has `address` on it, or not. */
export function withListed(state: LedgerState, token: Address, address: Address, isOn: boolean): LedgerState {
  const key = listedKey(token, address);
  const draft = draftOf(state);
  draft.listed = isOn ? state.listed.set(key, true) : state.listed.delete(key);
  return draft;
}

/** Returns the key in `listed`: the addresses of a token are adjacent. */
export function listedKey(token: Address, address: Address): string {
  return `${token}/${address}`;
}

/** Addresses on the two lists of a token, of which it uses one. */
export type TokenLists = Readonly<{ blacklist: readonly Address[]; whitelist: readonly Address[] }>;

/** Returns the lists of a token, in the order of the addresses. O(addresses). */
export function listsOf(state: LedgerState, token: Address): TokenLists {
  const members = membersOf(state.listed, token) as readonly Address[];
  const isPrivate = tokenOf(state, token)?.isPrivate === true;
  return isPrivate ? { blacklist: [], whitelist: members } : { blacklist: members, whitelist: [] };
}

/** Returns the last parts of the keys that begin with a token, in their order. O(members). */
export function membersOf(members: Trie<true>, token: Address): readonly string[] {
  return members.entriesWithPrefix(`${token}/`).map(([key]) => key.slice(token.length + 1));
}

/** Returns why the list of a token excludes `address` from sending and receiving, or `undefined`. */
export function exclusionRefusal(
  state: LedgerState,
  address: Address,
  token: Address,
  { isPrivate }: Token,
): Refusal | undefined {
  if (isListed(state, token, address) === isPrivate) return undefined;
  return { code: isPrivate ? "business_not_whitelisted" : "business_blacklisted", token, address };
}

/** Returns why a signer that the list of a token excludes may not act, `undefined` for others and where a policy allows it. */
export function excludedSignerRefusal(
  state: LedgerState,
  policy: "excludedMinters" | "excludedBurners",
  signer: Address,
  token: Address,
  terms: Token,
): Refusal | undefined {
  return state.policies[policy] === "refused" ? exclusionRefusal(state, signer, token, terms) : undefined;
}

/** Returns the state as if every restriction of the barrier that names `token` were in force. */
export function withRestrictions(state: LedgerState, token: Address, barrier: readonly Restriction[]): LedgerState {
  return barrier.filter((restriction) => restriction.token === token).reduce(restrict, state);
}

function restrict(state: LedgerState, restriction: Restriction): LedgerState {
  const { token } = restriction;
  const policy = tokenOf(state, token);
  if (policy === undefined) return state;
  switch (restriction.type) {
    case "pause":
      return policy.isPaused ? state : withToken(state, token, { ...policy, isPaused: true });
    // It allows what an excluded account may not do, and forbids a clawback alone.
    case "release":
      return state;
    case "exclude":
      return withListed(state, token, restriction.address, !policy.isPrivate);
    case "revoke":
      return withToken(state, token, revokeRole(policy, restriction.address, restriction.role));
    case "allowance":
      if (!lowersAllowance(state, policy, restriction)) return state;
      return withToken(state, token, grantRole(policy, restriction.address, "MintBurnTokens", restriction.value));
    default:
      return unreachable(restriction);
  }
}
