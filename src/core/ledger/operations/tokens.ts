/** Operations that create and describe a token: issue and metadata (specification 5.5, 5.9). */
import { ZERO } from "../../base/amount.ts";
import { requireDefined } from "../../base/assert.ts";
import { bool } from "../../base/encoding.ts";
import type { Address, Version } from "../../base/ids.ts";
import type { Issue, Metadata } from "../../base/operation.ts";
import type { Refusal } from "../../base/refusal.ts";
import { labelFault, textTooLong } from "../field-rules.ts";
import * as limits from "../limits.ts";
import { type LedgerState, withToken } from "../state.ts";
import { issuedTokenAddress, noRoles, type Token } from "../token.ts";
import { type Kind, namedToken, namedTokenSlot, TOKEN } from "./kind.ts";

export const issue: Kind<Issue> = {
  fields: {
    symbol: { type: "text", wire: "symbol", about: "the symbol", example: "EUR" },
    name: { type: "text", wire: "name", about: "the name", example: "Euro" },
    decimals: { type: "count", wire: "decimals", about: "the decimals", most: limits.DECIMALS_MAX },
    masterAuthority: { type: "address", wire: "master_authority", about: "the master authority" },
    isPrivate: {
      type: "flag",
      wire: "is_private",
      about: "whether only whitelisted addresses may hold it",
      optional: true,
      absent: bool(false),
      clientNeeds: true,
    },
    clawbackEnabled: {
      type: "flag",
      wire: "clawback_enabled",
      about: "whether its authorities may claw it back; absent means true",
      optional: true,
      v2: { absent: true },
    },
  },
  signer: "operator",
  opType: 2,
  token: tokenOfIssue,
  effectSlot: (operation) => ({ where: "token", token: tokenOfIssue(operation) }),
  fault: issueFault,
  inToken: {
    role: "Operator",
    refusal: (_state, token) => ({ code: "business_token_exists", token }),

    execute: (state, token, _policy, operation) => withToken(state, token, newToken(operation, state.openTokens)),
  },
};

export const metadata: Kind<Metadata> = {
  fields: {
    name: { type: "text", wire: "name", about: "the name", example: "Euro" },
    uri: { type: "text", wire: "uri", about: "the address of its page", example: "https://example.org/eur" },
    token: TOKEN,
    additional: {
      type: "pairs",
      wire: "additional_metadata",
      about: "a list of pairs, or null for none",
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
 * Returns a new token: paused unless the genesis opens tokens, public and open to clawback unless it says otherwise, its
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
