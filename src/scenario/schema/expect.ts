/** Expectations: types and schema. */
import type { Static } from "typebox";
import { ROLES } from "../../core/base/operation.ts";
import { REFUSAL_CODES } from "../../core/base/refusal.ts";
import type { Misbehaviour } from "../../core/validator/output.ts";
import { CATALOGUE } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import {
  choice,
  choiceWithMeanings,
  example,
  flag,
  list,
  object,
  oneOf,
  optional,
  optionals,
  record,
  type Shape,
  shape,
  table,
  text,
  trueOnly,
  wholeNumber,
} from "../../schema/shape.ts";
import { ALL_COVERAGE_POINTS, type AnyCoveragePoint } from "../coverage-points.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX, STEPS_MAX } from "../limits.ts";
import {
  ACCOUNT,
  account,
  accounts,
  amount,
  keys,
  NAME,
  name,
  names,
  type OneOrMoreNames,
  oneOrMore,
  time,
} from "./scalars.ts";

const MISBEHAVIOUR_MEANINGS: Readonly<Record<Misbehaviour | "any", string>> = {
  "double vote": "Two votes of one key for different values in one round.",
  "double commit": "Two commits of one key to different values in one round.",
  "double round change": "Two round changes of one key to one round with different locks.",
  "double proposal": "Two proposals of one key with different values in one round.",
  "hidden lock": "A round change that denies a lock to which its signer has committed.",
  "invalid signature": "A signature that does not verify.",
  "invalid certificate": "A lock or claim whose signatures do not form a certificate.",
  "unjustified proposal": "A proposal without the round changes that allow it.",
  "malformed content": "A content that does not prove itself.",
  "false checkpoint": "A proposed checkpoint that does not follow from the decisions.",
  "false closing": "A proposed closing that does not follow from what it shows.",
  "double close": "Two different EpochCloses of one key in one epoch.",
  "wrong epoch": "A statement about the closing of another epoch than its own.",
  "false state": "A piece of a state that does not match its hash, or an offered state with a false history.",
  any: "Any of the others.",
};

const INVARIANT_MEANINGS: Readonly<Record<InvariantName | "none", string>> = {
  ...(Object.fromEntries(CATALOGUE.map(({ name, sentence }) => [name, sentence])) as Record<InvariantName, string>),
  none: "No oracle finds a violation, even where more than f Byzantine validators would excuse it.",
};

const code = choice("a refusal code (quorumlab explain <code>)", REFUSAL_CODES);
const point = choiceWithMeanings("a coverage point", ALL_COVERAGE_POINTS);
const none = { minItems: 0 };

const token = object(
  'The state of a token; absent members are not compared. Example: { paused: true, supply: "100" }',
  {
    exists: optional(flag("true: the token was issued")),
    paused: optional(flag("true: the token is paused")),
    private: optional(flag("true: the token is private")),
    name: optional(text("the name of the token")),
    uri: optional(text("the uri of the token")),
    additional: optional(table("the key and value pairs of the token", ".*", text("the value of one key"))),
    decimals: optional(wholeNumber("the number of decimals", 0, 18)),
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

export type TokenState = Static<typeof token>;

/** A number, or the least one. */
function atLeast(description: string, least: string, maximum: number): Shape<number | { readonly at_least: number }> {
  const of = object(description, { at_least: wholeNumber(least, 0, maximum) });
  return shape({ ...of, type: ["integer", "object"], minimum: 0, maximum });
}

const KINDS = {
  final: oneOrMore(
    "Operations that are final with effect (decided in the slot of their effect, with success in their receipt). Example: - { final: [x, y], within_ms: 2000 }",
  ),
  superseded: oneOrMore("Operations whose nonce was skipped. Example: - { superseded: x }"),
  pending: oneOrMore("Operations that are neither final, superseded nor refused. Example: - { at: 300, pending: x }"),
  undecided: oneOrMore(
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
  blocked: oneOrMore(
    "Accounts with an open slot that has votes and no decision. Example: - { at: 300, blocked: alice }",
  ),
  violation: choiceWithMeanings(
    "An invariant that an oracle finds violated, or none. Example: - { violation: agreement, faulty: [v4] }",
    INVARIANT_MEANINGS,
  ),
  stalled: shape<true | OneOrMoreNames>({
    type: ["boolean", "string", "array"],
    not: { const: false },
    pattern: NAME,
    minItems: 1,
    items: name("an operation"),
    description: "Operations that cannot become final; true: at least one. Example: - { stalled: x }",
  }),
  nothing_final: trueOnly("No operation became final, with effect or without. Example: - { nothing_final: true }"),
  coverage: shape<AnyCoveragePoint | readonly AnyCoveragePoint[]>({
    description: "A coverage point that the run reached, or several. Example: - { coverage: lock carried }",
    anyOf: [point, list("coverage points, all of which the run reached", point)],
  }),
  reported: table(
    "Validators that others reported, with the misbehaviour. Example: - { reported: { v4: double vote } }",
    NAME,
    choiceWithMeanings("the misbehaviour", MISBEHAVIOUR_MEANINGS),
  ),
  all_final: trueOnly(
    "Every submitted operation is final with effect, those of workloads too; cancellations and recoveries do not count. Example: - { all_final: true }",
  ),
  checkpointed: oneOrMore(
    "Operations whose effect a final checkpoint lists that an honest validator applied. Example: - { checkpointed: [x, y], within_ms: 3000 }",
  ),
  unlisted: oneOrMore("Operations whose effect no such checkpoint lists. Example: - { at: 900, unlisted: x }"),
  checkpoints: atLeast(
    "The number of final checkpoints after the genesis, closings of epochs among them: exactly so many, or { at_least: 3 }. Example: - { checkpoints: 3 }",
    "the least number",
    CHECKPOINTS_MAX,
  ),
  void: oneOrMore(
    "Operations of which a client received the response that an epoch closed without them; submitted again they may be final since. Example: - { void: x }",
  ),
  epoch: atLeast(
    "The epoch of the validators, which is the number of epochs closed: exactly this one, or { at_least: 2 }. Example: - { epoch: 1 }",
    "the earliest epoch",
    EPOCHS_MAX,
  ),
  committee: keys("The committee of the validators' epoch, in its order. Example: - { committee: [v1, v2/2, v3, v5] }"),
};

export type ExpectationKind = keyof typeof KINDS;

export const EXPECTATION_KINDS = Object.keys(KINDS) as readonly ExpectationKind[];

const expectation = object(
  "One expectation of exactly one kind. Example: - { final: x }",
  {
    ...optionals(KINDS),
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

export type Expectation = Static<typeof expectation>;

export const expect: Shape<readonly Expectation[]> = list(
  "The expectations, all of which must hold. Example: expect: [{ final: x }]",
  expectation,
  { minItems: 0, maxItems: STEPS_MAX },
);
