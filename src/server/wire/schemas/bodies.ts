/** Schemas of the bodies of writes, and the paths that take them (wire 1.2, 3.3, 3.5, 3.9). */
import type { Static, TProperties } from "typebox";
import { unreachable } from "../../../core/base/assert.ts";
import type { OperationKind } from "../../../core/base/operation.ts";
import { SPELLED_NUMBER } from "../../../core/base/spelled-number.ts";
import { BATCH_LEGS, SIGNERS_MAX } from "../../../core/ledger/limits.ts";
import type { Field } from "../../../core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../../../core/ledger/operations/kinds.ts";
import { CHAIN_ID_DEFAULT } from "../../../scenario/parameters.ts";
import { type ObjectShape, optional, type Shape } from "../../../schema/shape.ts";
import { ENVELOPE_PATH, ENVELOPES, type WriteForm, type WriteVersion, writePathsOf } from "../paths.ts";
import {
  address,
  amountIn,
  boolean,
  count,
  faultCodeKeyword,
  KEY_EXAMPLE,
  list,
  namedObject,
  nullable,
  object,
  oneOf,
  textOrInteger,
  withCode,
  withTitle,
  words,
} from "./schema-types.ts";

const number = (description: string): Shape<string | number> =>
  textOrInteger(
    `${description}: 0x and 1 to 64 hex digits, or a decimal integer`,
    SPELLED_NUMBER,
    "0x41e1e158803da19ef1fc9ab35d86776cb02ac493265b948ff18b2c57a4e52432",
    "validation_signature",
  );

/** `parities`: accepted spellings of v. */
const signatureOf = (parities: readonly (string | number | boolean)[]) =>
  object(
    "the signature: an object of r, s and v",
    {
      r: number("r"),
      s: number("s, of the lower half of the group"),
      v: withCode<string | number | boolean>("0 or 1", { enum: parities, examples: [0] }, "validation_signature"),
    },
    faultCodeKeyword("validation_signature"),
  );

const signature = withTitle("SignatureBody", signatureOf([0, 1, 27, 28, "0", "1", "27", "28", true, false]));

/** r, s and v in any of the spellings of wire 3.5. */
export type SignatureBody = Static<typeof signature>;

/** Returns the schema of a signed text. */
export function text(description: string, ...examples: readonly string[]): Shape<string> {
  return words(description, "validation_text", examples);
}

/** Bytes in hex. */
function hexDigits(about: string): Shape<string> {
  const pattern = "^0x([0-9a-fA-F]{2})*$";
  return withCode(`${about}: 0x and hex digits`, { type: "string", pattern, examples: ["0x"] }, "validation_text");
}

const memoTexts = {
  type: text("what the memo is about", "purpose/SALA"),
  format: text("the format of the data", "text/plain"),
  data: text("the memo itself", "invoice-001"),
};

const memo = nullable(
  object(
    "a memo: null or an object of the texts type, format and data",
    { type: optional(memoTexts.type), format: optional(memoTexts.format), data: optional(memoTexts.data) },
    faultCodeKeyword("validation_text"),
  ),
);

/** Schemas of the members of every body of version 1. */
const head = {
  chain_id: count("the chain id", "validation_chain_id", undefined, CHAIN_ID_DEFAULT),
  nonce: count("the nonce", "validation_nonce", undefined, 0),
  memo: optional(memo),
  recent_epoch: optional(
    count("the epoch that the client knew last, which it signs first, before recent_checkpoint", "validation_layout"),
  ),
  recent_checkpoint: optional(
    count("the checkpoint that the client knew last, which it signs before the chain id", "validation_layout"),
  ),
  signature,
};

/** Types of authorization (wire 1.3): by one key, and by members of a multisig account. */
export const AUTHORIZATION_TYPES = ["single_secp256k1", "multisig_secp256k1"] as const;

const domainSignature = withTitle("DomainSignatureBody", signatureOf([0, 1, true, false]));

/** Public key in hex. */
const publicKey = withCode<string>(
  "a public key, compressed: 0x and 66 hex digits",
  {
    type: "string",
    pattern: "^0x0[23][0-9a-fA-F]{64}$",
    examples: [KEY_EXAMPLE],
  },
  "validation_signature",
);

