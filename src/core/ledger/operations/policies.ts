/** Operations that change a token's policy: list, authority and pause (specification 6). */
import { ZERO } from "../../base/amount.ts";
import { requireDefined } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { Authority, List, Pause, Role } from "../../base/operation.ts";
import type { Refusal, RequiredRole } from "../../base/refusal.ts";
import { actionFault, amountFault } from "../field-rules.ts";
import { ROLE_CAPS } from "../limits.ts";
import { isListed, withListed } from "../lists.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf, SPELLINGS, setsAllowance } from "../spelling.ts";
import { type LedgerState, withToken } from "../state.ts";
import { grantRole, holdsRole, type Restriction, revokeRole, type Token } from "../token.ts";
import { type Kind, namedToken, namedTokenSlot, TOKEN, type TokenEffect } from "./kind.ts";

export const list: Kind<List> = {
  fields: {
    action: { type: "text", wire: "action", about: "the action", spellings: SPELLINGS.list },
    address: { type: "address", wire: "address", about: "the account listed" },
    token: TOKEN,
  },
  signer: "authority",
  opType: { blacklist: 5, whitelist: 6 },
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: listFault,
  inToken: {
    role: "ManageList",
    refusal: listRefusal,
    restriction: listRestriction,
    execute: (state, token, _policy, operation) =>
      withListed(state, token, operation.address, listActionOf(operation) === "add"),
  },
};

export const authority: Kind<Authority> = {
  fields: {
    action: { type: "text", wire: "action", about: "the action", spellings: SPELLINGS.grant },
    authorityType: { type: "text", wire: "authority_type", about: "the role", spellings: SPELLINGS.role },
    authorityAddress: { type: "address", wire: "authority_address", about: "the account that gets or loses the role" },
    token: TOKEN,
    value: {
      type: "amount",
      wire: "value",
      about: "the allowance, null for 0",
      optional: true,
      nullable: true,
      // Clients of TS 2.0-2.1 leave it out; `spec` signs the integer 0 (wire 3.2, 3.9).
      v2: { absent: ZERO },
    },
  },
  signer: "authority",
  opType: 4,
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: authorityFault,
  inToken: {
    role: undefined,
    refusal: authorityRefusal,
    restriction: authorityRestriction,
    execute: policyExecution(changeRole),
  },
};

export const pause: Kind<Pause> = {
  fields: { action: { type: "text", wire: "action", about: "the action", spellings: SPELLINGS.pause }, token: TOKEN },
  signer: "authority",
  opType: 7,
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: ({ action }) =>
    pauseActionOf(action) === undefined ? actionFault("action", action, SPELLINGS.pause) : undefined,
  inToken: {
    role: "Pause",
    refusal: (_state, token, policy, operation) => {
      const wanted = startsPause(operation);
      return policy.isPaused === wanted ? { code: "business_pause_state", token, paused: wanted } : undefined;
    },
    restriction: (operation) => (startsPause(operation) ? { type: "pause", token: operation.token } : undefined),
    execute: policyExecution((policy, operation) => ({ ...policy, isPaused: startsPause(operation) })),
  },
};

/** Returns the execution of an operation that changes nothing but the policy. */
function policyExecution<O extends Authority | Pause>(
  change: (policy: Token, operation: O) => Token,
): TokenEffect<O>["execute"] {
  return (state, token, policy, operation) =>
    withToken(state, token, change(requireDefined(policy, `token ${token}`), operation));
}

function listFault(operation: List): Refusal | undefined {
  const isKnown = listActionOf(operation) !== undefined;
  return isKnown ? undefined : actionFault("action", operation.action, SPELLINGS.list);
}

function listRefusal(state: LedgerState, token: Address, { isPrivate }: Token, operation: List): Refusal | undefined {
  if ((operation.list === "whitelist") !== isPrivate) return { code: "business_list_kind", token, isPrivate };
  const { address } = operation;
  const listed = isListed(state, token, address);
  const wanted = listActionOf(operation) === "add";
  return listed === wanted ? { code: "business_list_state", token, address, listed } : undefined;
}

function listRestriction(operation: List): Restriction | undefined {
  const { list: changed, token, address } = operation;
  const excludes = listActionOf(operation) === (changed === "blacklist" ? "add" : "remove");
  return excludes ? { type: "exclude", token, address } : undefined;
}

function authorityFault({ action, authorityType, value }: Authority): Refusal | undefined {
  if (grantActionOf(action) === undefined) return actionFault("action", action, SPELLINGS.grant);
  if (roleOf(authorityType) === undefined) return actionFault("authority_type", authorityType, SPELLINGS.role);
  return value === undefined ? undefined : amountFault("value", value, 0n);
}

function authorityRefusal(
  _state: LedgerState,
  token: Address,
  policy: Token,
  { authorityType, action: spelled, authorityAddress: address }: Authority,
  signer: Address,
): Refusal | undefined {
  const role = roleOf(authorityType);
  const action = grantActionOf(spelled);
  if (role === undefined || action === undefined) return undefined;
  if (!mayGrant(policy, signer, role)) {
    const needed: RequiredRole = role === "MintBurnTokens" ? "MasterMintBurn" : "Master";
    return { code: "business_missing_role", token, role: needed, signer };
  }
  const held = holdsRole(policy, address, role);
  if (action === "revoke") return held ? undefined : { code: "business_role_not_held", token, role, address };
  // A second grant sets the allowance and adds no holder.
  const isFull = !held && policy.roles[role].size >= ROLE_CAPS[role];
  return isFull ? { code: "business_role_full", token, role, cap: ROLE_CAPS[role] } : undefined;
}

/** The master grants every role; the master mint-burn authority grants minting and burning only (specification 4.4). */
function mayGrant(policy: Token, signer: Address, role: Role): boolean {
  return (
    signer === policy.masterAuthority || (role === "MintBurnTokens" && holdsRole(policy, signer, "MasterMintBurn"))
  );
}

function authorityRestriction(operation: Authority): Restriction | undefined {
  const { token, authorityAddress: address } = operation;
  const role = roleOf(operation.authorityType);
  if (role === undefined) return undefined;
  if (grantActionOf(operation.action) === "revoke") return { type: "revoke", token, address, role };
  if (!setsAllowance(operation.authorityType)) return undefined;
  return { type: "allowance", token, address, value: operation.value ?? ZERO };
}

function changeRole(policy: Token, { authorityType, action, authorityAddress, value }: Authority): Token {
  const role = requireDefined(roleOf(authorityType), `role ${authorityType}`);
  if (grantActionOf(action) === "revoke") return revokeRole(policy, authorityAddress, role);
  const held = policy.roles[role].get(authorityAddress) ?? null;
  return grantRole(policy, authorityAddress, role, setsAllowance(authorityType) ? (value ?? ZERO) : held);
}

function startsPause({ action }: Pause): boolean {
  return pauseActionOf(action) === "pause";
}
