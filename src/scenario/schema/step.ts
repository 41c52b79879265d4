/** Schema of steps: one verb each, at a time or after an event. */
import { COVERAGE_POINTS, type CoveragePoint } from "../../core/validator/coverage-points.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../../simulator/byzantine/registry.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { LOST_WRITES_MAX } from "../../simulator/settings.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX, STEPS_MAX } from "../limits.ts";
import type { Chance, Delay } from "../scalar-types.ts";
import type {
  BehaveSpec,
  ByzantineSpec,
  ClockSpec,
  CrashSpec,
  CutSpec,
  DiskSpec,
  LinkSpec,
  PatternSpec,
  Step,
  StepVerb,
  StepVerbs,
  TriggerSpec,
} from "../scenario.ts";
import { govern } from "./epoch.ts";
import { CRASH_OUTPUTS, KINDS_OF_MESSAGES } from "./meanings.ts";
import { account, chance, delay, NAME, name, names, time } from "./scalars.ts";
import {
  defaulting,
  example,
  list,
  meaning,
  object,
  oneOf,
  optional,
  type Shape,
  table,
  wholeNumber,
  withDescription,
} from "./shape.ts";
import { submit } from "./submit.ts";
import { workload } from "./workload.ts";

/** Coverage points of validators: steps wait for what a validator does. */
const VALIDATOR_COVERAGE_POINTS: readonly CoveragePoint[] = Object.keys(COVERAGE_POINTS) as CoveragePoint[];

export const MESSAGE_KINDS: readonly MessageKind[] = [
  "offer",
  "recovery",
  "fetch",
  "decisions",
  "status",
  "logRequest",
  "logPage",
  "snapshot",
  "stateRequest",
  "statePieces",
  "epochQuery",
  "epochQueryReply",
  "cause",
  "reason",
  "vote",
  "commit",
  "roundChange",
  "proposal",
  "close",
  "lock",
  "finality",
  "submit",
  "reply",
];

export const TRIGGER_EVENTS = [
  "submitted",
  "voted",
  "committed",
  "proposed",
  "decided",
  "applied",
  "responded",
  "round_change",
  "held",
  "crashed",
  "restarted",
  "coverage",
  "checkpoint_proposed",
  "checkpoint_voted",
  "checkpoint_committed",
  "checkpoint_decided",
  "checkpointed",
  "close_signed",
  "closing_proposed",
  "closing_voted",
  "closing_committed",
  "closing_decided",
  "closed",
] as const;

const checkpoint = (what: string): Shape<number> =>
  wholeNumber(`the number of a checkpoint ${what}: 1 to ${CHECKPOINTS_MAX}`, 1, CHECKPOINTS_MAX);

const epoch = (what: string): Shape<number> =>
  wholeNumber(`the number of an epoch ${what}: 0 to ${EPOCHS_MAX}`, 0, EPOCHS_MAX);

const trigger: Shape<TriggerSpec> = object<TriggerSpec>(
  "The event after which the step happens. Example: after: { committed: x, by: v2, plus_ms: 5 }",
  {
    submitted: optional(example(name("an operation that a validator received"), "x")),
    voted: optional(example(name("an operation that a validator voted for"), "x")),
    committed: optional(example(name("an operation that a validator committed to"), "x")),
    proposed: optional(example(name("an operation that a validator proposed in a later round"), "x")),
    decided: optional(example(name("an operation whose slot was decided"), "x")),
    applied: optional(example(name("an operation that took effect"), "x")),
    responded: optional(example(name("an operation whose client received a response"), "x")),
    round_change: optional(example(account("an account or token with a slot that changes round"), "alice")),
    held: optional(example(name("a rule of `hold` that held a message"), "late")),
    crashed: optional(example(name("a validator that crashed"), "v2")),
    restarted: optional(example(name("a validator that started again"), "v2")),
    coverage: optional(
      example(
        meaning("a coverage point that a validator reached", VALIDATOR_COVERAGE_POINTS, COVERAGE_POINTS),
        "lock carried",
      ),
    ),
    checkpoint_proposed: optional(example(checkpoint("that a validator proposed"), 1)),
    checkpoint_voted: optional(example(checkpoint("that a validator voted for"), 1)),
    checkpoint_committed: optional(example(checkpoint("that a validator committed to"), 1)),
    checkpoint_decided: optional(example(checkpoint("that a validator saw decided"), 1)),
    checkpointed: optional(example(checkpoint("that a validator applied"), 1)),
    close_signed: optional(example(epoch("in which a validator signed its EpochClose"), 0)),
    closing_proposed: optional(example(epoch("whose closing a validator proposed"), 0)),
    closing_voted: optional(example(epoch("for whose closing a validator voted"), 0)),
    closing_committed: optional(example(epoch("to whose closing a validator committed"), 0)),
    closing_decided: optional(example(epoch("whose closing a validator saw decided"), 0)),
    closed: optional(example(epoch("whose closing a validator applied"), 0)),
    by: optional(name("the validator that caused it, or the client of `responded`; default: any")),
    times: optional(defaulting(1, wholeNumber("the occurrence number of the event: 1 to 1000; default 1", 1, 1_000))),
    plus_ms: optional(defaulting(0, time("the time from the event to the step"))),
  },
  oneOf(TRIGGER_EVENTS),
);

