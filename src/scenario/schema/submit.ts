/** Schema of submissions. */
import type { Static } from "typebox";
import { unreachable } from "../../core/base/assert.ts";
import type { Layout } from "../../core/base/operation.ts";
import type { RoleSpelling } from "../../core/ledger/spelling.ts";
import { OLDER_LAYOUTS, type OlderLayoutName } from "../../layouts/older-layouts.ts";
import {
  choiceWithMeanings,
  example,
  flag,
  list,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  type Shapes,
  shape,
  table,
  text,
  wholeNumber,
  wholeNumberOr,
  withDescription,
} from "../../schema/shape.ts";
import { LEGS_MAX } from "../limits.ts";
import { type FormMember, type OperationForms, VERBS } from "../verbs.ts";
import { account, amount, name, names } from "./scalars.ts";

export const LIST_ACTIONS: Readonly<Record<OperationForms["blacklist"]["action"], string>> = {
  add: "Adds the address to the list.",
  remove: "Removes the address from the list.",
};

export const ROLE_MEANINGS: Readonly<Record<RoleSpelling, string>> = {
  MasterMintBurn: "Grants and revokes MintBurnTokens.",
  MasterMint: "Older spelling of MasterMintBurn.",
  MintBurnTokens: "Mints within an allowance, and burns.",
  MintTokens: "Older spelling of MintBurnTokens.",
  Burn: "Older spelling of MintBurnTokens that leaves the allowance as it is.",
  Pause: "Pauses and unpauses the token.",
  ManageList: "Changes the blacklist or whitelist.",
  Blacklist: "Older spelling of ManageList.",
  Whitelist: "Older spelling of ManageList.",
  UpdateMetadata: "Replaces the metadata.",
  Clawback: "Claws back.",
  Bridge: "Mints for transactions of other chains.",
};

const LAYOUT_MEANINGS: Readonly<Record<Layout, string>> = {
  client: "The order in which the clients of the network sign.",
  ...(Object.fromEntries(Object.entries(OLDER_LAYOUTS).map(([layout, { about }]) => [layout, about])) as Record<
    OlderLayoutName,
    string
  >),
  v2: "Version 2: the clients' order with a domain and the kind, always with a memo; the only form of what a multisig account signs and of its creation.",
};

const SIGNATURES = {
  second: "A second valid signature, as a signer that draws random numbers makes it; the id is the same.",
  none: "65 zero bytes stand in place of the signature.",
  broken: "One byte of the signature is changed.",
  high_s: "The signature has the high s value, which validators reject as malleable.",
  last_broken: "One byte of the last signature of a multisig account is changed.",
  reversed: "The signatures of a multisig account stand in descending order of their keys.",
};

const { payment, cancellation, ...others } = Object.fromEntries(
  Object.entries(VERBS).map(([verb, { about, form }]) => [verb, formShape(about, form)]),
) as unknown as Shapes<OperationForms>;

export const KINDS = {
  payment,
  cancellation,
  recovery: object(
    "A recovery skips a nonce for which the owner signed two operations; any client may submit it. Example: recovery: { account: alice, evidence: [x, y] }",
    {
      account: account("the blocked account"),
      evidence: list("the two operations: a list of accounts", name("an operation"), { minItems: 2, maxItems: 2 }),
      from: optional(account("the client that submits it; default: that of the blocked account")),
    },
  ),
  ...others,
  repeat: withDescription(
    "Submits the bytes of an earlier operation once more, or with its `second` signature. Example: repeat: x",
    name("an operation"),
  ),
};

/** The compiler has compared the members of the form with its type. */
function formShape(about: string, form: Readonly<Record<string, FormMember>>): Shape<unknown> {
  const members = Object.entries(form).map(([member, part]) => {
    const shaped = memberShape(part);
    return [member, part.optional === true ? optional(shaped) : shaped] as const;
  });
  return object(about, Object.fromEntries(members));
}

function memberShape({ type, about, optional: mayBeAbsent, isTrueWhenAbsent }: FormMember): Shape<unknown> {
  switch (type) {
    case "account":
    case "token":
    case "multisig":
      return account(about);
    case "amount":
      return amount(about);
    case "name":
      return name(about);
    case "text":
      // An empty text is there, which some layouts sign in another way than none.
      return text(about, undefined, mayBeAbsent === true ? { minLength: 0 } : {});
    case "chain":
      return wholeNumber(about, 1, Number.MAX_SAFE_INTEGER);
    case "count":
      return shape({ type: "integer", description: about, minimum: 0, maximum: 255 });
    case "flag":
      return shape({ ...flag(about), default: isTrueWhenAbsent === true });
    case "time":
      return wholeNumber(about, 0, Number.MAX_SAFE_INTEGER);
    case "legs":
      return list(about, object("one payment", { to: account("the recipient"), value: amount("the amount") }), {
        maxItems: LEGS_MAX,
      });
    case "pairs":
      return table(about, ".*", text("the value of one key"));
    case "role":
      return choiceWithMeanings(about, ROLE_MEANINGS);
    case "change":
      return choiceWithMeanings(about, LIST_ACTIONS);
    default:
      return unreachable(type);
  }
}

export type SubmitKind = keyof typeof KINDS;

export const SUBMIT_KINDS = Object.keys(KINDS) as readonly SubmitKind[];

export const submit = object(
  'A client submits an operation of exactly one kind. Example: - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }',
  {
    ...optionals(KINDS),
    id: optional(example(name("the name of the operation in this file"), "x")),
    nonce: optional(wholeNumber("the nonce, required but for `repeat`: 0 to 2^53 - 1", 0, Number.MAX_SAFE_INTEGER)),
    layout: optional(
      choiceWithMeanings(
        "the order in which the fields are signed; default: client, and v2 for what only v2 signs",
        LAYOUT_MEANINGS,
      ),
    ),
    memo: optional(
      object(
        "A memo that is signed with the operation: texts, empty where absent. Without one an operation has none, or three empty texts in version 2. Example: memo: { format: text/plain, data: invoice 1 }",
        {
          type: optional(text("the subject of the memo")),
          format: optional(text("the format of the data")),
          data: optional(text("the content of the memo")),
        },
      ),
    ),
    recent_epoch: optional(
      wholeNumber(
        "the epoch that is signed first, before recent_checkpoint, as clients of 2025-07 to 2025-10 do",
        0,
        Number.MAX_SAFE_INTEGER,
      ),
    ),
    recent_checkpoint: optional(
      wholeNumber(
        "the checkpoint that is signed before the chain id, as clients of 2025-07 to 2025-11 do",
        0,
        Number.MAX_SAFE_INTEGER,
      ),
    ),
    chain_id: optional(wholeNumber("the chain id that is signed; default: this network's", 0, Number.MAX_SAFE_INTEGER)),
    signature: optional(choiceWithMeanings("another signature than the one that clients make", SIGNATURES)),
    signed_by: optional(account("the account whose key signs; default: the signing account")),
    signers: optional(
      names("the signers of an operation of a multisig account; default: the fewest that reach its threshold"),
    ),
    times: wholeNumberOr(1, "the number of times that the same bytes are submitted", 1, 100),
  },
  oneOf(SUBMIT_KINDS),
);

export type SubmitSpec = Static<typeof submit>;

/** Exactly one of them. */
export type SubmitKinds = Pick<SubmitSpec, SubmitKind>;
