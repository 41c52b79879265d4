/**
 * Operations that create a token, describe it, or change its policy: issue, metadata, list, authority and pause
 * (specification 5.5, 5.9, 6).
 */
import { AMOUNT_MAX, add, ZERO } from "../../base/amount.ts";
import { requireDefined } from "../../base/assert.ts";
import { bool } from "../../base/encoding.ts";
import type { Address, Version } from "../../base/ids.ts";
import type { Authority, Issue, List, Metadata, Pause, Role } from "../../base/operation.ts";
import type { Policies } from "../../base/policies.ts";
import type { Refusal, RequiredRole } from "../../base/refusal.ts";
import { actionFault, amountFault, labelFault, textTooLong } from "../field-rules.ts";
import * as limits from "../limits.ts";
import { ROLE_CAPS } from "../limits.ts";
import { isListed, withListed } from "../lists.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf, SPELLINGS, setsAllowance } from "../spelling.ts";
import { type LedgerState, withToken } from "../state.ts";
import {
  grantRole,
  holdsRole,
  issuedTokenAddress,
  noRoles,
  type Restriction,
  revokeRole,
  type Token,
} from "../token.ts";
import { type Kind, namedToken, namedTokenSlot, TOKEN_FIELD, type TokenEffect } from "./kind.ts";

export const issue: Kind<Issue> = {
  fields: {
    symbol: { type: "text", wire: "symbol", description: "the symbol", example: "EUR" },
    name: { type: "text", wire: "name", description: "the name", example: "Euro" },
    decimals: { type: "count", wire: "decimals", description: "the decimals", most: limits.DECIMALS_MAX },
    masterAuthority: { type: "address", wire: "master_authority", description: "the master authority" },
    isPrivate: {
      type: "flag",
      wire: "is_private",
      description: "whether only whitelisted addresses may hold it",
      optional: true,
      absent: bool(false),
      clientNeeds: true,
    },
    clawbackEnabled: {
      type: "flag",
      wire: "clawback_enabled",
      description: "whether its authorities may claw it back; absent means true",
      optional: true,
      v2: { absent: true },
    },
  },
  signer: "operator",
  opType: 2,
  token: tokenOfIssue,
  effectSlot: (operation) => ({ kind: "token", token: tokenOfIssue(operation) }),
  fault: issueFault,
  inToken: {
    role: "Operator",
    refusal: (_state, token) => ({ code: "business_token_exists", token }),

    execute: (state, token, _policy, operation) =>
      withToken(state, token, newToken(operation, state.policies.issuedTokens === "open")),
  },
};

export const metadata: Kind<Metadata> = {
  fields: {
    name: { type: "text", wire: "name", description: "the name", example: "Euro" },
    uri: { type: "text", wire: "uri", description: "the address of its page", example: "https://example.org/eur" },
    token: TOKEN_FIELD,
    additional: {
      type: "pairs",
      wire: "additional_metadata",
      description: "a list of pairs, or null for none",
      nullable: true,
    },
  },
  signer: "authority",
  opType: 10,
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: metadataFault,
  inToken: { role: "UpdateMetadata", execute: replaceMetadata },
};

/** A master has a symbol once, so the two name the token (wire 3.6). */
function tokenOfIssue({ masterAuthority, symbol }: Issue): Address {
  return issuedTokenAddress(masterAuthority, symbol);
}

function issueFault({ decimals, symbol, name, masterAuthority }: Issue): Refusal | undefined {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > limits.DECIMALS_MAX) {
    return { code: "validation_decimals", got: decimals };
  }
  // Nobody has its key, and a token's master cannot be changed.
  if (/^0x0*$/.test(masterAuthority))
    return { code: "validation_text", field: "master_authority", reason: "is the zero address" };
  return labelFault("symbol", symbol, limits.SYMBOL_BYTES) ?? labelFault("name", name, limits.NAME_BYTES);
}

/**
 * Returns a new token: paused unless the policies open it, public and open to clawback unless it says otherwise, its
 * master fixed for ever (specification 5.5).
 */
function newToken(operation: Issue, isOpen: boolean): Token {
  const { symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled } = operation;
  return {
    version: 0 as Version,
    symbol,
    name,
    uri: "",
    additional: [],
    decimals,
    masterAuthority,
    isPrivate: isPrivate ?? false,
    isPaused: !isOpen,
    clawbackEnabled: clawbackEnabled ?? true,
    minted: ZERO,
    roles: noRoles(),
  };
}

