/** Schema of steps: one verb each, at a time or after an event. */
import { MARKS, type Mark } from "../../core/validator/marks.ts";
import { LOSES_LAST_MAX } from "../../simulator/limits.ts";
import type { MessageKind, StrategyPlan } from "../../simulator/plan.ts";
import { CHECKPOINT_LIES, CHOICE_LIES, JUSTIFICATION_LIES } from "../lies.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX, STEPS_MAX } from "../limits.ts";
import type {
  BehavePart,
  ByzantinePart,
  ClockPart,
  Crash,
  CutPart,
  DiskPart,
  LinkPart,
  PatternPart,
  Step,
  StepVerb,
  StepVerbs,
  TriggerPart,
} from "../scenario.ts";
import type { Chance, Delay } from "../scenario-words.ts";
import { govern } from "./epoch.ts";
import { choice, described, list, maybe, object, oneOf, type Shape, table, whole } from "./shape.ts";
import { submit } from "./submit.ts";
import { account, chance, delay, NAME, name, names, time } from "./words.ts";
import { workload } from "./workload.ts";

/** Marks of validators: steps wait for what a validator does. */
const VALIDATOR_MARKS: readonly Mark[] = Object.keys(MARKS) as Mark[];

export const STRATEGIES: readonly StrategyPlan["name"][] = [
  "double-vote",
  "double-commit",
  "double-close",
  "withhold-votes",
  "withhold-commits",
  "hide-locks",
  "stale-locks",
  "replay-stale",
  "invalid-signatures",
  "selective-silence",
  "silence",
  "false-refusal",
  "double-proposal",
  "false-justification",
  "inflated-rounds",
  "false-answers",
  "replay-changed",
  "false-locks",
  "false-choices",
  "forged-operations",
  "careless-relay",
  "false-state",
  "worthless-reasons",
  "false-contents",
  "other-epoch",
  "false-checkpoint",
  "mutate",
  "vote-for",
];

