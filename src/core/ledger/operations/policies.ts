/** Operations that change a token's policy: list, authority and pause (specification 6). */
import { ZERO } from "../../base/amount.ts";
import { required } from "../../base/assert.ts";
import { uint } from "../../base/encoding.ts";
import type { Address } from "../../base/ids.ts";
import type { Authority, List, Pause, Role } from "../../base/operation.ts";
import type { Refusal, RequiredRole } from "../../base/refusal.ts";
import { actionFault, amountFault } from "../field-rules.ts";
import { ROLE_CAPS } from "../limits.ts";
import { isListed, withListed } from "../lists.ts";
import {
  grantActionOf,
  listActionOf,
  pauseActionOf,
  type RoleSpelling,
  roleOf,
  SPELLINGS,
  setsAllowance,
} from "../spelling.ts";
import { type LedgerState, withToken } from "../state.ts";
import { granted, holds, type Restriction, revoked, type Token } from "../token.ts";
import { FROM, inNamedToken, type Kind, namedToken, OF_TOKEN, TOKEN, type TokenEffect, type Verb } from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface PolicyForms {
  readonly blacklist: ListForm;
  readonly whitelist: ListForm;
  readonly grant: RoleForm;
  readonly revoke: RoleForm;
  readonly pause: PauseForm;
  readonly unpause: PauseForm;
}

type ListForm = Readonly<{ from: string; token: string; address: string; action: "add" | "remove" }>;

interface RoleForm {
  readonly from: string;
  readonly token: string;
  readonly role: RoleSpelling;
  readonly to: string;
  readonly allowance?: string;
}

type PauseForm = Readonly<{ from: string; token: string }>;

export const list: Kind<List, Pick<PolicyForms, "blacklist" | "whitelist">> = {
  fields: {
    action: { type: "text", wire: "action", about: "the action", spellings: SPELLINGS.list },
    address: { type: "address", wire: "address", about: "the account listed" },
    token: TOKEN,
  },
  body: "a change of a list",
  signer: "authority",
  paths: {
    "/v1/tokens/manage_blacklist": {
      summary: "Change the blacklist",
      description: "Of a public token: a listed address neither sends nor receives.",
      section: "specification 5.9; wire 1.2, W8",
      list: "blacklist",
      actions: ["Add", "Remove", "Blacklist"],
      v2: { opType: 5, actions: ["Add", "Remove"] },
    },
    "/v1/tokens/manage_whitelist": {
      summary: "Change the whitelist",
      description: "Of a private token: only listed addresses send and receive.",
      section: "specification 5.9; wire 1.2, W9",
      list: "whitelist",
      actions: ["Add", "Remove", "Whitelist"],
      v2: { opType: 6, actions: ["Add", "Remove"] },
    },
    "/v1/tokens/managelist": {
      summary: "Change a list, older path",
      description:
        "Blacklist adds to the blacklist; Whitelist to the whitelist, of a public token it removes from the blacklist.",
      section: "wire 1.2, W10",
      actions: ["Blacklist", "Whitelist"],
    },
    "/v1/tokens/blacklist": {
      summary: "Change a list, oldest path",
      description:
        "Blacklist adds to the blacklist; Whitelist to the whitelist, of a public token it removes from the blacklist.",
      section: "wire 1.2, W11",
      actions: ["Blacklist", "Whitelist"],
    },
  },
  spec: ["token", "address", "action"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: listFault,
  inToken: {
    role: "ManageList",
    refusal: listRefusal,
    restriction: listRestriction,
    execute: (state, token, _policy, operation) =>
      withListed(state, token, operation.address, listActionOf(operation) === "add"),
  },
  verbs: {
    blacklist: listVerb(
      "blacklist",
      "Adds an address to the blacklist of a public token, or removes it. Example: blacklist: { from: lister, token: USD, address: mallory, action: add }",
    ),
    whitelist: listVerb(
      "whitelist",
      "Adds an address to the whitelist of a private token, or removes it. Example: whitelist: { from: lister, token: RWA, address: bob, action: add }",
    ),
  },
};

export const authority: Kind<Authority, Pick<PolicyForms, "grant" | "revoke">> = {
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
      absent: { spec: uint(0n) },
      v2: { absent: ZERO },
    },
  },
  body: "a grant or a revocation",
  signer: "authority",
  paths: {
    "/v1/tokens/grant_authority": {
      summary: "Grant or revoke a role",
      description: "Signed by the master authority; minting rights also by the master mint and burn authority.",
      section: "specification 5.8; wire 1.2, W6",
      v2: { opType: 4 },
    },
  },
  spec: ["token", "authorityAddress", "action", "authorityType", "value"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: authorityFault,
  inToken: {
    role: undefined,
    refusal: authorityRefusal,
    restriction: authorityRestriction,
    execute: changing(regranted),
  },
  verbs: {
    grant: roleVerb(
      "Grant",
      'Gives a role, or sets the allowance of a holder. Example: grant: { from: issuer, token: USD, role: MintBurnTokens, to: minter, allowance: "100" }',
    ),
    revoke: roleVerb("Revoke", "Revokes a role. Example: revoke: { from: issuer, token: USD, role: Pause, to: guard }"),
  },
};

