/** Schema of expectations. */
import { ROLES } from "../../core/base/operation.ts";
import type { RefusalCode } from "../../core/base/refusal.ts";
import { REFUSAL_CODES } from "../../core/ledger/refusals.ts";
import type { Mark } from "../../core/validator/marks.ts";
import type { Misbehaviour } from "../../core/validator/output.ts";
import { CATALOGUE } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import { type AnyMark, MARK_NAMES } from "../coverage-points.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX, STEPS_MAX } from "../limits.ts";
import type { Expectation, ExpectationKind, ExpectationKinds, TokenState } from "../scenario-expect.ts";
import type { Names } from "../scenario-words.ts";
import {
  choice,
  described,
  flag,
  list,
  maybe,
  object,
  oneOf,
  type Shape,
  table,
  text,
  whole,
  words,
  yes,
} from "./shape.ts";
import { ACCOUNT, account, accounts, amount, keys, NAME, name, names, oneOrMore, time } from "./words.ts";

export const INVARIANTS: readonly InvariantName[] = CATALOGUE.map((entry) => entry.name);

const MISBEHAVIOURS: readonly (Misbehaviour | "anything")[] = [
  "double vote",
  "double commit",
  "double round change",
  "double proposal",
  "hidden lock",
  "invalid signature",
  "invalid certificate",
  "unjustified proposal",
  "malformed content",
  "false checkpoint",
  "false closing",
  "double close",
  "false state",
  "anything",
];

const code: Shape<RefusalCode> = choice("a refusal code (quorumlab explain <code>)", REFUSAL_CODES);
const mark: Shape<AnyMark> = choice("a mark", MARK_NAMES);
const none = { minItems: 0 };

const token: Shape<TokenState> = object<TokenState>('What a token is like. Example: { paused: true, supply: "100" }', {
  exists: maybe(flag("whether it was issued")),
  paused: maybe(flag("whether it is paused")),
  private: maybe(flag("whether it is private")),
  name: maybe(text("its name")),
  uri: maybe(text("its uri")),
  additional: maybe(table("its key and value pairs", ".*", text("a value"))),
  decimals: maybe(whole("its decimals: 0 to 18", 0, 18)),
  master: maybe(account("its master authority")),
  supply: maybe(amount("minted less burned")),
  roles: maybe(words("who holds each role named", ROLES, accounts("holders", none))),
  allowance: maybe(table("what holders of MintBurnTokens may still mint", ACCOUNT, amount("how much"))),
  blacklist: maybe(accounts("all who are blacklisted", none)),
  whitelist: maybe(accounts("all who are whitelisted", none)),
});

type Kinds = { readonly [K in ExpectationKind]: Shape<NonNullable<ExpectationKinds[K]>> };
const ids = (what: string): Shape<Names> => oneOrMore(what);

