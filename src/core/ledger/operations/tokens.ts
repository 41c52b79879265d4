/** Operations that create and describe a token: issue and metadata (specification 5.5, 5.9). */
import { ZERO } from "../../base/amount.ts";
import { required } from "../../base/assert.ts";
import { bool } from "../../base/encoding.ts";
import type { Address, Version } from "../../base/ids.ts";
import type { Issue, Metadata } from "../../base/operation.ts";
import type { Refusal } from "../../base/refusal.ts";
import { labelFault, textTooLong } from "../field-rules.ts";
import * as limits from "../limits.ts";
import { type LedgerState, withToken } from "../state.ts";
import { issuedTokenAddress, noRoles, type Token } from "../token.ts";
import { FROM, inNamedToken, type Kind, namedToken, OF_TOKEN, TOKEN } from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface TokenForms {
  readonly issue: {
    readonly from?: string;
    readonly symbol: string;
    readonly name?: string;
    readonly decimals: number;
    readonly master: string;
    readonly private?: boolean;
    readonly clawback?: boolean;
  };
  readonly metadata: {
    readonly from: string;
    readonly token: string;
    readonly name: string;
    readonly uri?: string;
    readonly additional?: Readonly<Record<string, string>>;
  };
}

export const issue: Kind<Issue, Pick<TokenForms, "issue">> = {
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
      absent: { client: bool(false) },
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
  body: "the issue of a token",
  signer: "operator",
  paths: {
    "/v1/tokens/issue": {
      summary: "Issue a token",
      description: "Signed by the operator of the network. The response contains the address of the new token.",
      section: "specification 5.5; wire 1.2, W3",
      v2: {
        opType: 2,
        description:
          "Signed by the operator of the network. Without clawback_enabled it is signed as true. The response contains the address of the new token.",
      },
    },
  },
  spec: ["name", "symbol", "decimals", "masterAuthority", "isPrivate"],
  token: tokenOfIssue,
  effectSlot: (operation) => ({ where: "token", token: tokenOfIssue(operation) }),
  fault: issueFault,
  inToken: {
    role: "Operator",
    refusal: (_state, token) => ({ code: "business_token_exists", token }),

    execute: (state, token, _policy, operation) => withToken(state, token, issued(operation, state.openTokens)),
  },
  verbs: {
    issue: {
      about:
        "Creates a token, which starts paused unless `genesis.open_tokens` is true. Example: issue: { symbol: EUR, decimals: 2, master: issuer }",
      form: {
        from: { type: "account", about: "the signing account; default: the operator", optional: true },
        symbol: { type: "name", about: "the symbol" },
        name: {
          type: "text",

          about: "the full name of the token; default: its symbol",
          optional: true,
          otherwise: { from: "symbol" },
        },
        decimals: { type: "count", about: "the number of decimals, of which validators refuse more than 18: 0 to 255" },
        master: { type: "account", about: "the master authority" },
        private: {
          type: "flag",

          about: "true: only whitelisted addresses may use the token",
          optional: true,
          otherwise: { value: false },
        },
        clawback: {
          type: "flag",
          about: "true: its authorities may claw it back",
          optional: true,
          isTrueWhenAbsent: true,
        },
      },
      fills: {
        symbol: "symbol",
        name: "name",
        decimals: "decimals",
        masterAuthority: "master",
        isPrivate: "private",
        clawbackEnabled: "clawback",
      },
    },
  },
};

export const metadata: Kind<Metadata, Pick<TokenForms, "metadata">> = {
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
  body: "an update of metadata",
  signer: "authority",
  paths: {
    "/v1/tokens/update_metadata": {
      summary: "Update metadata",
      description: "Sets name, uri and pairs of key and value. Signed by a metadata update authority.",
      section: "specification 5.11; wire 1.2, W12",
      v2: { opType: 10 },
    },
  },
  spec: ["token", "name", "uri", "additional"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: metadataFault,
  inToken: { role: "UpdateMetadata", execute: describe },
  verbs: {
    metadata: {
      about:
        "Replaces the name, the uri and further pairs of a token. Example: metadata: { from: issuer, token: USD, name: Dollar }",
      form: {
        from: FROM,
        token: OF_TOKEN,
        name: { type: "text", about: "the new name" },
        uri: { type: "text", about: "the new uri; default: empty", optional: true, otherwise: { value: "" } },
        additional: {
          type: "pairs",

          about: "the key and value pairs; default: none",
          optional: true,
          otherwise: { value: [] },
        },
      },
      fills: { token: "token", name: "name", uri: "uri", additional: "additional" },
    },
  },
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
function issued(operation: Issue, isOpen: boolean): Token {
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

function describe(state: LedgerState, token: Address, policy: Token | undefined, operation: Metadata): LedgerState {
  const { name, uri, additional } = operation;
  return withToken(state, token, { ...required(policy, `token ${token}`), name, uri, additional });
}
