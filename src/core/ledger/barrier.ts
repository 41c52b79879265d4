/** Restrictions that a validator has committed to, and policies as if they were in force (protocol 4.2, Barrier). */
import type { Amount } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Authority, List, Role, SignedOperation } from "../base/operation.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf } from "./spelling.ts";
import { type LedgerState, tokenOf } from "./state.ts";
import { granted, revoked, type Token, withListEntry } from "./token.ts";

export type Restriction =
  | { readonly type: "pause"; readonly token: Address }
  /** Blacklisted, or taken off the whitelist. */
  | { readonly type: "exclude"; readonly token: Address; readonly address: Address }
  | { readonly type: "revoke"; readonly token: Address; readonly address: Address; readonly role: Role }
  /** At most `value`: it lowers an allowance that is higher. */
  | { readonly type: "allowance"; readonly token: Address; readonly address: Address; readonly value: Amount };

/**
 * Returns the restrictions that a list of operations would make, in its order, even if some of them will fail. They
 * follow from the operations alone, so that a barrier can be derived before the state that it restricts (protocol 4.2).
 */
export function restrictionsOf(operations: readonly SignedOperation[]): readonly Restriction[] {
  return operations.flatMap((signed) => restrictionOf(signed) ?? []);
}

/**
 * Returns true if an operation would restrict the token as it is in this state: a grant does if it lowers an allowance.
 */
export function isRestriction(state: LedgerState, signed: SignedOperation): boolean {
  const restriction = restrictionOf(signed);
  if (restriction?.type !== "allowance") return restriction !== undefined;
  const policy = tokenOf(state, restriction.token);
  return policy !== undefined && lowers(policy, restriction);
}

function restrictionOf({ operation }: SignedOperation): Restriction | undefined {
  switch (operation.kind) {
    case "pause":
      return pauseActionOf(operation.action) === "pause" ? { type: "pause", token: operation.token } : undefined;
    case "list":
      return excludes(operation) ? { type: "exclude", token: operation.token, address: operation.address } : undefined;
    case "authority":
      return authorityRestriction(operation);
    case "payment":
    case "cancellation":
    case "issue":
    case "mint":
    case "burn":
    case "metadata":
      return undefined;
    default:
      return unreachable(operation);
  }
}

function excludes(list: List): boolean {
  return listActionOf(list.action) === (list.list === "blacklist" ? "add" : "remove");
}

function authorityRestriction(operation: Authority): Restriction | undefined {
  const { token, authorityAddress: address } = operation;
  const role = roleOf(operation.authorityType);
  if (role === undefined) return undefined;
  if (grantActionOf(operation.action) === "revoke") return { type: "revoke", token, address, role };
  if (role !== "MintBurnTokens") return undefined;
  return { type: "allowance", token, address, value: operation.value ?? (0n as Amount) };
}

function lowers(policy: Token, { address, value }: Extract<Restriction, { type: "allowance" }>): boolean {
  const held = policy.roles.MintBurnTokens.get(address);
  return held !== undefined && value < held;
}

/** Returns the policy of `token` as if every restriction of the barrier that names it were in force. */
export function withRestrictions(policy: Token, token: Address, barrier: readonly Restriction[]): Token {
  return barrier.filter((restriction) => restriction.token === token).reduce(restrict, policy);
}

function restrict(policy: Token, restriction: Restriction): Token {
  switch (restriction.type) {
    case "pause":
      return policy.isPaused ? policy : { ...policy, isPaused: true };
    case "exclude":
      return withListEntry(policy, restriction.address, !policy.isPrivate);
    case "revoke":
      return revoked(policy, restriction.address, restriction.role);
    case "allowance":
      if (!lowers(policy, restriction)) return policy;
      return granted(policy, restriction.address, "MintBurnTokens", restriction.value);
    default:
      return unreachable(restriction);
  }
}
