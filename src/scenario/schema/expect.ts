/** Schema of expectations. */
import { ROLES } from "../../core/base/operation.ts";
import type { RefusalCode } from "../../core/base/refusal.ts";
import { REFUSAL_CODES } from "../../core/ledger/refusals.ts";
import type { CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { Misbehaviour } from "../../core/validator/output.ts";
import { INVARIANTS } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import { ALL_COVERAGE_POINTS, type AnyCoveragePoint, COVERAGE_POINT_NAMES } from "../coverage-points.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX, STEPS_MAX } from "../limits.ts";
import type { OneOrMoreNames } from "../scalar-types.ts";
import type { Expectation, ExpectationKind, ExpectationKinds, TokenState } from "../scenario-expect.ts";
import { INVARIANT_MEANINGS, MISBEHAVIOUR_MEANINGS } from "./meanings.ts";
import { ACCOUNT, account, accounts, amount, keys, NAME, name, names, oneOrMore, time } from "./scalars.ts";
import {
  choice,
  example,
  flag,
  list,
  meaning,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  table,
  text,
  trueOnly,
  wholeNumber,
  withDescription,
} from "./shape.ts";

const MISBEHAVIOURS: readonly (Misbehaviour | "any")[] = [
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
  "any",
];

const code: Shape<RefusalCode> = choice("a refusal code (quorumlab explain <code>)", REFUSAL_CODES);
const point: Shape<AnyCoveragePoint> = meaning("a coverage point", COVERAGE_POINT_NAMES, ALL_COVERAGE_POINTS);
const none = { minItems: 0 };

const token: Shape<TokenState> = object<TokenState>(
  'The state of a token; absent members are not compared. Example: { paused: true, supply: "100" }',
  {
    exists: optional(flag("true: the token was issued")),
    paused: optional(flag("true: the token is paused")),
    private: optional(flag("true: the token is private")),
    name: optional(text("the name of the token")),
    uri: optional(text("the uri of the token")),
    additional: optional(table("the key and value pairs of the token", ".*", text("the value of one key"))),
    decimals: optional(wholeNumber("the number of decimals: 0 to 18", 0, 18)),
    master: optional(account("the master authority")),
    supply: optional(amount("the units minted less those burned")),
    roles: optional(record("all holders of each role named", ROLES, accounts("the holders", none))),
    allowance: optional(
      table("the amounts that holders of MintBurnTokens may still mint", ACCOUNT, amount("the allowance left")),
    ),
    blacklist: optional(accounts("all blacklisted addresses", none)),
    whitelist: optional(accounts("all whitelisted addresses", none)),
  },
);

type Kinds = { readonly [K in ExpectationKind]: Shape<NonNullable<ExpectationKinds[K]>> };
const ids = (what: string): Shape<OneOrMoreNames> => oneOrMore(what);

const KINDS: Kinds = {
  final: ids("Operations that are decided in the slot of their effect. Example: - { final: [x, y], within_ms: 2000 }"),
  superseded: ids("Operations whose nonce was skipped. Example: - { superseded: x }"),
  pending: ids("Operations that are neither final, superseded nor refused. Example: - { at: 300, pending: x }"),
  undecided: ids(
    "Operations that never became final, whatever response their clients received. Example: - { undecided: x }",
  ),
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
  fee: table('The fees that operations paid. Example: - { fee: { x: "0.01" } }', NAME, amount("the fee")),
  balance: table(
    'The balances of accounts. Example: - { balance: { alice: { USD: "89.99" } } }',
    ACCOUNT,
    table("the balances of one account, by token", NAME, amount("the balance")),
  ),
  nonce: table(
    "The next nonce of accounts. Example: - { nonce: { alice: 1 } }",
    ACCOUNT,
    wholeNumber("the next nonce: 0 to 2^53 - 1", 0, Number.MAX_SAFE_INTEGER),
  ),
  pool: table(
    'The fee pool, by token. Example: - { pool: { USD: "0.03" } }',
    NAME,
    amount("the fees collected and not yet shared"),
  ),
  token: table("The states of tokens. Example: - { token: { USD: { paused: true } } }", NAME, token),
  blocked: {
    ...oneOrMore("Accounts with an open slot that has votes and no decision. Example: - { at: 300, blocked: alice }"),
  },
  violation: meaning<InvariantName | "none">(
    "An invariant that an oracle finds violated, or none. Example: - { violation: agreement, faulty: [v4] }",
    [...INVARIANTS, "none"],
    INVARIANT_MEANINGS,
  ),
  stalled: {
    type: ["boolean", "string", "array"],
    not: { const: false },
    pattern: NAME,
    minItems: 1,
    items: name("an operation"),
    description: "Operations that cannot become final; true: at least one. Example: - { stalled: x }",
  } as unknown as Shape<true | OneOrMoreNames>,
  nothing_final: trueOnly("Nothing became final. Example: - { nothing_final: true }"),
  coverage: withDescription(
    "A coverage point that the run reached, or several. Example: - { coverage: lock carried }",
    {
      anyOf: [point, list("coverage points, all of which the run reached", point)],
    } as unknown as Shape<CoveragePoint | readonly CoveragePoint[]>,
  ),
  reported: table(
    "Validators that others reported, with the misbehaviour. Example: - { reported: { v4: double vote } }",
    NAME,
    meaning("the misbehaviour", MISBEHAVIOURS, MISBEHAVIOUR_MEANINGS),
  ),
  all_final: trueOnly("Every submitted operation is final, those of workloads too. Example: - { all_final: true }"),
  checkpointed: ids(
    "Operations whose effect a final checkpoint lists that an honest validator applied. Example: - { checkpointed: [x, y], within_ms: 3000 }",
  ),
  unlisted: ids("Operations whose effect no such checkpoint lists. Example: - { at: 900, unlisted: x }"),
  checkpoints: {
    type: ["integer", "object"],
    minimum: 0,
    maximum: CHECKPOINTS_MAX,
    properties: { at_least: wholeNumber(`the least number: 0 to ${CHECKPOINTS_MAX}`, 0, CHECKPOINTS_MAX) },
    required: ["at_least"],
    additionalProperties: false,
    description:
      "The number of final checkpoints after the genesis, closings of epochs among them: exactly so many, or { at_least: 3 }. Example: - { checkpoints: 3 }",
  } as unknown as Shape<number | { readonly at_least: number }>,
  void: ids(
    "Operations of which a client received the response that an epoch closed without them; submitted again they may be final since. Example: - { void: x }",
  ),
  epoch: {
    type: ["integer", "object"],
    minimum: 0,
    maximum: EPOCHS_MAX,
    properties: { at_least: wholeNumber(`the earliest epoch: 0 to ${EPOCHS_MAX}`, 0, EPOCHS_MAX) },
    required: ["at_least"],
    additionalProperties: false,
    description:
      "The epoch of the validators, which is the number of epochs closed: exactly this one, or { at_least: 2 }. Example: - { epoch: 1 }",
  } as unknown as Shape<number | { readonly at_least: number }>,
  committee: keys("The committee of the validators' epoch, in its order. Example: - { committee: [v1, v2/2, v3, v5] }"),
};

export const EXPECTATION_KINDS: readonly ExpectationKind[] = Object.keys(KINDS) as ExpectationKind[];

function optionalKinds(): { readonly [K in ExpectationKind]: { readonly maybe: Kinds[K] } } {
  return Object.fromEntries(
    Object.entries(KINDS).map(([key, shape]) => [key, optional(shape as Shape<unknown>)]),
  ) as never;
}

const expectation: Shape<Expectation> = object<Expectation>(
  "One expectation of exactly one kind. Example: - { final: x }",
  {
    ...optionalKinds(),
    at: optional(example(time("the time at which it is checked; default: the end of the run"), 300)),
    within_ms: optional(
      example(time("of `final` and `checkpointed`: the longest time since the operation was first submitted"), 2_000),
    ),
    faulty: optional(
      example(names("of `violation`: validators that the violation names as faulty, perhaps among others"), ["v4"]),
    ),
  },
  oneOf(EXPECTATION_KINDS),
);

export const expect: Shape<readonly Expectation[]> = list<Expectation>(
  "The expectations, all of which must hold. Example: expect: [{ final: x }]",
  expectation,
  {
    minItems: 0,
    maxItems: STEPS_MAX,
  },
);
