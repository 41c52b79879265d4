/** Schemas of the bodies of writes, and the paths that take them (wire 1.2, 3.3, 3.5, 3.9). */
import type { List, OperationKind } from "../../../core/base/operation.ts";
import { DECIMALS_MAX } from "../../../core/ledger/limits.ts";
import { SPELLINGS } from "../../../core/ledger/spelling.ts";
import { CHAIN_ID_DEFAULT } from "../../../scenario/parameters.ts";
import { type Optional, optional, type Shape } from "../../../scenario/schema/shape.ts";
import {
  address,
  amountIn,
  boolean,
  coded,
  count,
  list,
  object,
  oneOf,
  orNull,
  withCode,
  words,
} from "./schema-types.ts";

/** r, s and v in any of the spellings of wire 3.5. */
export interface SignatureBody {
  readonly r: string | number;
  readonly s: string | number;
  readonly v: string | number | boolean;
}

/** Absent members are empty texts (wire 3.3). */
export interface MemoBody {
  readonly type?: string;
  readonly format?: string;
  readonly data?: string;
}

/** The members of every body. */
export interface BodyHead {
  readonly chain_id: number;
  readonly nonce: number;
  readonly memo?: MemoBody | null;
  readonly signature: SignatureBody;
}

const number = (what: string): Shape<string | number> =>
  withCode(
    `${what}: 0x and 1 to 64 hex digits, or a decimal integer`,
    {
      type: ["string", "integer"],
      pattern: "^(0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$",
      minimum: 0,
      examples: ["0x41e1e158803da19ef1fc9ab35d86776cb02ac493265b948ff18b2c57a4e52432"],
    },
    "validation_signature",
  );

const signature: Shape<SignatureBody> = object<SignatureBody>(
  "the signature: an object of r, s and v",
  {
    r: number("r"),
    s: number("s, of the lower half of the group"),
    v: withCode(
      "0 or 1",
      { enum: [0, 1, 27, 28, "0", "1", "27", "28", true, false], examples: [0] },
      "validation_signature",
    ),
  },
  coded("validation_signature"),
);

/** Returns the schema of a signed text. */
export function text(what: string, ...examples: readonly string[]): Shape<string> {
  return words(what, "validation_text", examples);
}

const memo = orNull(
  object<MemoBody>(
    "a memo: null or an object of the texts type, format and data",
    {
      type: optional(text("what the memo is about", "purpose/SALA")),
      format: optional(text("the format of the data", "text/plain")),
      data: optional(text("the memo itself", "invoice-001")),
    },
    coded("validation_text"),
  ),
);

/** Schemas of the members of every body. */
export const head: {
  readonly chain_id: Shape<number>;
  readonly nonce: Shape<number>;
  readonly memo: Optional<MemoBody | null>;
  readonly signature: Shape<SignatureBody>;
} = {
  chain_id: count("the chain id", "validation_chain_id", undefined, CHAIN_ID_DEFAULT),
  nonce: count("the nonce", "validation_nonce", undefined, 0),
  memo: optional(memo),
  signature,
};

/** W2. */
export type CancellationBody = BodyHead;

/** W1 and W4. */
export interface TransferBody extends BodyHead {
  readonly recipient: string;
  readonly value: string | number;
  readonly token: string;
}

/** W3. */
export interface IssueBody extends BodyHead {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly master_authority: string;
  readonly is_private?: boolean;
  readonly clawback_enabled?: boolean;
}

/** W5. */
export interface BurnBody extends BodyHead {
  readonly recipient?: string;
  readonly value: string | number;
  readonly token: string;
}

/** W6. */
export interface AuthorityBody extends BodyHead {
  readonly action: string;
  readonly authority_type: string;
  readonly authority_address: string;
  readonly token: string;
  readonly value?: string | number | null;
}

/** W7. */
export interface PauseBody extends BodyHead {
  readonly action: string;
  readonly token: string;
}

/** W8 to W11. */
export interface ListBody extends BodyHead {
  readonly action: string;
  readonly address: string;
  readonly token: string;
}

/** W12. */
interface MetadataPair {
  readonly key: string;
  readonly value: string;
}

export interface MetadataBody extends BodyHead {
  readonly name: string;
  readonly uri: string;
  readonly token: string;
  /** Null from clients whose language writes an empty list so. */
  readonly additional_metadata: readonly MetadataPair[] | null;
}

const token = address("the token");
const value = amountIn("the amount");

/** W2. */
export const cancellationBody: Shape<CancellationBody> = object<CancellationBody>("a cancellation", head);

/** W1. */
export const paymentBody: Shape<TransferBody> = object<TransferBody>("a payment", {
  ...head,
  recipient: address("the recipient"),
  value,
  token,
});

/** W4. */
export const mintBody: Shape<TransferBody> = object<TransferBody>("a mint", {
  ...head,
  recipient: address("the account credited"),
  value,
  token,
});

