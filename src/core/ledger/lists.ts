/** Lists of tokens, and what they and other restrictions forbid (specification 6.4; protocol 4.2). */
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Refusal } from "../base/refusal.ts";
import { type LedgerState, tokenOf, withToken } from "./state.ts";
import { type AddressSet, granted, lowers, type Restriction, revoked, type Token } from "./token.ts";

/** Returns true if `address` is on the list that this token uses: black for a public one, white for a private one. */
export function isListed(state: LedgerState, token: Address, address: Address): boolean {
  const policy = tokenOf(state, token);
  return policy !== undefined && (policy.isPrivate ? policy.whitelist : policy.blacklist).has(address);
}

/** Returns a state in which the list of a token that exists has `address` on it, or not. */
export function withListed(state: LedgerState, token: Address, address: Address, listed: boolean): LedgerState {
  const policy = tokenOf(state, token);
  if (policy === undefined) return state;
  const change = (list: AddressSet): AddressSet => (listed ? list.set(address, true) : list.delete(address));
  return withToken(
    state,
    token,
    policy.isPrivate
      ? { ...policy, whitelist: change(policy.whitelist) }
      : { ...policy, blacklist: change(policy.blacklist) },
  );
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
    case "exclude":
      return withListed(state, token, restriction.address, !policy.isPrivate);
    case "revoke":
      return withToken(state, token, revoked(policy, restriction.address, restriction.role));
    case "allowance":
      if (!lowers(policy, restriction)) return state;
      return withToken(state, token, granted(policy, restriction.address, "MintBurnTokens", restriction.value));
    default:
      return unreachable(restriction);
  }
}
