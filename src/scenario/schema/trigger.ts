/** Events that steps wait for, and patterns of messages: types and schema. */
import { COVERAGE_POINTS, type CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { CHECKPOINTS_MAX, EPOCHS_MAX } from "../limits.ts";
import { account, type Name, name, names, time } from "./scalars.ts";
import {
  defaulting,
  example,
  list,
  meaning,
  members,
  object,
  oneOf,
  optional,
  type Shape,
  wholeNumber,
} from "./shape.ts";

/** Exactly one event, with its filters. */
export interface TriggerSpec {
  readonly submitted?: Name;
  readonly voted?: Name;
  readonly committed?: Name;
  readonly proposed?: Name;
  readonly decided?: Name;
  readonly applied?: Name;
  readonly responded?: Name;
  readonly round_change?: Name;
  readonly held?: Name;
  readonly crashed?: Name;
  readonly restarted?: Name;
  readonly coverage?: CoveragePoint;
  readonly checkpoint_proposed?: number;
  readonly checkpoint_voted?: number;
  readonly checkpoint_committed?: number;
  readonly checkpoint_decided?: number;
  readonly checkpointed?: number;
  readonly close_signed?: number;
  readonly closing_proposed?: number;
  readonly closing_voted?: number;
  readonly closing_committed?: number;
  readonly closing_decided?: number;
  readonly closed?: number;
  readonly by?: Name;
  readonly times?: number;
  readonly plus_ms?: number;
}

export type TriggerEvent = Exclude<keyof TriggerSpec, "by" | "times" | "plus_ms">;

export interface PatternSpec {
  readonly rule?: Name;
  readonly from?: readonly Name[];
  readonly to?: readonly Name[];
  readonly kinds?: readonly MessageKind[];
  readonly of?: Name;
  readonly account?: Name;
  readonly token?: Name;
  /** Number of a checkpoint. */
  readonly checkpoint?: number;
  /** Number of an epoch, for its closing. */
  readonly epoch?: number;
  readonly round?: number;
  readonly count?: number;
}

const MESSAGE_KINDS: Readonly<Record<MessageKind, string>> = {
  offer: "A relay brings a value to round 0 of a slot and asks for votes.",
  recovery: "A validator discloses a recovery to all.",
  fetch: "A validator asks for the decisions of slots, or for the contents of values.",
  decisions: "A validator sends decisions with their contents.",
  status: "A validator names the digest of what it has applied, so that peers can compare.",
  logRequest: "A validator asks for the slots that another one applied, in its order.",
  logPage: "A validator sends a page of the slots that it applied.",
  snapshot: "A validator offers a final checkpoint in place of decisions that it has pruned.",
  stateRequest: "A validator asks for pieces of the state after a checkpoint.",
  statePieces: "A validator sends pieces of a state.",
  epochQuery: "A validator without its disk asks whether an epoch is closed.",
  epochQueryReply: "A validator responds to an epochQuery.",
  cause: "A validator outside the committee discloses the reason why the epoch closes.",
  reason: "A validator that signs no round change discloses the reason why a slot leaves round 0.",
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

const checkpoint = (description: string): Shape<number> =>
  wholeNumber(`the number of a checkpoint ${description}: 1 to ${CHECKPOINTS_MAX}`, 1, CHECKPOINTS_MAX);

const epoch = (description: string): Shape<number> =>
  wholeNumber(`the number of an epoch ${description}: 0 to ${EPOCHS_MAX}`, 0, EPOCHS_MAX);

export const trigger: Shape<TriggerSpec> = object<TriggerSpec>(
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
    coverage: optional(example(meaning("a coverage point that a validator reached", COVERAGE_POINTS), "lock carried")),
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

export const pattern: Shape<PatternSpec> = members<PatternSpec>({
  rule: optional(name("the name of the rule, for `undrop`, `release` and `held`")),
  from: optional(names("the senders; default: all")),
  to: optional(names("the receivers; default: all")),
  kinds: optional(list("the kinds of messages", meaning("a kind of message", MESSAGE_KINDS))),
  of: optional(name("an operation that the messages concern")),
  account: optional(account("an account whose slots the messages concern")),
  token: optional(name("a token whose slots the messages concern")),
  checkpoint: optional(checkpoint("that the messages concern")),
  epoch: optional(epoch("whose closing the messages concern")),
  round: optional(wholeNumber("the round of the messages: 0 to 1000", 0, 1_000)),
  count: optional(wholeNumber("the most messages that `drop` drops: 1 to 100000; default: all", 1, 100_000)),
});
