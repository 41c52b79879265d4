/** Schema of scenario files, also printed for editors by `quorumlab schema`. */
import { BUGS } from "../../bugs/catalogue.ts";
import type { Role } from "../../core/base/operation.ts";
import { ROLES } from "../../core/base/operation.ts";
import { LIST_LIMIT } from "../../core/ledger/limits.ts";
import { EVENTS_MAX, RUN_STEPS, TRANSCRIPT_LINES, VALIDATORS_MAX } from "../limits.ts";
import type { ClientPart, GenesisPart, Healing, Network, Scenario, TokenPart } from "../scenario.ts";
import { checkpoints, epochs, fees, rewards } from "./epoch.ts";
import { expect, INVARIANTS } from "./expect.ts";
import { schedule } from "./schedule.ts";
import { choice, flag, list, maybe, object, type Shape, table, text, whole, words } from "./shape.ts";
import { steps } from "./step.ts";
import { ACCOUNT, account, accounts, amount, chance, delay, NAME, name, names, time } from "./words.ts";

const BUG_NAMES: readonly string[] = BUGS.map(({ name: bug }) => bug);

const none = { minItems: 0 };

const network: Shape<Network> = object<Network>(
  "Validators, v1 to vN, and the links between them. Example: network: { validators: 4, delay_ms: 5..20 }",
  {
    validators: maybe(whole(`how many: 1 to ${VALIDATORS_MAX}; default 4`, 1, VALIDATORS_MAX)),
    spares: maybe(
      names("further validators, which sign nothing before `govern` takes them into a committee. Example: [v5, v6]"),
    ),
    delay_ms: maybe(delay("how long a message takes between validators")),
    client_delay_ms: maybe(delay("how long a message takes between clients and validators")),
    loss: maybe(chance("how many messages get lost")),
    duplicate: maybe(chance("how many messages arrive twice")),
    reorder: maybe(chance("how many messages overtake others")),
    write_ms: maybe(delay("how long a disk write takes")),
    twins: maybe(names("validators that run twice with one key: v4 and v4'")),
  },
);

const token: Shape<TokenPart> = object<TokenPart>(
  "A token. Example: USD: { decimals: 6, master: issuer, state: unpaused }",
  {
    decimals: whole("decimals: 0 to 18", 0, 18),
    master: account("the master authority"),
    name: maybe(text("the token's full name")),
    state: maybe(choice("unpaused where absent", ["paused", "unpaused"])),
    private: maybe(flag("whether only whitelisted addresses may use it")),
    roles: maybe(words<Role, readonly string[]>("who holds each role", ROLES, accounts("holders", none))),
    allowances: maybe(table("what holders of MintBurnTokens may mint", ACCOUNT, amount("how much"))),
    blacklist: maybe(accounts("who is blacklisted", none)),
    whitelist: maybe(accounts("who is whitelisted", none)),
  },
);

const genesis: Shape<GenesisPart> = object<GenesisPart>("What every validator knows at the start.", {
  chain_id: maybe(whole("the chain id; default 1212101", 1, Number.MAX_SAFE_INTEGER)),
  tokens: maybe(table("tokens by symbol", NAME, token)),
  balances: maybe(
    table(
      'what accounts have. Example: balances: { alice: { USD: "100" } }',
      ACCOUNT,
      table("by token", NAME, amount("how much")),
    ),
  ),
  fees: maybe(fees),
  list_limit: maybe(
    whole(`how many operations one slot of a token takes: 1 to ${LIST_LIMIT}, the default`, 1, LIST_LIMIT),
  ),
  open_tokens: maybe(flag("whether issued tokens are open at once; by default they start paused")),
  checkpoints: maybe(checkpoints),
  epochs: maybe(epochs),
  rewards: maybe(rewards),
});

const client: Shape<ClientPart> = object<ClientPart>(
  "How the client of an account behaves. Example: alice: { home: v2, window: 3 }",
  {
    twin: maybe(
      flag("whether two services have this account's key, each correct and unaware of the other: alice and alice'"),
    ),
    behaviour: maybe(
      choice("correct: retries and never equivocates. scripted: sends exactly what the steps say", [
        "correct",
        "scripted",
      ]),
    ),
    home: maybe(name("the validator that it asks first")),
    window: maybe(whole("how many operations may be open at once: 1 to 1000", 1, 1_000)),
    timeout_ms: maybe(time("until the first retry")),
    cancel_after: maybe(whole("unanswered tries until it cancels; 0: never", 0, 100)),
    give_up_after: maybe(whole("tries until it stops: 1 to 100", 1, 100)),
    on_refusal: maybe(
      choice(
        "told that an operation is refused and shown to nobody. cancel: keeps to it. reuse: signs its next operation for that nonce",
        ["cancel", "reuse"],
      ),
    ),
  },
);

const healing: Shape<Healing> = object<Healing>(
  "When and where faults stop, so that liveness is demanded. Example: healing: { at: 2000, core: [v1, v2, v3] }",
  {
    at: maybe(time("when; default: once the network is quiet, or a while after the last timed step")),
    core: maybe(
      names(
        "where; default: a random core of at least a quorum of correct validators, and all of them where `govern` or spares may change the committee",
      ),
    ),
    everywhere: maybe(flag("whether faults outside the core stop too")),
    none: maybe(flag("never: liveness is not judged")),
  },
);

/** The schema of a whole file. */
export const scenarioShape: Shape<Scenario> = object<Scenario>("A quorumlab scenario.", {
  name: text("what the scenario says, as a sentence"),
  shows: maybe(text("the section of docs/specification.md or docs/protocol.md that it shows")),
  network: maybe(network),
  schedule: maybe(schedule),
  genesis: maybe(genesis),
  clients: maybe(table("clients by account, where they are not plain correct ones", ACCOUNT, client)),
  bug: maybe(
    choice("a known-bad variant that runs instead of the real program. Example: bug: vote-before-persist", BUG_NAMES),
  ),
  steps: maybe(steps),
  healing: maybe(healing),
  events: maybe(
    whole(
      `the most events that the run may take: 1 to ${EVENTS_MAX}; default ${RUN_STEPS}. A run that has not come to rest by then is unmet`,
      1,
      EVENTS_MAX,
    ),
  ),
  expect: maybe(expect),
  invariants_off: maybe(
    words(
      "invariants that are not judged, each with the reason. Example: invariants_off: { liveness: a validator stays down }",
      INVARIANTS,
      text("the reason"),
    ),
  ),
  transcript: maybe(
    list("What happened, written by `quorumlab run --update` and compared by later runs.", text("a line"), {
      minItems: 0,
      maxItems: TRANSCRIPT_LINES,
    }),
  ),
});

/** The schema as JSON Schema 2020-12, for editors. */
export function publishedSchema(): Record<string, unknown> {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "quorumlab scenario",
    ...(JSON.parse(JSON.stringify(scenarioShape)) as Record<string, unknown>),
  };
}
