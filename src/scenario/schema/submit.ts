/** Schema of submissions. */
import type { Layout, Role } from "../../core/base/operation.ts";
import { account, accounts, amount, type Decimal, type Name, name } from "./scalars.ts";
import {
  defaulting,
  example,
  flag,
  meaning,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  type Shapes,
  table,
  text,
  wholeNumber,
  withDescription,
} from "./shape.ts";

/** Exactly one of them. */
export interface SubmitKinds {
  readonly payment?: { readonly from: Name; readonly to: Name; readonly token: Name; readonly value: Decimal };
  readonly cancellation?: { readonly from: Name };
  readonly recovery?: { readonly account: Name; readonly evidence: readonly Name[]; readonly from?: Name };
  readonly issue?: {
    readonly from?: Name;
    readonly symbol: string;
    readonly name?: string;
    readonly decimals: number;
    readonly master: Name;
    readonly private?: boolean;
  };
  readonly mint?: { readonly from: Name; readonly to: Name; readonly token: Name; readonly value: Decimal };
  readonly burn?: { readonly from: Name; readonly token: Name; readonly value: Decimal; readonly account?: Name };
  readonly metadata?: {
    readonly from: Name;
    readonly token: Name;
    readonly name: string;
    readonly uri?: string;
    readonly additional?: Readonly<Record<string, string>>;
  };
  readonly blacklist?: ListSpec;
  readonly whitelist?: ListSpec;
  readonly grant?: RoleSpec;
  readonly revoke?: RoleSpec;
  readonly pause?: { readonly from: Name; readonly token: Name };
  readonly unpause?: { readonly from: Name; readonly token: Name };
  /** Repeats the bytes of an earlier operation. */
  readonly repeat?: Name;
}

export type SubmitKind = keyof SubmitKinds;

export interface SubmitSpec extends SubmitKinds {
  readonly id?: Name;
  readonly nonce?: number;
  readonly layout?: Layout;
  readonly chain_id?: number;
  readonly signature?: "none" | "broken" | "high_s";
  readonly signed_by?: Name;
  readonly times?: number;
}

export interface ListSpec {
  readonly from: Name;
  readonly token: Name;
  readonly address: Name;
  readonly action: "add" | "remove";
}

export interface RoleSpec {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: Name;
  readonly allowance?: Decimal;
}

export const LIST_ACTIONS: Readonly<Record<NonNullable<ListSpec["action"]>, string>> = {
  add: "Adds the address to the list.",
  remove: "Removes the address from the list.",
};

export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  MasterMintBurn: "Grants and revokes MintBurnTokens.",
  MintBurnTokens: "Mints within an allowance, and burns.",
  Pause: "Pauses and unpauses the token.",
  ManageList: "Changes the blacklist or whitelist.",
  UpdateMetadata: "Replaces the metadata.",
};

const LAYOUT_MEANINGS: Readonly<Record<Layout, string>> = {
  client: "The order in which the clients of the network sign.",
  "client-json": "The same, with metadata pairs as one JSON text, as older clients sign them.",
  spec: "The order that the specification states.",
};

const SIGNATURES: Readonly<Record<NonNullable<SubmitSpec["signature"]>, string>> = {
  none: "65 zero bytes stand in place of the signature.",
  broken: "One byte of the signature is changed.",
  high_s: "The signature has the high s value, which validators reject as malleable.",
};

const from = account("the signing account");
const token = account("the token");

function listPart(which: string, example: string): Shape<ListSpec> {
  return object<ListSpec>(`Adds an address to the ${which}, or removes it. Example: ${example}`, {
    from,
    token,
    address: account("the address"),
    action: meaning("the change", LIST_ACTIONS),
  });
}

function rolePart(what: string, example: string): Shape<RoleSpec> {
  return object<RoleSpec>(`${what} Example: ${example}`, {
    from,
    token,
    role: meaning("the role", ROLE_MEANINGS),
    to: account("the holder of the role"),
    allowance: optional(amount("the amount that a holder of MintBurnTokens may mint")),
  });
}