export const MESSAGE_KINDS: readonly MessageKind[] = [
  "offer",
  "shown",
  "fetch",
  "decisions",
  "status",
  "logRequest",
  "logPage",
  "snapshot",
  "stateRequest",
  "statePieces",
  "epochQuestion",
  "epochAnswer",
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
  "answered",
  "round_change",
  "held",
  "crashed",
  "restarted",
  "mark",
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
  whole(`the number of a checkpoint ${what}: 1 to ${CHECKPOINTS_MAX}`, 1, CHECKPOINTS_MAX);

const epoch = (what: string): Shape<number> =>
  whole(`the number of an epoch ${what}: 0 to ${EPOCHS_MAX}`, 0, EPOCHS_MAX);

const trigger: Shape<TriggerPart> = object<TriggerPart>(
  "When something has happened. Example: after: { committed: x, by: v2, plus_ms: 5 }",
  {
    submitted: maybe(name("an operation that a validator received")),
    voted: maybe(name("an operation that somebody voted for")),
    committed: maybe(name("an operation that somebody committed to")),
    proposed: maybe(name("an operation that somebody proposed in a later round")),
    decided: maybe(name("an operation whose slot was decided")),
    applied: maybe(name("an operation that took effect")),
    answered: maybe(name("an operation whose client was answered")),
    round_change: maybe(account("an account or token of which a slot changes round")),
    held: maybe(name("a rule that held a message back")),
    crashed: maybe(name("a validator that crashed")),
    restarted: maybe(name("a validator that started again")),
    mark: maybe(choice("a place of the code that was reached", VALIDATOR_MARKS)),
    checkpoint_proposed: maybe(checkpoint("that somebody proposed")),
    checkpoint_voted: maybe(checkpoint("that somebody voted for")),
    checkpoint_committed: maybe(checkpoint("that somebody committed to")),
    checkpoint_decided: maybe(checkpoint("that somebody saw decided")),
    checkpointed: maybe(checkpoint("that somebody applied")),
    close_signed: maybe(epoch("in which somebody signed that it votes no more")),
    closing_proposed: maybe(epoch("of which somebody proposed the closing")),
    closing_voted: maybe(epoch("for whose closing somebody voted")),
    closing_committed: maybe(epoch("to whose closing somebody committed")),
    closing_decided: maybe(epoch("of which somebody saw the closing decided")),
    closed: maybe(epoch("of which somebody applied the closing")),
    by: maybe(name("the validator that did it; of `answered`: the client")),
    times: maybe(whole("the how manieth time: 1 to 1000", 1, 1_000)),
    plus_ms: maybe(time("how long after it")),
  },
  oneOf(TRIGGER_EVENTS),
);

const pattern = (example: string): Shape<PatternPart> =>
  object<PatternPart>(`Messages that fit every member given. Example: ${example}`, {
    rule: maybe(name("what the file calls the rule")),
    from: maybe(names("senders")),
    to: maybe(names("receivers")),
    kinds: maybe(list("kinds of messages", choice("a kind of message", MESSAGE_KINDS))),
    of: maybe(name("an operation that they are about")),
    account: maybe(account("an account whose slots they are about")),
    token: maybe(name("a token whose slots they are about")),
    checkpoint: maybe(checkpoint("that they are about")),
    epoch: maybe(epoch("whose closing they are about")),
    round: maybe(whole("a round: 0 to 1000", 0, 1_000)),
    count: maybe(whole("at most so many, of `drop`: 1 to 100000", 1, 100_000)),
  });

function link<T, K extends string>(verb: string, key: K, shape: Shape<T>, example: string): Shape<LinkPart<T, K>> {
  const members = { from: maybe(names("senders")), to: maybe(names("receivers")), [key]: shape };
  return object<Record<string, unknown>>(
    `Changes links: ${verb}. Example: ${example}`,
    members as never,
  ) as unknown as Shape<LinkPart<T, K>>;
}

function nameOr(what: string, shape: Record<string, unknown>): Shape<never> {
  return { pattern: NAME, not: { const: false }, ...shape, description: what } as unknown as Shape<never>;
}

type Verbs = { readonly [V in StepVerb]: Shape<NonNullable<StepVerbs[V]>> };

const VERBS: Verbs = {
  submit,
  crash: object<Crash>(
    "A validator loses its memory. Example: - { at: 100, crash: { node: v2, restart_after_ms: 500 } }",
    {
      node: name("the validator"),
      outputs: maybe(whole("after so many of its outputs from now: 0 to 100000", 0, 100_000)),
      after_output: maybe(choice("right after its next output of this type", ["persist", "erase", "sign", "send"])),
      restart_after_ms: maybe(time("when it starts again")),
    },
  ),
  restart: described(
    "A validator starts again from its disk. Example: - { at: 900, restart: v2 }",
    name("the validator"),
  ),
  wipe: described("A validator loses memory and disk. Example: - { at: 100, wipe: v2 }", name("the validator")),
  clock: object<ClockPart>(
    "Sets a clock ahead of the others, or behind where negative. Example: - { at: 0, clock: { node: v3, ahead_ms: 40000 } }",
    {
      node: name("the validator"),
      ahead_ms: whole("by how many milliseconds: -86400000 to 86400000", -86_400_000, 86_400_000),
    },
  ),
  disk: object<DiskPart>("Changes a disk. Example: - { at: 0, disk: { node: v1, write_ms: 5..10 } }", {
    node: name("the validator"),
    write_ms: maybe(delay("how long a write takes")),
    loses_last: maybe(
      whole(`how many acknowledged records a crash takes away: 0 to ${LOSES_LAST_MAX}`, 0, LOSES_LAST_MAX),
    ),
  }),
  partition: list(
    "Cuts the links between groups. Example: - { at: 50, partition: [[v1, v2], [v3, v4]] }",
    names("a group"),
  ),
  cut: object<CutPart>("Cuts links in one direction. Example: - { at: 50, cut: { from: [v1], to: [v2] } }", {
    from: names("senders"),
    to: names("receivers"),
  }),
  heal: nameOr("Mends all partitions and cuts, or those of some. Example: - { at: 500, heal: true }", {
    type: ["boolean", "array"],
    items: name("a party"),
    minItems: 1,
  }),
  delay: link<Delay, "ms">(
    "how long they take",
    "ms",
    delay("how long"),
    "- { at: 0, delay: { to: [v3], ms: 200..300 } }",
  ),
  loss: link<Chance, "chance">(
    "how many messages get lost",
    "chance",
    chance("how many"),
    "- { at: 0, loss: { from: [v1], chance: 1/5 } }",
  ),
  duplicate: link<Chance, "chance">(
    "how many messages arrive twice",
    "chance",
    chance("how many"),
    "- { at: 0, duplicate: { chance: 1/5 } }",
  ),
  reorder: link<Chance, "chance">(
    "how many messages overtake others",
    "chance",
    chance("how many"),
    "- { at: 0, reorder: { chance: 1/5 } }",
  ),
  drop: pattern("- { at: 0, drop: { kinds: [finality], from: [v1] } }"),
  undrop: nameOr("Ends a rule of `drop`, or all. Example: - { at: 500, undrop: true }", {
    type: ["boolean", "string"],
  }),
  hold: pattern("- { at: 0, hold: { rule: late, kinds: [commit], of: x } }"),
  release: nameOr("Delivers what a rule of `hold` kept, or all. Example: - { at: 500, release: late }", {
    type: ["boolean", "string"],
  }),
  byzantine: object<ByzantinePart>(
    "A validator stops following the rules. Example: - { at: 0, byzantine: { node: v4, strategy: double-vote } }",
    {
      node: name("the validator"),
      strategy: choice("what it does", STRATEGIES),
      towards: maybe(names("to whom, of withhold-votes, withhold-commits, selective-silence")),
      of: maybe(name("the operation that it votes for, of vote-for")),
      chance: maybe(chance("how often, of replay-stale and invalid-signatures")),
      lie: maybe(
        choice(
          `what is wrong, of false-justification (default: ${JUSTIFICATION_LIES[0]}), false-choices (default: ${CHOICE_LIES[0]}) and false-checkpoint (default: ${CHECKPOINT_LIES[0]})`,
          [...new Set([...JUSTIFICATION_LIES, ...CHOICE_LIES, ...CHECKPOINT_LIES])],
        ),
      ),
    },
  ),
  behave: object<BehavePart>(
    "It follows the rules again, wholly or in one thing. Example: - { at: 900, behave: { node: v4 } }",
    {
      node: name("the validator"),
      strategy: maybe(choice("which strategy ends", STRATEGIES)),
    },
  ),
  twin: table(
    "Which of two nodes with one key a party's messages reach. Example: - { at: 0, twin: { v4: [v1, v2], \"v4'\": [v3] } }",
    NAME,
    names("the parties"),
  ),
  workload,
  govern,
};

export const STEP_VERBS: readonly StepVerb[] = Object.keys(VERBS) as StepVerb[];

function optionalVerbs(): { readonly [V in StepVerb]: { readonly maybe: Verbs[V] } } {
  return Object.fromEntries(
    Object.entries(VERBS).map(([key, shape]) => [key, maybe(shape as Shape<unknown>)]),
  ) as never;
}

const step: Shape<Step> = object<Step>(
  "One thing that happens, at a time or after an event.",
  {
    ...optionalVerbs(),
    at: maybe(time("when")),
    after: maybe(trigger),
    only: maybe(names("of `submit`: the validators that it is handed to")),
  },
  oneOf(STEP_VERBS),
);

export const steps: Shape<readonly Step[]> = list<Step>("What happens, in any order.", step, {
  minItems: 0,
  maxItems: STEPS_MAX,
});
