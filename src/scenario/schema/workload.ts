/** Schema of workloads. */
import type { Role } from "../../core/base/operation.ts";
import { type OperationForms, type OperationVerb, VERBS } from "../../core/ledger/operations/kinds.ts";
import { MIX_MAX, WORKLOAD_MAX } from "../limits.ts";
import { account, accounts, amountRange, type DecimalRange, type Delay, delay, type Name, name } from "./scalars.ts";
import {
  defaulting,
  list,
  meaning,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  type Shapes,
  trueOnly,
  wholeNumber,
  withDescription,
} from "./shape.ts";
import { LIST_ACTIONS, ROLE_MEANINGS, KINDS as SUBMITTED } from "./submit.ts";

/** Orders of correct clients at a rate. */
export interface WorkloadSpec {
  readonly id?: Name;
  /** Accounts of the paying wallets. */
  readonly accounts: readonly Name[];
  /** Accounts drawn for every other open member of an order; default: the payers. */
  readonly recipients?: readonly Name[];
  readonly count: number;
  readonly every_ms: Delay;
  readonly mix: readonly MixEntrySpec[];
}

/** One kind of order with its weight. */
export type MixEntrySpec = MixKinds & { readonly weight?: number };

/** Exactly one of them. Lists, ranges and absent members are drawn for each order. Other kinds are as in `submit`. */
export interface MixKinds extends DrawnKinds, Omit<Partial<OperationForms>, keyof DrawnKinds> {}

/** Kinds of orders with members that are drawn, or a meaning of their own. */
interface DrawnKinds {
  readonly payment?: { readonly token: Name; readonly value: DecimalRange };
  /** Cancels an open operation of one of the workload's wallets. */
  readonly cancellation?: true;
  /** The number of the order is appended to the symbol. */
  readonly issue?: OperationForms["issue"];
  readonly mint?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly to?: readonly Name[];
  };
  /** Burns the signer's own balance, or that of `accounts`. */
  readonly burn?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly accounts?: readonly Name[];
  };
  readonly blacklist?: MixListSpec;
  readonly whitelist?: MixListSpec;
  readonly grant?: MixRoleSpec & { readonly allowance?: DecimalRange };
  readonly revoke?: MixRoleSpec;
}

export type MixKind = keyof MixKinds;

export interface MixListSpec {
  readonly from: Name;
  readonly token: Name;
  readonly addresses?: readonly Name[];
  readonly action?: "add" | "remove";
}

export interface MixRoleSpec {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: readonly Name[];
}

const from = account("the account whose wallet signs");
const token = account("the token");
const value = amountRange("the amount");

const role = {
  from,
  token,
  role: meaning("the role", ROLE_MEANINGS),
  to: accounts("the holders, of whom each order draws one"),
};

function listPart(which: "blacklist" | "whitelist"): Shape<MixListSpec> {
  return object<MixListSpec>(
    `Adds an address to the ${which}, or removes it. Example: { ${which}: { from: lister, token: USD, addresses: [mallory] } }`,
    {
      from,
      token,
      addresses: optional(accounts("the addresses, of which each order draws one; default: the recipients")),
      action: optional(meaning("the change; default: each order draws one", LIST_ACTIONS)),
    },
  );
}

const DRAWN: Shapes<DrawnKinds> = {
  payment: object<NonNullable<MixKinds["payment"]>>(
    'Payments between the accounts. Example: { payment: { token: USD, value: "1..5" } }',
    { token, value },
  ),
  cancellation: trueOnly(
    "Cancels a random open operation of the wallets, where there is one. Example: { cancellation: true }",
  ),
  issue: withDescription(
    "Creates tokens, each with the number of its order behind the symbol. Example: { issue: { symbol: EUR, decimals: 2, master: issuer } }",
    SUBMITTED.issue,
  ),
  mint: object<NonNullable<MixKinds["mint"]>>(
    'Creates units of a token. Example: { mint: { from: minter, token: USD, value: "1..5" } }',
    {
      from,
      token,
      value,
      to: optional(accounts("the recipients, of whom each order draws one; default: those of the workload")),
    },
  ),
  burn: object<NonNullable<MixKinds["burn"]>>(
    'Destroys units of the signer, or of one of `accounts` in a forced burn. Example: { burn: { from: minter, token: USD, value: "1", accounts: [bob] } }',
    {
      from,
      token,
      value,
      accounts: optional(accounts("the accounts of forced burns, of which each order draws one; default: the signer")),
    },
  ),
  blacklist: listPart("blacklist"),
  whitelist: listPart("whitelist"),
  grant: object<NonNullable<MixKinds["grant"]>>(
    'Gives a role. Example: { grant: { from: issuer, token: USD, role: MintBurnTokens, to: [minter], allowance: "10..50" } }',
    { ...role, allowance: optional(amountRange("the amount that a holder of MintBurnTokens may mint")) },
  ),
  revoke: object<MixRoleSpec>(
    "Revokes a role. Example: { revoke: { from: issuer, token: USD, role: Pause, to: [guard] } }",
    role,
  ),
};

/** The example of `submit` stands in braces in a mix. */
const AS_SUBMITTED = Object.fromEntries(
  Object.entries(VERBS).map(([verb, { about }]) => {
    const shape: Shape<unknown> = SUBMITTED[verb as OperationVerb];
    return [verb, withDescription(about.replace(/Example: (.*)$/, "Example: { $1 }"), shape)];
  }),
) as unknown as Shapes<OperationForms>;

const KINDS: Shapes<MixKinds> = { ...AS_SUBMITTED, ...DRAWN };

export const MIX_KINDS: readonly MixKind[] = Object.keys(KINDS) as MixKind[];

const mix: Shape<MixEntrySpec> = object<MixEntrySpec>(
  'One kind of order, with its weight. Example: { weight: 3, payment: { token: USD, value: "1..5" } }',
  {
    ...optionals<MixKinds>(KINDS),
    weight: optional(defaulting(1, wholeNumber("the weight among the other kinds: 1 to 1000; default 1", 1, 1_000))),
  },
  oneOf(MIX_KINDS),
);

export const workload: Shape<WorkloadSpec> = object<WorkloadSpec>(
  'Correct clients submit random operations at a rate. Example: - { at: 0, workload: { accounts: [alice, bob], count: 20, every_ms: 5..15, mix: [{ payment: { token: USD, value: "1..3" } }] } }',
  {
    id: optional(name("the name of the workload in this file; default: `workload` and the number of the step")),
    accounts: accounts("the accounts whose wallets pay"),
    recipients: optional(accounts("the recipients; default: the same accounts")),
    count: wholeNumber(`the number of orders: 1 to ${WORKLOAD_MAX}`, 1, WORKLOAD_MAX),
    every_ms: delay("the time between two orders"),
    mix: list("the kinds of orders", mix, { maxItems: MIX_MAX }),
  },
);