const KINDS: Kinds = {
  final: ids("Operations that are decided in the slot of their effect. Example: - { final: [x, y], within_ms: 2000 }"),
  superseded: ids("Operations whose nonce was skipped. Example: - { superseded: x }"),
  pending: ids("Operations that are neither final, superseded nor refused. Example: - { at: 300, pending: x }"),
  undecided: ids("Operations that never became final, whatever their client was told. Example: - { undecided: x }"),
  refused: table(
    "Operations that were refused, with the code. Example: - { refused: { x: business_insufficient_funds } }",
    NAME,
    code,
  ),
  failed: table(
    "Operations that are final without effect, with the code. Example: - { failed: { m: business_allowance_exceeded } }",
    NAME,
    code,
  ),
  fee: table('What operations paid. Example: - { fee: { x: "0.01" } }', NAME, amount("how much")),
  balance: table(
    'Balances. Example: - { balance: { alice: { USD: "89.99" } } }',
    ACCOUNT,
    table("by token", NAME, amount("how much")),
  ),
  nonce: table(
    "The next nonce of accounts. Example: - { nonce: { alice: 1 } }",
    ACCOUNT,
    whole("a nonce: 0 to 2^53 - 1", 0, Number.MAX_SAFE_INTEGER),
  ),
  pool: table('Fees collected, by token. Example: - { pool: { USD: "0.03" } }', NAME, amount("how much")),
  token: table("What tokens are like. Example: - { token: { USD: { paused: true } } }", NAME, token),
  blocked: {
    ...oneOrMore("Accounts with an open slot that has votes and no decision. Example: - { at: 300, blocked: alice }"),
  },
  violation: choice<InvariantName | "none">(
    "An invariant that is broken; none: nothing is, even where more than f Byzantine validators would excuse it. Example: - { violation: agreement, blame: [v4] }",
    [...INVARIANTS, "none"],
  ),
  stalled: {
    type: ["boolean", "string", "array"],
    not: { const: false },
    pattern: NAME,
    minItems: 1,
    items: name("an operation"),
    description: "Operations that cannot become final (true: some). Example: - { stalled: x }",
  } as unknown as Shape<true | Names>,
  nothing_final: yes("Nothing became final. Example: - { nothing_final: true }"),
  mark: described("A place of the code that was reached, or several. Example: - { mark: lock carried }", {
    anyOf: [mark, list("marks", mark)],
  } as unknown as Shape<Mark | readonly Mark[]>),
  reported: table(
    "Validators that others accused. Example: - { reported: { v4: double vote } }",
    NAME,
    choice("of what", MISBEHAVIOURS),
  ),
  all_final: yes("Every operation that was handed in is final, those of workloads too. Example: - { all_final: true }"),
  checkpointed: ids(
    "Operations whose effect a final checkpoint lists that an honest validator applied. Example: - { checkpointed: [x, y], within_ms: 3000 }",
  ),
  unlisted: ids("Operations whose effect no such checkpoint lists. Example: - { at: 900, unlisted: x }"),
  checkpoints: {
    type: ["integer", "object"],
    minimum: 0,
    maximum: CHECKPOINTS_MAX,
    properties: { at_least: whole(`so many or more: 0 to ${CHECKPOINTS_MAX}`, 0, CHECKPOINTS_MAX) },
    required: ["at_least"],
    additionalProperties: false,
    description:
      "How many final checkpoints follow the genesis, closings of epochs among them: exactly so many, or { at_least: 3 }. Example: - { checkpoints: 3 }",
  } as unknown as Shape<number | { readonly at_least: number }>,
  void: ids(
    "Operations of which a client was told that an epoch closed without them; handed in again they may be final since. Example: - { void: x }",
  ),
  epoch: {
    type: ["integer", "object"],
    minimum: 0,
    maximum: EPOCHS_MAX,
    properties: { at_least: whole(`this one or a later one: 0 to ${EPOCHS_MAX}`, 0, EPOCHS_MAX) },
    required: ["at_least"],
    additionalProperties: false,
    description:
      "The epoch in which validators are, which is how many were closed: exactly this one, or { at_least: 2 }. Example: - { epoch: 1 }",
  } as unknown as Shape<number | { readonly at_least: number }>,
  committee: keys("The committee of their epoch, in its order. Example: - { committee: [v1, v2/2, v3, v5] }"),
};

export const EXPECTATION_KINDS: readonly ExpectationKind[] = Object.keys(KINDS) as ExpectationKind[];

function optionalKinds(): { readonly [K in ExpectationKind]: { readonly maybe: Kinds[K] } } {
  return Object.fromEntries(
    Object.entries(KINDS).map(([key, shape]) => [key, maybe(shape as Shape<unknown>)]),
  ) as never;
}

const expectation: Shape<Expectation> = object<Expectation>(
  "One thing that must hold.",
  {
    ...optionalKinds(),
    at: maybe(time("when it is looked at; default: at the end")),
    within_ms: maybe(time("of `final` and `checkpointed`: how long after it was first handed in")),
    blame: maybe(names("of `violation`: validators that it names")),
  },
  oneOf(EXPECTATION_KINDS),
);

export const expect: Shape<readonly Expectation[]> = list<Expectation>("What must hold.", expectation, {
  minItems: 0,
  maxItems: STEPS_MAX,
});
