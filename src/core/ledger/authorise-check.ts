/**
 * Rules of operations that change a token, against its policy (specification 5, 4.4; protocol 4.1). The same check runs
 * early, at the vote, and again exactly, in the token's order.
 */
import { add, ZERO } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Authority, List, Mint, Pause, Role, SignedOperation } from "../base/operation.ts";
import type { Refusal, RequiredRole } from "../base/refusal.ts";
import { ROLE_CAPS } from "./limits.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf } from "./spelling.ts";
import { exclusionRefusal, holds, isOnList, mayActAs, type Token } from "./token.ts";

/**
 * Returns why a token's policy forbids an operation, `undefined` if it does not. `policy` is `undefined` before the
 * issue.
 */
export function checkAuthority(
  operator: Address,
  token: Address,
  policy: Token | undefined,
  signed: SignedOperation,
): Refusal | undefined {
  const { operation, sender } = signed;
  if (operation.kind === "issue") return checkIssueAuthority(operator, token, policy, sender);
  if (policy === undefined) return { code: "resource_token_not_found", token };
  switch (operation.kind) {
    case "mint":
      return checkMintAuthority(token, policy, operation, sender);
    case "metadata":
      return missingRole(token, policy, sender, "UpdateMetadata");
    case "list":
      return missingRole(token, policy, sender, "ManageList") ?? checkListEntry(token, policy, operation);
    case "authority":
      return checkGrantAuthority(token, policy, operation, sender);
    case "pause":
      return missingRole(token, policy, sender, "Pause") ?? checkPauseAuthority(token, policy, operation);
    case "payment":
    case "burn":
    case "cancellation":
      return undefined;
    default:
      return unreachable(operation);
  }
}

/** Returns the refusal of a signer that may not act in `role` (specification 4.4). */
export function missingRole(token: Address, policy: Token, signer: Address, role: Role): Refusal | undefined {
  return mayActAs(policy, signer, role) ? undefined : { code: "business_missing_role", token, role, signer };
}

/** Only the operator issues, and a master has a symbol once. The policy is defined only for a token that exists. */
function checkIssueAuthority(
  operator: Address,
  token: Address,
  policy: Token | undefined,
  signer: Address,
): Refusal | undefined {
  if (signer !== operator) return { code: "business_missing_role", token: undefined, role: "Operator", signer };
  return policy === undefined ? undefined : { code: "business_token_exists", token };
}

function checkMintAuthority(token: Address, policy: Token, mint: Mint, signer: Address): Refusal | undefined {
  const refusal =
    missingRole(token, policy, signer, "MintBurnTokens") ??
    pausedRefusal(token, policy) ??
    exclusionRefusal(mint.recipient, token, policy);
  if (refusal !== undefined) return refusal;
  const allowance = policy.roles.MintBurnTokens.get(signer) ?? ZERO;
  if (signer !== policy.masterAuthority && allowance < mint.value) {
    return { code: "business_allowance_exceeded", token, allowance, need: mint.value };
  }
  // Compared with the total ever minted: the burned total changes in account slots, and validators differ about those.
  const overflows = add(policy.minted, mint.value) === undefined;
  return overflows ? { code: "business_amount_overflow", token, minted: policy.minted, value: mint.value } : undefined;
}

/** Returns the refusal of operations that a pause stops: transfers, mints and burns (specification 6.5). */
export function pausedRefusal(token: Address, policy: Token): Refusal | undefined {
  return policy.isPaused ? { code: "business_token_paused", token } : undefined;
}

function checkListEntry(token: Address, policy: Token, list: List): Refusal | undefined {
  const { isPrivate } = policy;
  if ((list.list === "whitelist") !== isPrivate) return { code: "business_list_kind", token, isPrivate };
  const listed = isOnList(policy, list.address);
  const wanted = listActionOf(list.action) === "add";
  return listed === wanted ? { code: "business_list_state", token, address: list.address, listed } : undefined;
}

function checkPauseAuthority(token: Address, policy: Token, pause: Pause): Refusal | undefined {
  const wanted = pauseActionOf(pause.action) === "pause";
  return policy.isPaused === wanted ? { code: "business_pause_state", token, paused: wanted } : undefined;
}

function checkGrantAuthority(
  token: Address,
  policy: Token,
  authority: Authority,
  signer: Address,
): Refusal | undefined {
  const role = roleOf(authority.authorityType);
  const action = grantActionOf(authority.action);
  if (role === undefined || action === undefined) return undefined;
  const address = authority.authorityAddress;
  if (!mayGrant(policy, signer, role)) {
    const needed: RequiredRole = role === "MintBurnTokens" ? "MasterMintBurn" : "Master";
    return { code: "business_missing_role", token, role: needed, signer };
  }
  const held = holds(policy, address, role);
  if (action === "revoke") return held ? undefined : { code: "business_role_not_held", token, role, address };
  // A second grant sets the allowance and adds no holder.
  const isFull = !held && policy.roles[role].size >= ROLE_CAPS[role];
  return isFull ? { code: "business_role_full", token, role, cap: ROLE_CAPS[role] } : undefined;
}

/** The master grants every role; the master mint-burn authority grants minting and burning only (protocol 4.1). */
function mayGrant(policy: Token, signer: Address, role: Role): boolean {
  return signer === policy.masterAuthority || (role === "MintBurnTokens" && holds(policy, signer, "MasterMintBurn"));
}
