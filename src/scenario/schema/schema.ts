/** Schema of scenario files, also printed for editors by `quorumlab schema`. */

import { parse } from "yaml";
import { BUGS } from "../../bugs/catalogue.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import { FILLERS_MAX } from "../../core/base/fillers.ts";
import { ROLES } from "../../core/base/operation.ts";
import { LIST_LIMIT, SIGNERS_MAX, WEIGHT_MAX } from "../../core/ledger/limits.ts";
import { INVARIANTS } from "../../invariants/catalogue.ts";
import { type SchemaNode, statedExample } from "../../schema/nodes.ts";
import {
  anyObject,
  choice,
  choiceWithMeanings,
  example,
  flag,
  list,
  object,
  optional,
  record,
  table,
  text,
  wholeNumber,
  wholeNumberOr,
  withDefault,
} from "../../schema/shape.ts";
import { EVENTS_MAX, RUN_EVENTS, SHARED_PREFIX, TRANSCRIPT_EVENTS, VALIDATORS_MAX } from "../limits.ts";
import { epochs, fees, firstCheckpoints, rewards } from "./epoch.ts";
import { expect } from "./expect.ts";
import { policies } from "./policies.ts";
import { ACCOUNT, account, accounts, amount, chance, delay, NAME, name, names, time } from "./scalars.ts";
import { schedule } from "./schedule.ts";
import { steps } from "./step.ts";

const TOKEN_STATES = { paused: "The token starts paused.", unpaused: "The token starts unpaused." };

const CLIENT_BEHAVIOURS = {
  correct: "The client retries with the same bytes and never equivocates.",
  scripted: "The client sends exactly the operations of the steps, once each.",
};

const ON_REFUSAL = {
  cancel: "The client keeps the nonce for that operation and its cancellation.",
  reuse: "The client signs its next operation for the same nonce.",
};

const BUG_NAMES: readonly string[] = BUGS.map(({ name: bug }) => bug);

const none = { minItems: 0 };

const startedNode = object("A validator that somebody else wrote. Example: { command: python3 node.py }", {
  command: text("the command that starts it, as for `--node`"),
});

const network = object(
  "Validators, v1 to vN, and the links between them. Example: network: { validators: 4, delay_ms: 5..20 }",
  {
    validators: wholeNumberOr(4, "the number of validators", 1, VALIDATORS_MAX),
    spares: optional(
      example(names("further validators, which sign nothing before `govern` takes them into a committee"), [
        "v5",
        "v6",
      ]),
    ),
    delay_ms: withDefault("1..10", delay("the time that a message takes between two validators")),
    client_delay_ms: withDefault(0, delay("the time that a message takes between a client and a validator")),
    loss: withDefault("0/1", chance("the share of messages that are lost")),
    duplicate: withDefault("0/1", chance("the share of messages that arrive twice")),
    reorder: withDefault("0/1", chance("the share of messages that may overtake earlier ones on their link")),
    write_ms: withDefault(0, delay("the time that a disk write takes")),
    twins: optional(
      example(names("validators that run twice with one key, such as v4 and v4'; they count as Byzantine"), ["v4"]),
    ),
    node: optional(startedNode),
    nodes: optional(
      table(
        "The validators that others wrote, by name, where not all are started by one command; they need --allow-commands. Example: nodes: { v2: { command: native:./mine } }",
        NAME,
        startedNode,
      ),
    ),
  },
);

const token = object("A token, by its symbol. Example: USD: { decimals: 6, master: issuer, state: unpaused }", {
  decimals: wholeNumber("the number of decimals", 0, 18),
  master: account("the master authority"),
  name: optional(text("the full name of the token; default: its symbol")),
  state: withDefault("unpaused", choiceWithMeanings("the state of the token at the start", TOKEN_STATES)),
  private: withDefault(false, flag("true: only whitelisted addresses may use the token")),
  clawback: withDefault(true, flag("true: its authorities may claw it back")),
  roles: optional(record("the holders of each role", ROLES, accounts("the holders", none))),
  allowances: optional(table("the amounts that holders of MintBurnTokens may mint", ACCOUNT, amount("the allowance"))),
  blacklist: optional(accounts("the blacklisted addresses", none)),
  whitelist: optional(accounts("the whitelisted addresses", none)),
});