export const KINDS: Shapes<SubmitKinds> = {
  payment: object<NonNullable<SubmitKinds["payment"]>>(
    'A payment moves units of a token. Example: payment: { from: alice, to: bob, token: USD, value: "10" }',
    {
      from,
      to: account("the recipient"),
      token,
      value: amount("the amount"),
    },
  ),
  cancellation: object<NonNullable<SubmitKinds["cancellation"]>>(
    "A cancellation takes the nonce of a pending operation. Example: cancellation: { from: alice }",
    { from },
  ),
  recovery: object<NonNullable<SubmitKinds["recovery"]>>(
    "A recovery skips a nonce for which the owner signed two operations; any client may submit it. Example: recovery: { account: alice, evidence: [x, y] }",
    {
      account: account("the blocked account"),
      evidence: {
        ...accounts("the two operations", { minItems: 2, maxItems: 2 }),
        items: name("an operation"),
      } as Shape<readonly string[]>,
      from: optional(account("the client that submits it; default: that of the blocked account")),
    },
  ),
  issue: object<NonNullable<SubmitKinds["issue"]>>(
    "Creates a token, which starts paused unless `genesis.open_tokens` is true. Example: issue: { symbol: EUR, decimals: 2, master: issuer }",
    {
      from: optional(account("the signing account; default: the operator")),
      symbol: name("the symbol"),
      name: optional(text("the full name of the token; default: its symbol")),
      decimals: wholeNumber("the number of decimals, of which validators refuse more than 18: 0 to 255", 0, 255),
      master: account("the master authority"),
      private: optional(defaulting(false, flag("true: only whitelisted addresses may use the token"))),
    },
  ),
  mint: object<NonNullable<SubmitKinds["mint"]>>(
    'Creates units of a token. Example: mint: { from: minter, to: bob, token: USD, value: "5" }',
    {
      from,
      to: account("the recipient"),
      token,
      value: amount("the amount"),
    },
  ),
  burn: object<NonNullable<SubmitKinds["burn"]>>(
    'Destroys units of the signer, or of `account` in a forced burn. Example: burn: { from: minter, token: USD, value: "5", account: bob }',
    {
      from,
      token,
      value: amount("the amount"),
      account: optional(account("the account of a forced burn; default: the signer")),
    },
  ),
  metadata: object<NonNullable<SubmitKinds["metadata"]>>(
    "Replaces the name, the uri and further pairs of a token. Example: metadata: { from: issuer, token: USD, name: Dollar }",
    {
      from,
      token,
      name: text("the new name"),
      uri: optional(text("the new uri; default: empty")),
      additional: optional(table("the key and value pairs; default: none", ".*", text("the value of one key"))),
    },
  ),
  blacklist: listPart(
    "blacklist of a public token",
    "blacklist: { from: lister, token: USD, address: mallory, action: add }",
  ),
  whitelist: listPart(
    "whitelist of a private token",
    "whitelist: { from: lister, token: RWA, address: bob, action: add }",
  ),
  grant: rolePart(
    "Gives a role, or sets the allowance of a holder.",
    'grant: { from: issuer, token: USD, role: MintBurnTokens, to: minter, allowance: "100" }',
  ),
  revoke: rolePart("Revokes a role.", "revoke: { from: issuer, token: USD, role: Pause, to: guard }"),
  pause: object<NonNullable<SubmitKinds["pause"]>>(
    "Stops payments, mints and burns of a token. Example: pause: { from: guard, token: USD }",
    { from, token },
  ),
  unpause: object<NonNullable<SubmitKinds["unpause"]>>("Ends a pause. Example: unpause: { from: guard, token: USD }", {
    from,
    token,
  }),
  repeat: withDescription(
    "Submits the bytes of an earlier operation once more. Example: repeat: x",
    name("an operation"),
  ),
};

export const SUBMIT_KINDS: readonly SubmitKind[] = Object.keys(KINDS) as SubmitKind[];

export const submit: Shape<SubmitSpec> = object<SubmitSpec>(
  'A client submits an operation of exactly one kind. Example: - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }',
  {
    ...optionals<SubmitKinds>(KINDS),
    id: optional(example(name("the name of the operation in this file"), "x")),
    nonce: optional(wholeNumber("the nonce, required but for `repeat`: 0 to 2^53 - 1", 0, Number.MAX_SAFE_INTEGER)),
    layout: optional(defaulting("client", meaning("the order in which the fields are signed", LAYOUT_MEANINGS))),
    chain_id: optional(wholeNumber("the chain id that is signed; default: this network's", 0, Number.MAX_SAFE_INTEGER)),
    signature: optional(meaning("an invalid signature; default: a valid one", SIGNATURES)),
    signed_by: optional(account("the account whose key signs; default: the signing account")),
    times: optional(
      defaulting(1, wholeNumber("the number of times that the same bytes are submitted: 1 to 100; default 1", 1, 100)),
    ),
  },
  oneOf(SUBMIT_KINDS),
);
