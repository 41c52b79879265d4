/** Schema of workloads. */
import type { Static } from "typebox";
import {
  choiceWithMeanings,
  flag,
  list,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  type Shapes,
  trueOnly,
  wholeNumber,
  wholeNumberOr,
  withDefault,
  withDescription,
} from "../../schema/shape.ts";
import { MIX_MAX, WORKLOAD_MAX } from "../limits.ts";
import { type OperationForms, type OperationVerb, VERBS } from "../verbs.ts";
import { account, accounts, amountRange, delay, name } from "./scalars.ts";
import { LIST_ACTIONS, ROLE_MEANINGS, KINDS as SUBMITTED } from "./submit.ts";

const from = account("the account whose wallet signs");
const token = account("the token");
const value = amountRange("the amount");

const role = {
  from,
  token,
  role: choiceWithMeanings("the role", ROLE_MEANINGS),
  to: accounts("the holders; each order draws one of them"),
};

function listPart(which: "blacklist" | "whitelist") {
  return object(
    `Adds an address to the ${which}, or removes it. Example: { ${which}: { from: lister, token: USD, addresses: [mallory] } }`,
    {
      from,
      token,
      addresses: optional(accounts("the addresses, of which each order draws one; default: the recipients")),
      action: optional(choiceWithMeanings("the change; default: each order draws one", LIST_ACTIONS)),
    },
  );
}

const DRAWN = {
  payment: object('Payments between the accounts. Example: { payment: { token: USD, value: "1..5" } }', {
    token,
    value,
  }),
  cancellation: trueOnly(
    "Cancels a random open operation of the wallets, where there is one. Example: { cancellation: true }",
  ),
  issue: withDescription(
    "Creates tokens, each with the number of its order behind the symbol. Example: { issue: { symbol: EUR, decimals: 2, master: issuer } }",
    SUBMITTED.issue,
  ),
  mint: object('Creates units of a token. Example: { mint: { from: minter, token: USD, value: "1..5" } }', {
    from,
    token,
    value,
    to: optional(accounts("the recipients; each order draws one of them; default: those of the workload")),
  }),
  burn: object(
    'Destroys units of the signer, or of one of `accounts` in a forced burn. Example: { burn: { from: minter, token: USD, value: "1", accounts: [bob] } }',
    {
      from,
      token,
      value,
      accounts: optional(accounts("the accounts of forced burns, of which each order draws one; default: the signer")),
    },
  ),
  bridge_mint: withDescription(
    'Creates units for transactions of another chain, each with the number of its order behind the text. Example: { bridge_mint: { from: bridge, to: bob, token: USD, value: "5", chain: 1, transaction: "0xab" } }',
    SUBMITTED.bridge_mint,
  ),
  clawback: object(
    'Moves units of one of `accounts` to another account. Example: { clawback: { from: issuer, token: USD, value: "1", accounts: [bob], to: [alice] } }',
    {
      from,
      token,
      value,
      accounts: accounts("the accounts debited, of which each order draws one"),
      to: optional(accounts("the recipients; each order draws one of them; default: those of the workload")),
    },
  ),
  blacklist: listPart("blacklist"),
  whitelist: listPart("whitelist"),
  grant: object(
    'Gives a role. Example: { grant: { from: issuer, token: USD, role: MintBurnTokens, to: [minter], allowance: "10..50" } }',
    { ...role, allowance: optional(amountRange("the amount that a holder of MintBurnTokens may mint")) },
  ),
  revoke: object("Revokes a role. Example: { revoke: { from: issuer, token: USD, role: Pause, to: [guard] } }", role),
};

/** The example of `submit` stands in braces in a mix. */
const AS_SUBMITTED = Object.fromEntries(
  Object.entries(VERBS).map(([verb, { about }]) => {
    const shape: Shape<unknown> = SUBMITTED[verb as OperationVerb];
    return [verb, withDescription(about.replace(/Example: (.*)$/, "Example: { $1 }"), shape)];
  }),
) as unknown as Shapes<OperationForms>;

/** Kinds with members that are drawn, or a meaning of their own; the others are as in `submit`. */
const KINDS = { ...AS_SUBMITTED, ...DRAWN };

export type MixKind = keyof typeof KINDS;

export const MIX_KINDS = Object.keys(KINDS) as readonly MixKind[];

const mix = object(
  'One kind of order, with its weight. Example: { weight: 3, payment: { token: USD, value: "1..5" } }',
  { ...optionals(KINDS), weight: wholeNumberOr(1, "the weight among the other kinds", 1, 1_000) },
  oneOf(MIX_KINDS),
);

/** One kind of order with its weight. Exactly one kind stands; lists, ranges and absent members are drawn for each order. */
export type MixEntrySpec = Static<typeof mix>;

export const workload = object(
  'Correct clients submit random operations at a rate. Example: - { at: 0, workload: { accounts: [alice, bob], count: 20, every_ms: 5..15, mix: [{ payment: { token: USD, value: "1..3" } }] } }',
  {
    id: optional(name("the name of the workload in this file; default: `workload` and the number of the step")),
    accounts: accounts("the accounts whose wallets pay"),
    recipients: optional(accounts("the recipients; default: the same accounts")),
    to_fillers: withDefault(false, flag("true: the recipients of payments are the filler accounts of the genesis")),
    count: wholeNumber("the number of orders", 1, WORKLOAD_MAX),
    every_ms: delay("the time between two orders"),
    mix: list("the kinds of orders", mix, { maxItems: MIX_MAX }),
  },
);

/** Orders of correct clients at a rate. */
export type WorkloadSpec = Static<typeof workload>;