const pattern = (what: string, shown: string): Shape<PatternSpec> =>
  object<PatternSpec>(`${what} Absent members match everything. Example: ${shown}`, {
    rule: optional(name("the name of the rule, for `undrop`, `release` and `held`")),
    from: optional(names("the senders; default: all")),
    to: optional(names("the receivers; default: all")),
    kinds: optional(list("the kinds of messages", meaning("a kind of message", MESSAGE_KINDS, KINDS_OF_MESSAGES))),
    of: optional(name("an operation that the messages concern")),
    account: optional(account("an account whose slots the messages concern")),
    token: optional(name("a token whose slots the messages concern")),
    checkpoint: optional(checkpoint("that the messages concern")),
    epoch: optional(epoch("whose closing the messages concern")),
    round: optional(wholeNumber("the round of the messages: 0 to 1000", 0, 1_000)),
    count: optional(wholeNumber("the most messages that `drop` drops: 1 to 100000; default: all", 1, 100_000)),
  });

function link<T, K extends string>(verb: string, key: K, shape: Shape<T>, shown: string): Shape<LinkSpec<T, K>> {
  const members = {
    from: optional(names("the senders; default: all validators")),
    to: optional(names("the receivers; default: all validators")),
    [key]: shape,
  };
  return object<Record<string, unknown>>(`${verb} Example: ${shown}`, members as never) as unknown as Shape<
    LinkSpec<T, K>
  >;
}

function nameOr(what: string, shape: Record<string, unknown>): Shape<never> {
  return { pattern: NAME, not: { const: false }, ...shape, description: what } as unknown as Shape<never>;
}

const STRATEGY_MEANINGS = Object.fromEntries(STRATEGY_NAMES.map((one) => [one, STRATEGIES[one].sentence])) as Readonly<
  Record<StrategyName, string>
>;

/** Meanings of the modes of all strategies: two strategies may share the name of a mode. */
const MODE_MEANINGS: Readonly<Record<string, string>> = STRATEGY_NAMES.reduce<Record<string, string>>(
  (all, strategy) => {
    for (const [mode, sentence] of Object.entries(STRATEGIES[strategy].modes ?? {}))
      all[mode] = [...(mode in all ? [all[mode]] : []), `${strategy}: ${sentence}`].join(" ");
    return all;
  },
  {},
);

const WITH_MODES: readonly string[] = STRATEGY_NAMES.filter((one) => modesOf(one).length > 0).map(
  (one) => `${one} (default: ${modesOf(one)[0]})`,
);

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

type Verbs = { readonly [V in StepVerb]: Shape<NonNullable<StepVerbs[V]>> };

