/** Schema of workloads. */
import { ROLES } from "../../core/base/operation.ts";
import { MIX_MAX, WORKLOAD_MAX } from "../limits.ts";
import type { MixKind, MixKinds, MixListPart, MixPart, MixRolePart, WorkloadPart } from "../scenario.ts";
import { choice, described, list, maybe, object, oneOf, type Shape, whole, yes } from "./shape.ts";
import { KINDS as SUBMITTED } from "./submit.ts";
import { account, accounts, amountRange, delay, name } from "./words.ts";

const from = account("whose wallet signs");
const token = account("the token");
const value = amountRange("how much");

type Kinds = { readonly [K in MixKind]: Shape<NonNullable<MixKinds[K]>> };

const role = {
  from,
  token,
  role: choice("the role", ROLES),
  to: accounts("whose role: one of them is drawn"),
};

function listPart(which: "blacklist" | "whitelist"): Shape<MixListPart> {
  return object<MixListPart>(
    `Adds to or removes from the ${which}. Example: { ${which}: { from: lister, token: USD, addresses: [mallory] } }`,
    {
      from,
      token,
      addresses: maybe(accounts("who is listed, one of them drawn; default: the recipients")),
      action: maybe(choice("add or remove; default: drawn", ["add", "remove"])),
    },
  );
}

const KINDS: Kinds = {
  payment: object<NonNullable<MixKinds["payment"]>>(
    'Payments between the accounts. Example: { payment: { token: USD, value: "1..5" } }',
    { token, value },
  ),
  cancellation: yes(
    "Cancels an operation that one of the wallets has open, where one has. Example: { cancellation: true }",
  ),
  mint: object<NonNullable<MixKinds["mint"]>>(
    'Makes new units. Example: { mint: { from: minter, token: USD, value: "1..5" } }',
    { from, token, value, to: maybe(accounts("who receives, one of them drawn; default: the recipients")) },
  ),
  burn: object<NonNullable<MixKinds["burn"]>>(
    'Destroys units; with `accounts`, of somebody else. Example: { burn: { from: minter, token: USD, value: "1", accounts: [bob] } }',
    { from, token, value, accounts: maybe(accounts("who is burned from: one of them is drawn")) },
  ),
  metadata: described(
    "Updates name, uri and further pairs. Example: { metadata: { from: issuer, token: USD, name: Dollar } }",
    SUBMITTED.metadata,
  ),
  blacklist: listPart("blacklist"),
  whitelist: listPart("whitelist"),
  grant: object<NonNullable<MixKinds["grant"]>>(
    'Gives a role. Example: { grant: { from: issuer, token: USD, role: MintBurnTokens, to: [minter], allowance: "10..50" } }',
    { ...role, allowance: maybe(amountRange("what may be minted, of MintBurnTokens")) },
  ),
  revoke: object<MixRolePart>(
    "Takes a role away. Example: { revoke: { from: issuer, token: USD, role: Pause, to: [guard] } }",
    role,
  ),
  pause: described(
    "Stops transfers, mints and burns. Example: { pause: { from: guard, token: USD } }",
    SUBMITTED.pause,
  ),
  unpause: described("Allows them again. Example: { unpause: { from: guard, token: USD } }", SUBMITTED.unpause),
  issue: described(
    "Creates tokens, paused, whose symbols end in the number of the order. Example: { issue: { symbol: EUR, decimals: 2, master: issuer } }",
    SUBMITTED.issue,
  ),
};

export const MIX_KINDS: readonly MixKind[] = Object.keys(KINDS) as MixKind[];

const mix: Shape<MixPart> = object<MixPart>(
  'One kind of order. Example: { weight: 3, payment: { token: USD, value: "1..5" } }',
  { ...optionalKinds(), weight: maybe(whole("how often among the others: 1 to 1000", 1, 1_000)) },
  oneOf(MIX_KINDS),
);

export const workload: Shape<WorkloadPart> = object<WorkloadPart>(
  'Orders of correct clients at a rate. Example: - { at: 0, workload: { accounts: [alice, bob], count: 20, every_ms: 5..15, mix: [{ payment: { token: USD, value: "1..3" } }] } }',
  {
    id: maybe(name("what the file calls it")),
    accounts: accounts("whose wallets pay"),
    recipients: maybe(accounts("who is paid; default: the same")),
    count: whole(`how many orders: 1 to ${WORKLOAD_MAX}`, 1, WORKLOAD_MAX),
    every_ms: delay("between two orders"),
    mix: list("what is ordered", mix, { maxItems: MIX_MAX }),
  },
);

function optionalKinds(): { readonly [K in MixKind]: { readonly maybe: Kinds[K] } } {
  return Object.fromEntries(
    Object.entries(KINDS).map(([key, shape]) => [key, maybe(shape as Shape<unknown>)]),
  ) as never;
}
