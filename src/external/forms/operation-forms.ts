/** Forms of operations that clients sign, of texts and numbers in them, and of their signers. */
import type { Amount } from "../../core/base/amount.ts";
import type { AccountSignature, Address, Hash, Nonce, PublicKey, Signature } from "../../core/base/ids.ts";
import {
  LAYOUTS,
  type Leg,
  type Memo,
  type Operation,
  type OperationKind,
  type Recovery,
  type SignedOperation,
  type SignerSet,
  type Submission,
  type WeightedKey,
} from "../../core/base/operation.ts";
import type { Field, FieldType } from "../../core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../../core/ledger/operations/kinds.ts";
import {
  anyText,
  count,
  defineForm,
  type Fields,
  type Form,
  flag,
  list,
  natural,
  optional,
  pair,
  patternText,
  type RecordForm,
  record,
  union,
  variant,
  withMeaning,
  wordOf,
} from "./form.ts";

export const address: Form<Address> = patternText("address", "^0x[0-9a-f]{40}$");
export const hash: Form<Hash> = patternText("hash", "^0x[0-9a-f]{64}$");
/** Any text: one that is no signature proves nothing. */
export const signature: Form<Signature> = anyText("signature");
const publicKey: Form<PublicKey> = patternText("public key", "^0x0[23][0-9a-f]{64}$");
export const amount: Form<Amount> = natural("amount");
export const nonce: Form<Nonce> = count();

const FIELD_FORMS: Readonly<Record<FieldType, Form<unknown>>> = {
  address,
  amount,
  chain: count(),
  count: count(),
  flag,
  hex: anyText("hex digits"),
  legs: list(record<Leg>("Payment of a batch.", { recipient: address, amount })),
  pairs: list(pair(anyText(), anyText())),
  signers: list(record<WeightedKey>("Member of a signer set.", { key: publicKey, weight: count() })),
  text: anyText(),
  time: natural("seconds"),
};

/** Members of an operation that are no fields of its kind. */
const COMMON: Readonly<Record<string, Form<unknown>>> = {
  layout: withMeaning("the form in which it is signed (wire 3)", wordOf(...LAYOUTS)),
  chainId: count(),
  nonce,
  account: optional(withMeaning("the multisig account that signs", address)),
  memo: optional(record<Memo>("Text signed with it.", { type: anyText(), format: anyText(), data: anyText() })),
  recentEpoch: optional(count()),
  recentCheckpoint: optional(count()),
};

function operationForm(kind: OperationKind): RecordForm<never> {
  const fields = Object.entries<Field>(KINDS[kind].fields).map(([name, { type, description, ...field }]) => {
    // Some layouts lack a field that others have (wire 3.9).
    const mayLack = field.optional === true || field.clientNeeds === true || field.v2 !== undefined;
    const form = withMeaning(description, FIELD_FORMS[type]);
    return [name, mayLack ? optional(form) : form] as const;
  });
  const listed = kind === "list" ? [["list", wordOf("blacklist", "whitelist")] as const] : [];
  return record(`Specification 5, ${kind}.`, {
    ...COMMON,
    ...Object.fromEntries([...listed, ...fields]),
  } as Fields<never>);
}

const operation = defineForm(
  "Operation",
  union<Operation, "kind">(
    "kind",
    Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, operationForm(kind)])) as never,
  ),
);

export const signedOperation = defineForm(
  "SignedOperation",
  record<SignedOperation>("Operation with its sender, and the signature of the sender's key or signer set.", {
    operation,
    sender: address,
    signature: signature as Form<AccountSignature>,
  }),
);

export const equivocationProof = defineForm(
  "EquivocationProof",
  record<Recovery["evidence"]>("Two operations of one account and nonce.", {
    first: signedOperation,
    second: signedOperation,
  }),
);

const recovery = defineForm(
  "Recovery",
  record<Recovery>("Frees an account that its owner's conflicting operations blocked.", {
    kind: wordOf("recovery"),
    chainId: count(),
    account: address,
    nonce,
    evidence: equivocationProof,
  }),
);

export const submission = defineForm(
  "Submission",
  variant<Submission>([signedOperation, recovery], (value) =>
    typeof value === "object" && value !== null && "evidence" in value ? 1 : 0,
  ),
);

export const signerSet = defineForm(
  "SignerSet",
  record<SignerSet>("Signers of a multisig account.", {
    signers: FIELD_FORMS.signers as Form<SignerSet["signers"]>,
    threshold: count(),
  }),
);