const VERBS: Verbs = {
  submit,
  crash: object<CrashSpec>(
    "A validator crashes and loses its volatile state. Example: - { at: 100, crash: { node: v2, restart_after_ms: 500 } }",
    {
      node: name("the validator"),
      outputs: optional(
        wholeNumber(
          "the number of its further outputs before the crash: 0 to 100000; default: it crashes at once",
          0,
          100_000,
        ),
      ),
      after_output: optional(
        meaning(
          "the type of its next output, right after which it crashes; default: it crashes at once",
          ["persist", "erase", "sign", "send"],
          CRASH_OUTPUTS,
        ),
      ),
      restart_after_ms: optional(time("the time from the crash to the restart; default: it stays down")),
    },
  ),
  restart: withDescription(
    "A validator that is down starts again from its disk. Example: - { at: 900, restart: v2 }",
    name("the validator"),
  ),
  wipe: withDescription(
    "A validator loses its volatile state and its disk, and is down until `restart`. Example: - { at: 100, wipe: v2 }",
    name("the validator"),
  ),
  clock: object<ClockSpec>(
    "Sets the clock of a validator ahead of the others, or behind. Example: - { at: 0, clock: { node: v3, ahead_ms: 40000 } }",
    {
      node: name("the validator"),
      ahead_ms: wholeNumber(
        "the milliseconds by which it is ahead, negative where behind: -86400000 to 86400000",
        -86_400_000,
        86_400_000,
      ),
    },
  ),
  disk: object<DiskSpec>("Changes the disk of a validator. Example: - { at: 0, disk: { node: v1, write_ms: 5..10 } }", {
    node: name("the validator"),
    write_ms: optional(delay("the time that a write takes; default: unchanged")),
    loses_last: optional(
      wholeNumber(
        `the number of acknowledged records that a crash loses, which makes the validator count as Byzantine: 0 to ${LOST_WRITES_MAX}`,
        0,
        LOST_WRITES_MAX,
      ),
    ),
  }),
  partition: list(
    "Cuts all links between the groups; parties that are absent keep theirs. Example: - { at: 50, partition: [[v1, v2], [v3, v4]] }",
    names("the parties of one group"),
  ),
  cut: object<CutSpec>("Cuts links in one direction. Example: - { at: 50, cut: { from: [v1], to: [v2] } }", {
    from: names("the senders"),
    to: names("the receivers"),
  }),
  heal: nameOr(
    "Ends all partitions and cuts, or those between the parties listed. Example: - { at: 500, heal: true }",
    {
      type: ["boolean", "array"],
      items: name("a validator or client"),
      minItems: 1,
    },
  ),
  delay: link<Delay, "ms">(
    "Changes the delay of links.",
    "ms",
    delay("the time that a message takes"),
    "- { at: 0, delay: { to: [v3], ms: 200..300 } }",
  ),
  loss: link<Chance, "chance">(
    "Changes the share of messages that links lose.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, loss: { from: [v1], chance: 1/5 } }",
  ),
  duplicate: link<Chance, "chance">(
    "Changes the share of messages that links deliver twice.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, duplicate: { chance: 1/5 } }",
  ),
  reorder: link<Chance, "chance">(
    "Changes the share of messages that may overtake earlier ones on their link.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, reorder: { chance: 1/5 } }",
  ),
  drop: pattern("Drops the messages that match every member.", "- { at: 0, drop: { kinds: [finality], from: [v1] } }"),
  undrop: nameOr("Ends the rule of `drop` with this name, or all. Example: - { at: 500, undrop: true }", {
    type: ["boolean", "string"],
  }),
  hold: pattern(
    "Keeps the messages that match every member until `release`.",
    "- { at: 0, hold: { rule: late, kinds: [commit], of: x } }",
  ),
  release: nameOr(
    "Ends the rule of `hold` with this name, or all, and delivers the messages that it kept. Example: - { at: 500, release: late }",
    {
      type: ["boolean", "string"],
    },
  ),
  byzantine: object<ByzantineSpec>(
    "A validator is Byzantine from now on. Several strategies may act together. Example: - { at: 0, byzantine: { node: v4, strategy: double-vote } }",
    {
      node: name("the validator"),
      strategy: meaning("a Byzantine strategy", STRATEGY_NAMES, STRATEGY_MEANINGS),
      towards: optional(
        names(
          `the parties that ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards !== undefined))} treat badly; default: all, of ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards === "none"))} none`,
        ),
      ),
      of: optional(
        name(`the operation that ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].readsOperation))} votes for`),
      ),
      chance: optional(
        defaulting(
          "1/2",
          chance("the share of steps in which replay-stale, and of statements on which invalid-signatures acts"),
        ),
      ),
      mode: optional(meaning(`the false part, of ${listed(WITH_MODES)}`, Object.keys(MODE_MEANINGS), MODE_MEANINGS)),
    },
  ),
  behave: object<BehaveSpec>(
    "A Byzantine validator ends one strategy, or all of them. Example: - { at: 900, behave: { node: v4 } }",
    {
      node: name("the validator"),
      strategy: optional(meaning("the strategy that ends; default: all", STRATEGY_NAMES, STRATEGY_MEANINGS)),
    },
  ),
  twin: table(
    'Routes the messages of parties to one of two nodes with one key; messages of all others reach both. Example: - { at: 0, twin: { v4: [v1, v2], "v4\'": [v3] } }',
    NAME,
    names("the parties whose messages reach this node"),
  ),
  workload,
  govern,
};

export const STEP_VERBS: readonly StepVerb[] = Object.keys(VERBS) as StepVerb[];

function optionalVerbs(): { readonly [V in StepVerb]: { readonly maybe: Verbs[V] } } {
  return Object.fromEntries(
    Object.entries(VERBS).map(([key, shape]) => [key, optional(shape as Shape<unknown>)]),
  ) as never;
}

const step: Shape<Step> = object<Step>(
  "One step with exactly one verb, at a time or after an event. Example: - { at: 100, crash: { node: v2 } }",
  {
    ...optionalVerbs(),
    at: optional(example(time("the time of the step"), 100)),
    after: optional(trigger),
    only: optional(
      example(names("the validators to which `submit` hands the operation; default: the home of the client"), [
        "v1",
        "v2",
      ]),
    ),
  },
  oneOf(STEP_VERBS),
);

export const steps: Shape<readonly Step[]> = list<Step>(
  "The steps, in any order. Example: steps: [{ at: 100, crash: { node: v2 } }]",
  step,
  {
    minItems: 0,
    maxItems: STEPS_MAX,
  },
);