const memberSignatures = list(
  `the signatures of its signers, 1 to ${SIGNERS_MAX}, ascending by key`,
  object(
    "a signature with its key",
    { signer_pubkey: publicKey, signature: domainSignature },
    faultCodeKeyword("validation_signature"),
  ),
  { minItems: 1, maxItems: SIGNERS_MAX, ...faultCodeKeyword("validation_signature") },
);

const multisigAccount = address("the multisig account");

const authorization = namedObject(
  "AuthorizationBody",
  "the authorization: its type, and the signature of one key, or a multisig account with signatures of its signers",
  {
    type: oneOf("the type", AUTHORIZATION_TYPES, "UNSUPPORTED_AUTHORIZATION_TYPE"),
    signature: optional(domainSignature),
    account: optional(multisigAccount),
    signatures: optional(memberSignatures),
  },
  faultCodeKeyword("validation_signature"),
);

/** Authorization of a checked shape: which members it needs depends on its type. */
export type AuthorizationBody = Static<typeof authorization>;

/** Schemas of the members of every body of version 2 (wire 1.3). */
const domainHead = {
  chain_id: head.chain_id,
  nonce: head.nonce,
  memo: object(
    "a memo: an object of the texts type, format and data, empty for none",
    memoTexts,
    faultCodeKeyword("validation_text"),
  ),
  authorization,
};

/** Body of a checked shape: the head, and the members of its kind. */
export type Body = Omit<Static<ObjectShape<typeof head>>, "signature"> & Readonly<Record<string, unknown>>;

/** Returns the shape of a body of this kind at a path. `first`: its first members. */
function bodyShape({ kind, actions, body }: WriteForm, version: WriteVersion, first: TProperties): Shape<unknown> {
  const { fields } = KINDS[kind];
  const members: TProperties = { ...first };
  for (const field of Object.values<Field>(fields)) {
    if (version === 2 && field.v2 === "none") continue;
    const spelled = field.wire === "action" && actions !== undefined ? { ...field, spellings: actions } : field;
    const shape = field.nullable === true ? nullable(shapeOf(spelled)) : shapeOf(spelled);
    members[field.wire] = field.optional === true ? optional(shape) : shape;
  }
  return object(body, members);
}

function shapeOf({ type, description, example, spellings, most, code }: Field): Shape<unknown> {
  switch (type) {
    case "address":
      return address(description);
    case "amount":
      return amountIn(description);
    case "chain":
      return count(description, "validation_text");
    case "count":
      return count(description, code ?? "validation_decimals", most);
    case "hex":
      return hexDigits(description);
    case "flag":
      return boolean(description);
    case "legs":
      return list(description, leg, { maxItems: BATCH_LEGS, minItems: 1, ...faultCodeKeyword("validation_batch") });
    case "time":
      return seconds(description);
    case "pairs":
      return list(description, pair, faultCodeKeyword("validation_text"));
    case "signers":
      return list(description, weightedKey, faultCodeKeyword("validation_signers"));
    case "text":
      if (spellings !== undefined) return oneOf(description, spellings, "validation_action");
      return text(description, ...(example === undefined ? [] : [example]));
    default:
      return unreachable(type);
  }
}

/** One payment of a batch (wire 1.3). */
export const leg = namedObject(
  "BatchLegBody",
  "a payment",
  { recipient: address("the recipient"), amount: amountIn("the amount") },
  faultCodeKeyword("validation_batch"),
);

/** Payment of a batch. */
export type LegBody = Static<typeof leg>;

/** The parser keeps what is no safe integer as text. */
function seconds(about: string): Shape<string | number> {
  const words = `${about}: seconds, an integer from 0 to 2^64 - 1`;
  return textOrInteger(words, "^(0|[1-9][0-9]{0,19})$", 1_747_785_600, "validation_amount");
}

const pair = object(
  "a pair of key and value",
  { key: text("the key", "issuer"), value: text("the value", "Example Bank") },
  faultCodeKeyword("validation_text"),
);

/** Clients write the bytes of a key as numbers. */
const weightedKey = object(
  "a signer: its public key and its weight",
  {
    public_key: list("the public key, compressed: 33 numbers", count("a byte", "validation_signers", 255), {
      minItems: 33,
      maxItems: 33,
      ...faultCodeKeyword("validation_signers"),
    }),
    weight: count("the weight", "validation_signers", 255),
  },
  faultCodeKeyword("validation_signers"),
);