export const pause: Kind<Pause, Pick<PolicyForms, "pause" | "unpause">> = {
  fields: { action: { type: "text", wire: "action", about: "the action", spellings: SPELLINGS.pause }, token: TOKEN },
  body: "a pause or its end",
  signer: "authority",
  paths: {
    "/v1/tokens/pause": {
      summary: "Pause or unpause",
      description: "A paused token cannot be transferred, minted or burned.",
      section: "specification 5.10; wire 1.2, W7",
      v2: { opType: 7 },
    },
  },
  spec: ["token", "action"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: ({ action }) =>
    pauseActionOf(action) === undefined ? actionFault("action", action, SPELLINGS.pause) : undefined,
  inToken: {
    role: "Pause",
    refusal: (_state, token, policy, operation) => {
      const wanted = pauses(operation);
      return policy.isPaused === wanted ? { code: "business_pause_state", token, paused: wanted } : undefined;
    },
    restriction: (operation) => (pauses(operation) ? { type: "pause", token: operation.token } : undefined),
    execute: changing((policy, operation) => ({ ...policy, isPaused: pauses(operation) })),
  },
  verbs: {
    pause: {
      about: "Stops payments, mints and burns of a token. Example: pause: { from: guard, token: USD }",
      form: { from: FROM, token: OF_TOKEN },
      fills: { token: "token", action: { fixed: "Pause" } },
    },
    unpause: {
      about: "Ends a pause. Example: unpause: { from: guard, token: USD }",
      form: { from: FROM, token: OF_TOKEN },
      fills: { token: "token", action: { fixed: "Unpause" } },
    },
  },
};

function listVerb(changed: List["list"], about: string): Verb<ListForm> {
  return {
    about,
    form: {
      from: FROM,
      token: OF_TOKEN,
      address: { type: "account", about: "the address" },
      action: { type: "change", about: "the change" },
    },
    fills: { list: { fixed: changed }, token: "token", address: "address", action: "action" },
  };
}

function roleVerb(action: "Grant" | "Revoke", about: string): Verb<RoleForm> {
  return {
    about,
    form: {
      from: FROM,
      token: OF_TOKEN,
      role: { type: "role", about: "the role" },
      to: { type: "account", about: "the holder of the role" },
      allowance: { type: "amount", about: "the amount that a holder of MintBurnTokens may mint", optional: true },
    },
    fills: {
      action: { fixed: action },
      token: "token",
      authorityAddress: "to",
      authorityType: "role",
      value: "allowance",
    },
  };
}

/** Returns the execution of an operation that changes nothing but the policy. */
function changing<O extends Authority | Pause>(
  change: (policy: Token, operation: O) => Token,
): TokenEffect<O>["execute"] {
  return (state, token, policy, operation) =>
    withToken(state, token, change(required(policy, `token ${token}`), operation));
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
  const held = holds(policy, address, role);
  if (action === "revoke") return held ? undefined : { code: "business_role_not_held", token, role, address };
  // A second grant sets the allowance and adds no holder.
  const isFull = !held && policy.roles[role].size >= ROLE_CAPS[role];
  return isFull ? { code: "business_role_full", token, role, cap: ROLE_CAPS[role] } : undefined;
}

/** The master grants every role; the master mint-burn authority grants minting and burning only (specification 4.4). */
function mayGrant(policy: Token, signer: Address, role: Role): boolean {
  return signer === policy.masterAuthority || (role === "MintBurnTokens" && holds(policy, signer, "MasterMintBurn"));
}

function authorityRestriction(operation: Authority): Restriction | undefined {
  const { token, authorityAddress: address } = operation;
  const role = roleOf(operation.authorityType);
  if (role === undefined) return undefined;
  if (grantActionOf(operation.action) === "revoke") return { type: "revoke", token, address, role };
  if (!setsAllowance(operation.authorityType)) return undefined;
  return { type: "allowance", token, address, value: operation.value ?? ZERO };
}

function regranted(policy: Token, { authorityType, action, authorityAddress, value }: Authority): Token {
  const role = required(roleOf(authorityType), `role ${authorityType}`);
  if (grantActionOf(action) === "revoke") return revoked(policy, authorityAddress, role);
  const held = policy.roles[role].get(authorityAddress) ?? null;
  return granted(policy, authorityAddress, role, setsAllowance(authorityType) ? (value ?? ZERO) : held);
}

function pauses({ action }: Pause): boolean {
  return pauseActionOf(action) === "pause";
}
