/** Events that steps wait for, and patterns of messages: types and schema. */
import type { Static } from "typebox";
import { COVERAGE_POINTS } from "../../core/validator/coverage-points.ts";
import {
  choiceWithMeanings,
  example,
  list,
  members,
  object,
  oneOf,
  optional,
  optionals,
  type Shape,
  wholeNumber,
  wholeNumberOr,
  withDefault,
} from "../../schema/shape.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX } from "../limits.ts";
import { account, name, names, time } from "./scalars.ts";

const MESSAGE_KINDS: Readonly<Record<MessageKind, string>> = {
  offer: "A relay brings a value to round 0 of a slot and asks for votes.",
  disclosure: "A validator discloses a reason to leave round 0, or the cause of a closing, without a statement.",
  fetch: "A validator asks for the decisions of slots, or for the contents of values.",
  decisions: "A validator sends decisions with their contents.",
  status: "A validator says how far it is, and which slots it has applied since its last checkpoint.",
  snapshot: "A validator offers a final checkpoint in place of decisions that it has pruned.",
  stateRequest: "A validator asks for pieces of the state after a checkpoint.",
  statePieces: "A validator sends pieces of a state.",
  opaque: "A validator that others wrote sends a message of its own protocol.",
  vote: "A validator votes for a value.",
  commit: "A validator commits to a value that has a lock certificate.",
  roundChange: "A validator moves to a higher round, with the lock that it holds.",
  proposal: "The proposer of a round above 0, of a token slot or of the chain proposes a value.",
  close: "A validator closes its epoch: it signs an EpochClose with its claims.",
  lock: "A validator passes a lock certificate on.",
  finality: "A validator passes a finality certificate on.",
  submit: "A client submits an operation.",
  reply: "A validator responds to a client.",
};

const checkpoint = (description: string): Shape<number> =>
  wholeNumber(`the number of a checkpoint ${description}`, 1, CHECKPOINTS_MAX);

const epoch = (description: string): Shape<number> =>
  wholeNumber(`the number of an epoch ${description}`, 0, EPOCHS_MAX);

const EVENTS = {
  submitted: example(name("an operation that a validator received"), "x"),
  voted: example(name("an operation that a validator voted for"), "x"),
  committed: example(name("an operation that a validator committed to"), "x"),
  proposed: example(name("an operation that a validator proposed in a later round"), "x"),
  decided: example(name("an operation whose slot was decided"), "x"),
  applied: example(name("an operation that took effect"), "x"),
  responded: example(name("an operation whose client received a response"), "x"),
  round_change: example(account("an account or token with a slot that changes round"), "alice"),
  held: example(name("a rule of `hold` that held a message"), "late"),
  crashed: example(name("a validator that crashed"), "v2"),
  restarted: example(name("a validator that started again"), "v2"),
  coverage: example(choiceWithMeanings("a coverage point that a validator reached", COVERAGE_POINTS), "lock carried"),
  checkpoint_proposed: example(checkpoint("that a validator proposed"), 1),
  checkpoint_voted: example(checkpoint("that a validator voted for"), 1),
  checkpoint_committed: example(checkpoint("that a validator committed to"), 1),
  checkpoint_decided: example(checkpoint("that a validator saw decided"), 1),
  checkpointed: example(checkpoint("that a validator applied"), 1),
  close_signed: example(epoch("in which a validator signed its EpochClose"), 0),
  closing_proposed: example(epoch("whose closing a validator proposed"), 0),
  closing_voted: example(epoch("for whose closing a validator voted"), 0),
  closing_committed: example(epoch("to whose closing a validator committed"), 0),
  closing_decided: example(epoch("whose closing a validator saw decided"), 0),
  closed: example(epoch("whose closing a validator applied"), 0),
};

export type TriggerEvent = keyof typeof EVENTS;

export const TRIGGER_EVENTS = Object.keys(EVENTS) as readonly TriggerEvent[];

export const trigger = object(
  "The event after which the step happens. Example: after: { committed: x, by: v2, plus_ms: 5 }",
  {
    ...optionals(EVENTS),
    by: optional(name("the validator that caused it, or the client of `responded`; default: any")),
    times: wholeNumberOr(1, "the occurrence number of the event", 1, 1_000),
    plus_ms: withDefault(0, time("the time from the event to the step")),
  },
  oneOf(TRIGGER_EVENTS),
);

/** Exactly one event, with its filters. */
export type TriggerSpec = Static<typeof trigger>;

export const pattern = members({
  rule: optional(name("the name of the rule, for `undrop`, `release` and `held`")),
  from: optional(names("the senders; default: all")),
  to: optional(names("the receivers; default: all")),
  kinds: optional(list("the kinds of messages", choiceWithMeanings("a kind of message", MESSAGE_KINDS))),
  tags: optional(list("the tags of messages of validators that others wrote", name("a tag"))),
  of: optional(name("an operation that the messages concern")),
  account: optional(account("an account whose slots the messages concern")),
  token: optional(name("a token whose slots the messages concern")),
  checkpoint: optional(checkpoint("that the messages concern")),
  epoch: optional(epoch("whose closing the messages concern")),
  round: optional(wholeNumber("the round of the messages", 0, 1_000)),
  count: optional(wholeNumber("the most messages that `drop` drops", 1, 100_000, "default: all")),
});

export type PatternSpec = Static<typeof pattern>;