/** Signer of a creation of a multisig account. */
export type WeightedKeyBody = Static<typeof weightedKey>;

/** Pair of an update of metadata. */
export type PairBody = Static<typeof pair>;

/** Operation of a path. */
export interface WritePath extends Omit<WriteForm, "body"> {
  readonly version: WriteVersion;
  readonly body: Shape<unknown>;
}

/** Paths of each kind: those of version 1, the newest first, then those of version 2. */
export const WRITES: Readonly<Record<string, WritePath>> = Object.fromEntries(
  OPERATION_KINDS.flatMap((kind) => [...writesOf(kind, 1), ...writesOf(kind, 2)]),
);

function writesOf(kind: OperationKind, version: WriteVersion): readonly (readonly [path: string, WritePath])[] {
  return writePathsOf(kind, version).map(([path, form]) => [
    path,
    {
      ...form,
      version,
      body: withTitle(bodyName(path), bodyShape(form, version, version === 1 ? head : domainHead)),
    },
  ]);
}

const { signature: _signature, ...unsignedHead } = head;

const envelopeSignature = object(
  "the signature: an object of one member, Single with that of one key, or Multi with a multisig account and signatures of its signers",
  {
    Single: optional(signature),
    Multi: optional(
      object(
        "a multisig account, and signatures of its signers",
        { account: multisigAccount, signatures: memberSignatures },
        faultCodeKeyword("validation_signature"),
      ),
    ),
  },
  { minProperties: 1, maxProperties: 1, ...faultCodeKeyword("validation_signature") },
);

/** Signature of an envelope of a checked shape. */
export type EnvelopeSignature = Static<typeof envelopeSignature>;

/** Form of the content of each envelope, by its name (wire 1.2, W16). */
export const ENVELOPE_WRITES: Readonly<Record<string, WritePath>> = Object.fromEntries(
  Object.entries(ENVELOPES).map(([name, form]) => {
    const members = { payload: bodyShape(form, 1, unsignedHead), signature: envelopeSignature };
    return [name, { ...form, version: 1, body: object(`${form.body} with its signature`, members) }];
  }),
);

/** Any envelope: the members of each are checked when it is opened. */
export const envelopeBody = namedObject(
  "EnvelopeBody",
  "an envelope: an object of one member, which names the operation",
  Object.fromEntries(
    Object.entries(ENVELOPES).map(([name, { body }]) => [
      name,
      optional(withCode<unknown>(`${body}, with its signature`, {})),
    ]),
  ),
);

/** Returns `ManageBlacklistBodyV1` for `/v1/tokens/manage_blacklist`. */
function bodyName(path: string): string {
  const [, version = "", ...words] = path.split(/[/_]/);
  const capitalized = words.slice(1).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [...capitalized, "Body", version.toUpperCase()].join("");
}

/** The path of a recovery, which no published client has (wire 3.9). */
export const RECOVERY_PATH = "/v1/transactions/recovery";

const evidence = namedObject(
  "EvidenceBody",
  "an object of path and body",
  {
    path: oneOf("the path of a write", [...Object.keys(WRITES), ENVELOPE_PATH], "validation_evidence"),
    body: withCode<Readonly<Record<string, unknown>>>(
      "the body that was signed, an object",
      { type: "object" },
      "validation_evidence",
    ),
  },
  faultCodeKeyword("validation_evidence"),
);

/** One signed body, and the path that it was for. */
type EvidenceBody = Static<typeof evidence>;

/** Two different bodies that `account` has signed for one nonce, in any order. */
export const recoveryBody = namedObject("RecoveryBody", "a recovery", {
  chain_id: count("the chain id", "validation_chain_id"),
  account: address("the account that is blocked"),
  nonce: count("the nonce that is skipped", "validation_nonce"),
  evidence: withCode<readonly [EvidenceBody, EvidenceBody]>(
    "a list of two signed bodies",
    { type: "array", items: evidence, minItems: 2, maxItems: 2 },
    "validation_evidence",
  ),
});

export type RecoveryBody = Static<typeof recoveryBody>;