function metadataFault({ name, uri, additional }: Metadata): Refusal | undefined {
  if (additional.length > limits.ADDITIONAL_PAIRS) {
    const reason = `has ${additional.length} pairs, at most ${limits.ADDITIONAL_PAIRS} are allowed`;
    return { code: "validation_text", field: "additional_metadata", reason };
  }
  if (new Set(additional.map(([key]) => key)).size < additional.length)
    return { code: "validation_text", field: "additional_metadata", reason: "names a key twice" };
  const fault = labelFault("name", name, limits.NAME_BYTES) ?? textTooLong("uri", uri, limits.URI_BYTES);
  if (fault !== undefined) return fault;
  for (const [key, value] of additional) {
    const pairFault =
      textTooLong("additional_metadata.key", key, limits.ADDITIONAL_KEY_BYTES) ??
      textTooLong("additional_metadata.value", value, limits.ADDITIONAL_VALUE_BYTES);
    if (pairFault !== undefined) return pairFault;
  }
  return undefined;
}

function replaceMetadata(
  state: LedgerState,
  token: Address,
  policy: Token | undefined,
  operation: Metadata,
): LedgerState {
  const { name, uri, additional } = operation;
  return withToken(state, token, { ...requireDefined(policy, `token ${token}`), name, uri, additional });
}

export const list: Kind<List> = {
  fields: {
    action: { type: "text", wire: "action", description: "the action", spellings: SPELLINGS.list },
    address: { type: "address", wire: "address", description: "the account listed" },
    token: TOKEN_FIELD,
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
    action: { type: "text", wire: "action", description: "the action", spellings: SPELLINGS.grant },
    authorityType: { type: "text", wire: "authority_type", description: "the role", spellings: SPELLINGS.role },
    authorityAddress: {
      type: "address",
      wire: "authority_address",
      description: "the account that gets or loses the role",
    },
    token: TOKEN_FIELD,
    value: {
      type: "amount",
      wire: "value",
      description: "the allowance, null for 0",
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
  fields: {
    action: { type: "text", wire: "action", description: "the action", spellings: SPELLINGS.pause },
    token: TOKEN_FIELD,
  },
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
  change: (policy: Token, operation: O, policies: Policies) => Token,
): TokenEffect<O>["execute"] {
  return (state, token, policy, operation) =>
    withToken(state, token, change(requireDefined(policy, `token ${token}`), operation, state.policies));
}

function listFault(operation: List): Refusal | undefined {
  const isKnown = listActionOf(operation) !== undefined;
  return isKnown ? undefined : actionFault("action", operation.action, SPELLINGS.list);
}

function listRefusal(state: LedgerState, token: Address, { isPrivate }: Token, operation: List): Refusal | undefined {
  if ((operation.list === "whitelist") !== isPrivate) return { code: "business_list_kind", token, isPrivate };
  const { address } = operation;
  const isMember = isListed(state, token, address);
  const wanted = listActionOf(operation) === "add";
  return isMember === wanted ? { code: "business_list_state", token, address, listed: isMember } : undefined;
}

/** An exclusion is one, and where only excluded accounts are clawed back from, a release as well (specification 12.1). */
function listRestriction(operation: List, { clawbacks }: Policies): Restriction | undefined {
  const { list: changed, token, address } = operation;
  if (listActionOf(operation) === (changed === "blacklist" ? "add" : "remove"))
    return { type: "exclude", token, address };
  return clawbacks === "excluded" ? { type: "release", token, address } : undefined;
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
  const isHolder = holdsRole(policy, address, role);
  if (action === "revoke") return isHolder ? undefined : { code: "business_role_not_held", token, role, address };
  // A second grant changes the allowance and adds no holder.
  const isFull = !isHolder && policy.roles[role].size >= ROLE_CAPS[role];
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

function changeRole(
  policy: Token,
  { authorityType, action, authorityAddress, value = ZERO }: Authority,
  { allowances }: Policies,
): Token {
  const role = requireDefined(roleOf(authorityType), `role ${authorityType}`);
  if (grantActionOf(action) === "revoke") return revokeRole(policy, authorityAddress, role);
  const held = policy.roles[role].get(authorityAddress) ?? null;
  if (!setsAllowance(authorityType)) return grantRole(policy, authorityAddress, role, held);
  const granted = allowances === "added" ? (add(held ?? ZERO, value) ?? AMOUNT_MAX) : value;
  return grantRole(policy, authorityAddress, role, granted);
}

function startsPause({ action }: Pause): boolean {
  return pauseActionOf(action) === "pause";
}