const multisig = object(
  "A multisig account, by its name. Example: treasury: { signers: { alice: 1, bob: 2 }, threshold: 2 }",
  {
    signers: table("the weights of its signers, by account", NAME, wholeNumber("the weight", 1, WEIGHT_MAX)),
    threshold: wholeNumber("the weight that its operations need", 1, SIGNERS_MAX * WEIGHT_MAX),
    created: withDefault(true, flag("true: it is created at the start; false: a step creates it")),
  },
);

const genesis = object("The state that every validator starts from. Example: genesis: { chain_id: 1212101 }", {
  chain_id: wholeNumberOr(1_212_101, "the chain id", 1, Number.MAX_SAFE_INTEGER),
  tokens: optional(table("the tokens, by symbol", NAME, token)),
  balances: optional(
    table(
      'the balances, by account and token. Example: balances: { alice: { USD: "100" } }',
      ACCOUNT,
      table("the balances of one account, by token", NAME, amount("the balance")),
    ),
  ),
  filler_accounts: optional(
    object(
      'Further accounts by number, so that the state is large. Nobody has their keys; they can be paid by their addresses: number 1 is 0x10000000 and 32 zeros, number 18 (12 in hexadecimal) is 0x21000000 and 32 zeros. Example: filler_accounts: { count: 100000, balances: { USD: "1" } }',
      {
        count: wholeNumber("the number of accounts", 1, FILLERS_MAX),
        balances: table("the balances of each, by token", NAME, amount("the balance")),
      },
    ),
  ),
  multisig: optional(
    table(
      "the multisig accounts, by name. Example: multisig: { treasury: { signers: { alice: 1, bob: 2 }, threshold: 2 } }",
      NAME,
      multisig,
    ),
  ),
  fees: optional(fees),
  list_limit: wholeNumberOr(LIST_LIMIT, "the most operations in one slot of a token", 1, LIST_LIMIT),
  policies: optional(policies),
  checkpoints: optional(firstCheckpoints),
  epochs: optional(epochs),
  rewards: optional(rewards),
});

const client = object("The behaviour of an account's client. Example: alice: { home: v2, window: 3 }", {
  twin: withDefault(
    false,
    flag("true: two services hold this account's key, alice and alice', each correct and unaware of the other"),
  ),
  behaviour: optional(
    choiceWithMeanings(
      "the behaviour; default: correct, or scripted where the steps sign two operations for one nonce",
      CLIENT_BEHAVIOURS,
    ),
  ),
  home: withDefault("v1", name("the validator that it asks first")),
  window: wholeNumberOr(1, "the most operations that are open at once", 1, 1_000),
  timeout_ms: withDefault(1_000, time("the time until the first retry, which doubles with each further one")),
  cancel_after: wholeNumberOr(0, "the number of unanswered tries after which it cancels, 0 for never", 0, 100),
  give_up_after: wholeNumberOr(4, "the number of tries after which it stops", 1, 100),
  on_refusal: withDefault(
    "cancel",
    choiceWithMeanings(
      "the client's reaction to the response that an operation is refused and disclosed to nobody",
      ON_REFUSAL,
    ),
  ),
});

const healing = object(
  "The time at which faults stop and the validators among which they do; liveness is demanded from then on. Example: healing: { at: 2000, core: [v1, v2, v3] }",
  {
    at: optional(
      time("the time of the healing; default: when the network is quiet, at most 5000 ms after the last timed step"),
    ),
    core: optional(
      names(
        "the validators among which faults stop; default: a random quorum or more of the correct validators, and all of them where `govern` or spares may change the committee",
      ),
    ),
    everywhere: withDefault(false, flag("true: faults outside the core stop too; Byzantine validators stay Byzantine")),
    none: withDefault(false, flag("true: faults never stop, and liveness is not judged")),
  },
);

