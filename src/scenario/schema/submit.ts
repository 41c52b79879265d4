/** Schema of submissions. */
import { LAYOUTS, ROLES } from "../../core/base/operation.ts";
import type { ListPart, RolePart, Submit, SubmitKind, SubmitKinds } from "../scenario.ts";
import { choice, described, flag, maybe, object, oneOf, type Shape, table, text, whole } from "./shape.ts";
import { account, accounts, amount, name } from "./words.ts";

const from = account("who signs");
const token = account("the token");

function listPart(which: string, example: string): Shape<ListPart> {
  return object<ListPart>(`Adds to or removes from the ${which}. Example: ${example}`, {
    from,
    token,
    address: account("who is listed"),
    action: choice("add or remove", ["add", "remove"]),
  });
}

function rolePart(what: string, example: string): Shape<RolePart> {
  return object<RolePart>(`${what} Example: ${example}`, {
    from,
    token,
    role: choice("the role", ROLES),
    to: account("whose role"),
    allowance: maybe(amount("what may be minted, of MintBurnTokens")),
  });
}

type Kinds = { readonly [K in SubmitKind]: Shape<NonNullable<SubmitKinds[K]>> };

export const KINDS: Kinds = {
  payment: object<NonNullable<SubmitKinds["payment"]>>(
    'Moves a token. Example: payment: { from: alice, to: bob, token: USD, value: "10" }',
    {
      from,
      to: account("who receives"),
      token,
      value: amount("how much"),
    },
  ),
  cancellation: object<NonNullable<SubmitKinds["cancellation"]>>(
    "Cancels the pending operation of its nonce. Example: cancellation: { from: alice }",
    { from },
  ),
  recovery: object<NonNullable<SubmitKinds["recovery"]>>(
    "Skips a nonce for which two operations were signed; anybody may hand it in. Example: recovery: { account: alice, evidence: [x, y] }",
    {
      account: account("the blocked account"),
      evidence: {
        ...accounts("the two operations", { minItems: 2, maxItems: 2 }),
        items: name("an operation"),
      } as Shape<readonly string[]>,
      from: maybe(account("the client that hands it in")),
    },
  ),
  issue: object<NonNullable<SubmitKinds["issue"]>>(
    "Creates a token, paused. Example: issue: { symbol: EUR, decimals: 2, master: issuer }",
    {
      from: maybe(from),
      symbol: name("the symbol"),
      name: maybe(text("the token's full name")),
      decimals: whole("decimals: from 0 to 18; others are refused", 0, 255),
      master: account("the master authority"),
      private: maybe(flag("whether only whitelisted addresses may use it")),
    },
  ),
  mint: object<NonNullable<SubmitKinds["mint"]>>(
    'Makes new units. Example: mint: { from: minter, to: bob, token: USD, value: "5" }',
    {
      from,
      to: account("who receives"),
      token,
      value: amount("how much"),
    },
  ),
  burn: object<NonNullable<SubmitKinds["burn"]>>(
    'Destroys units; with `account`, of somebody else. Example: burn: { from: minter, token: USD, value: "5", account: bob }',
    {
      from,
      token,
      value: amount("how much"),
      account: maybe(account("the account burned from")),
    },
  ),
  metadata: object<NonNullable<SubmitKinds["metadata"]>>(
    "Updates name, uri and further pairs. Example: metadata: { from: issuer, token: USD, name: Dollar }",
    {
      from,
      token,
      name: text("the new name"),
      uri: maybe(text("the new uri")),
      additional: maybe(table("key and value pairs", ".*", text("a value"))),
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
    "Gives a role; to a holder: sets the allowance.",
    'grant: { from: issuer, token: USD, role: MintBurnTokens, to: minter, allowance: "100" }',
  ),
  revoke: rolePart("Takes a role away.", "revoke: { from: issuer, token: USD, role: Pause, to: guard }"),
  pause: object<NonNullable<SubmitKinds["pause"]>>(
    "Stops transfers, mints and burns. Example: pause: { from: guard, token: USD }",
    { from, token },
  ),
  unpause: object<NonNullable<SubmitKinds["unpause"]>>(
    "Allows them again. Example: unpause: { from: guard, token: USD }",
    { from, token },
  ),
  again: described("Hands in the bytes of an earlier operation once more. Example: again: x", name("an operation")),
};

export const SUBMIT_KINDS: readonly SubmitKind[] = Object.keys(KINDS) as SubmitKind[];

export const submit: Shape<Submit> = object<Submit>(
  'A client hands in an operation. Example: - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }',
  {
    ...optionalKinds(),
    id: maybe(name("what the file calls the operation")),
    nonce: maybe(whole("the nonce: from 0 to 2^53 - 1; needed for all but `again`", 0, Number.MAX_SAFE_INTEGER)),
    layout: maybe(choice("the order in which fields are signed", LAYOUTS)),
    chain_id: maybe(whole("the chain that is signed for; default: this one", 0, Number.MAX_SAFE_INTEGER)),
    signature: maybe(choice("a signature that does not verify", ["none", "broken", "high_s"])),
    signed_by: maybe(account("who really signs")),
    times: maybe(whole("how often the same bytes are handed in: 1 to 100", 1, 100)),
  },
  oneOf(SUBMIT_KINDS),
);

function optionalKinds(): { readonly [K in SubmitKind]: { readonly maybe: Kinds[K] } } {
  return Object.fromEntries(
    Object.entries(KINDS).map(([key, shape]) => [key, maybe(shape as Shape<unknown>)]),
  ) as never;
}