/** W3. */
export const issueBody: Shape<IssueBody> = object<IssueBody>("the issue of a token", {
  ...head,
  symbol: text("the symbol", "EUR"),
  name: text("the name", "Euro"),
  decimals: count("the decimals", "validation_decimals", DECIMALS_MAX),
  master_authority: address("the master authority"),
  is_private: optional(boolean("whether only whitelisted addresses may hold it")),
  clawback_enabled: optional(boolean("the clawback flag of clients: signed if present, otherwise without effect")),
});

/** W5. */
export const burnBody: Shape<BurnBody> = object<BurnBody>("a burn", {
  ...head,
  recipient: optional(address("the account burned from, where it is not the signer")),
  value,
  token,
});

/** W6. */
export const authorityBody: Shape<AuthorityBody> = object<AuthorityBody>("a grant or a revocation", {
  ...head,
  action: oneOf("the action", SPELLINGS.grant, "validation_action"),
  authority_type: oneOf("the role", SPELLINGS.role, "validation_action"),
  authority_address: address("the account that gets or loses the role"),
  token,
  value: optional(orNull(amountIn("the allowance, null for 0"))),
});

/** W7. */
export const pauseBody: Shape<PauseBody> = object<PauseBody>("a pause or its end", {
  ...head,
  action: oneOf("the action", SPELLINGS.pause, "validation_action"),
  token,
});

/** W8 and W9: the path names the list. W10 and W11, older: the action does. */
export function listBody(actions: readonly string[]): Shape<ListBody> {
  return object<ListBody>("a change of a list", {
    ...head,
    action: oneOf("the action", actions, "validation_action"),
    address: address("the account listed"),
    token,
  });
}

/** W12. */
export const metadataBody: Shape<MetadataBody> = object<MetadataBody>("an update of metadata", {
  ...head,
  name: text("the name", "Euro"),
  uri: text("the address of its page", "https://example.org/eur"),
  token,
  additional_metadata: orNull(
    list(
      "a list of pairs, or null for none",
      object<MetadataPair>(
        "a pair of key and value",
        { key: text("the key", "issuer"), value: text("the value", "Example Bank") },
        coded("validation_text"),
      ),
      coded("validation_text"),
    ),
  ),
});

/** Operation of a path. */
export interface WritePath {
  readonly kind: OperationKind;
  readonly body: Shape<unknown>;
  /** List that is changed; `undefined` if the action names it. */
  readonly list?: List["list"];
}

/** Equivalent paths are adjacent; W10 and W11 are older than W8 and W9. */
export const WRITES: Readonly<Record<string, WritePath>> = {
  "/v1/transactions/payment": { kind: "payment", body: paymentBody },
  "/v1/transactions/cancellation": { kind: "cancellation", body: cancellationBody },
  "/v1/tokens/issue": { kind: "issue", body: issueBody },
  "/v1/tokens/mint": { kind: "mint", body: mintBody },
  "/v1/tokens/burn": { kind: "burn", body: burnBody },
  "/v1/tokens/grant_authority": { kind: "authority", body: authorityBody },
  "/v1/tokens/pause": { kind: "pause", body: pauseBody },
  "/v1/tokens/manage_blacklist": {
    kind: "list",
    list: "blacklist",
    body: listBody(["Add", "Remove", "Blacklist"]),
  },
  "/v1/tokens/manage_whitelist": {
    kind: "list",
    list: "whitelist",
    body: listBody(["Add", "Remove", "Whitelist"]),
  },
  "/v1/tokens/managelist": { kind: "list", body: listBody(["Blacklist", "Whitelist"]) },
  "/v1/tokens/blacklist": { kind: "list", body: listBody(["Blacklist", "Whitelist"]) },
  "/v1/tokens/update_metadata": { kind: "metadata", body: metadataBody },
};

/** The path of a recovery, which no published client has (wire 3.9). */
export const RECOVERY_PATH = "/v1/transactions/recovery";

/** One signed body, and the path that it was for. */
export interface EvidenceBody {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RecoveryBody {
  readonly chain_id: number;
  readonly account: string;
  readonly nonce: number;
  readonly evidence: readonly [EvidenceBody, EvidenceBody];
}

const evidence = object<EvidenceBody>(
  "an object of path and body",
  {
    path: oneOf("the path of a write", Object.keys(WRITES), "validation_evidence"),
    body: withCode("the body that was signed, an object", { type: "object" }, "validation_evidence"),
  },
  coded("validation_evidence"),
);

/** Two different bodies that `account` has signed for one nonce, in any order. */
export const recoveryBody: Shape<RecoveryBody> = object<RecoveryBody>("a recovery", {
  chain_id: count("the chain id", "validation_chain_id"),
  account: address("the account that is blocked"),
  nonce: count("the nonce that is skipped", "validation_nonce"),
  evidence: list("a list of two signed bodies", evidence, {
    minItems: 2,
    maxItems: 2,
    ...coded("validation_evidence"),
  }) as unknown as Shape<RecoveryBody["evidence"]>,
});