/** The schema of a whole file. */
export const scenarioShape = object("a quorumlab scenario: a map with a name, steps and expectations", {
  name: example(text("the statement that the scenario makes, as a sentence"), "A payment is final within 2 s"),
  shows: optional(
    example(text("the section of docs/specification.md or docs/protocol.md that it shows"), "protocol 3.1"),
  ),
  tags: optional(example(names("words by which `quorumlab run --tag` selects the file"), ["slow"])),
  seed: optional(example(text("the seed of all random choices; default: 1, and `--seed` takes another"), "17")),
  network: optional(network),
  schedule: optional(schedule),
  genesis: optional(genesis),
  clients: optional(
    table(
      "The clients that differ from the default, by account. Example: clients: { alice: { home: v2, window: 3 } }",
      ACCOUNT,
      client,
    ),
  ),
  bug: optional(
    choice(
      "the known-bad variant that runs in place of the real program. Example: bug: vote-before-persist",
      BUG_NAMES,
    ),
  ),
  steps: optional(steps),
  healing: optional(healing),
  events: optional(
    example(
      wholeNumber(
        "the most events that the run may take before it counts as unmet",
        1,
        EVENTS_MAX,
        `default ${RUN_EVENTS}`,
      ),
      100_000,
    ),
  ),
  expect: optional(expect),
  invariants_off: optional(
    record(
      "the invariants that are not judged, each with the reason. Example: invariants_off: { liveness: a validator stays down }",
      INVARIANTS,
      text("the reason"),
    ),
  ),
  allow_idle: withDefault(
    false,
    example(
      flag("true: steps, rules and strategies may have no effect; false: one without any makes the run unmet"),
      true,
    ),
  ),
  transcript: optional(
    list(
      "The events of the run, which `quorumlab run --update` writes and later runs compare.",
      anyObject("an event: its virtual time `at`, its `kind`, and members by kind"),
      { minItems: 0, maxItems: TRANSCRIPT_EVENTS },
    ),
  ),
});

/** The schema as JSON Schema 2020-12, for editors. */
export function publishedSchema(): Record<string, unknown> {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "quorumlab scenario",
    patternProperties: { [`^${SHARED_PREFIX}`]: { description: "Shared parts of the file, which anchors name." } },
    ...withExamples(JSON.parse(JSON.stringify(scenarioShape)) as SchemaNode),
  };
}

/** The same schema in which each stated example is one of the node's `examples` too. */
function withExamples(node: SchemaNode, key?: string): SchemaNode {
  const stated = statedExample(node.description);
  const { properties, items, additionalProperties: values } = node;
  return {
    ...node,
    ...(stated === undefined ? {} : { examples: [...(node.examples ?? []), valueIn(parse(stated), node, key)] }),
    ...definedMembers({ properties: properties && withExamplesIn(properties), items: items && withExamples(items) }),
    ...(typeof values === "object" ? { additionalProperties: withExamples(values) } : {}),
  };
}

function withExamplesIn(properties: Readonly<Record<string, SchemaNode>>): Readonly<Record<string, SchemaNode>> {
  return Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, withExamples(member, key)]));
}

/** A value of the node itself: an example may stand below the node's key, or below a name, or in a list of steps. */
function valueIn(example: unknown, node: SchemaNode, key: string | undefined): unknown {
  const whole = Array.isArray(example) && node["type"] !== "array" ? example[0] : exampleInList(example, key);
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return whole;
  if (key !== undefined && key in whole) return (whole as Record<string, unknown>)[key];
  const [only, ...more] = Object.keys(whole);
  const isNamed = more.length === 0 && key === undefined && only !== undefined && !(only in (node.properties ?? {}));
  return isNamed ? (whole as Record<string, unknown>)[only] : whole;
}

/** The step or expectation of an example for a list-valued key, such as `partition`; a list as it is otherwise. */
function exampleInList(example: unknown, key: string | undefined): unknown {
  if (!Array.isArray(example) || key === undefined) return example;
  const [first] = example;
  return typeof first === "object" && first !== null && key in first ? first : example;
}
