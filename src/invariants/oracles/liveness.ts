/**
 * Oracle of protocol 7.8: after the healing every operation of a correct client is decided within the bound, and epochs
 * close.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash, Millis, Round } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type Recovery, type SignedOperation } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { type EventPosition, type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { type Chronicle, contentOf, currentEpoch } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory, type OpenEpoch } from "../history/epochs.ts";
import { signersOf } from "../history/slot-signatures.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { isCancellation, signedFields } from "../reference/operation-meaning.ts";
import { shortId } from "../text.ts";
import { isBindingRefusal } from "./binding-replies.ts";
import {
  type Causes,
  closingStallText,
  emptyCauses,
  knownCauses,
  withAppliedCause,
  withSignedCause,
} from "./liveness-epochs.ts";
import { isPaidFor } from "./no-longer-votable.ts";
import {
  emptyQueues,
  type QueueOccupancy,
  type UnansweredSubmissions,
  unansweredAt,
  unjustifiedRefusal,
  withArrival,
  withCrash,
  withEmptied,
  withQueued,
  withReply,
  withResponse,
} from "./open-requests.ts";
import {
  accountOf,
  boundOf,
  decidedIn,
  emptySubmissions,
  isRememberedInCore,
  nonceOfSubmission,
  type OpenSubmission,
  type OpenSubmissions,
  openOf,
  progressOf,
  resolved,
  resolvedBy,
  touchedBy,
  voided,
  withApplication,
  withBarredReply,
  withEndedExcuse,
  withReceiver,
  withReceiverCrash,
  withReceiverRefusal,
  withSubmission,
} from "./open-submissions.ts";
import { explanationOf, isExcused, type StallContext } from "./stall-explanation.ts";

interface Context {
  readonly setting: RunSetting;
  readonly directory: CommitteeDirectory;
  readonly seen: Chronicle;
  readonly report: ReportViolation;
}

interface State {
  readonly cases: OpenSubmissions;
  readonly causes: Causes;
  /** Number of epochs that honest nodes have closed. */
  readonly ends: number;
  readonly unanswered: UnansweredSubmissions;
  readonly queues: QueueOccupancy;
  /**
   * True once an honest validator has halted: more than f are Byzantine, and nothing is owed any more (agreement
   * reports it).
   */
  readonly halted: boolean;
}

const EVENT_TYPES = [
  "applied",
  "decided",
  "submitted",
  "replyReceived",
  "signed",
  "checkpointed",
  "closed",
  "submissionReceived",
  "replied",
  "crashed",
  "halted",
  "healed",
  "ended",
] as const;

const FIRST_ROUND = 0 as Round;

/** Returns a copy with some parts changed. */
function changed({ cases, causes, ends, unanswered, queues, halted }: State, parts: Partial<State>): State {
  return Object.assign({ cases, causes, ends, unanswered, queues, halted }, parts);
}

/**
 * Tracks every open submission. Reports late outcomes when they come and missing ones at the end, with an explanation.
 */
export function liveness(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  const start: State = {
    cases: emptySubmissions(setting.genesis.tokens),
    causes: Trie.empty(),
    ends: 0,
    unanswered: Trie.empty(),
    queues: emptyQueues(),
    halted: false,
  };
  return oracle("liveness", EVENT_TYPES, start, (state, seen, record, report) => {
    if (state.halted) return state;
    const { cases, causes, ends, unanswered, queues } = state;
    if (record.type === "signed") {
      const { statement } = record;
      if (statement.kind === "vote")
        return cases.healed === undefined
          ? state
          : voted({ setting, directory, seen, report }, state, record, statement.value);
      return statement.kind === "close" ? changed(state, { causes: withSignedCause(causes, record) }) : state;
    }
    const context = { setting, directory, seen, report };
    switch (record.type) {
      case "applied":
        return record.honest ? changed(state, { cases: applied(context, cases, record) }) : state;
      case "decided": {
        const known = record.honest ? decidedIn(cases, record) : cases;
        return known === cases ? state : changed(state, { cases: known });
      }
      case "submitted":
        return changed(state, { cases: submitted(context, state, record) });
      case "replyReceived":
        return changed(state, { cases: answered(context, cases, record) });
      case "checkpointed":
        return changed(state, { causes: withAppliedCause(causes, record, seen) });
      case "closed":
        return record.honest && record.value.epoch === ends ? ended(context, state, record) : state;
      case "submissionReceived":
        return record.honest
          ? changed(state, {
              cases: withReceiver(cases, record.node, record.id),
              unanswered: withArrival(unanswered, record),
              queues: withQueued(queues, record),
            })
          : state;
      case "replied":
        return replied(context, state, record);
      case "crashed":
        return changed(state, {
          cases: withReceiverCrash(cases, record.node),
          unanswered: withCrash(unanswered, record.node),
          queues: withEmptied(queues, record.node),
        });
      case "halted":
        return record.honest ? changed(state, { halted: true }) : state;
      case "healed":
        return changed(state, {
          cases: { ...cases, healed: { at: record.at, core: record.core, start: progressOf(cases) } },
        });
      case "ended":
        judgeAll(context, state, record);
        return state;
      default:
        return unreachable(record);
    }
  });
}

/** After the healing an honest node with room refuses no submission for lack of room. */
function replied({ report }: Context, state: State, record: EventOf<"replied">): State {
  const { cases, unanswered, queues } = state;
  const wrong = cases.healed === undefined ? undefined : unjustifiedRefusal(queues, record);
  if (wrong !== undefined) report(wrong);
  return changed(state, {
    cases: withReceiverRefusal(cases, record),
    unanswered: withReply(unanswered, record),
    queues: withResponse(queues, record),
  });
}

function applied(context: Context, before: OpenSubmissions, one: Application): OpenSubmissions {
  let cases = before;
  for (const id of resolvedBy(cases, one)) cases = settle(context, cases, id, true, one);
  return withEndedExcuses(context, before, withApplication(cases, one), one);
}

/** protocol 13.3: the bound of an operation that was owed nothing before counts from now. */
function withEndedExcuses(
  context: Context,
  before: OpenSubmissions,
  after: OpenSubmissions,
  one: Application,
): OpenSubmissions {
  if (before.healed === undefined) return after;
  const open = currentEpoch(context.seen);
  const [then, now] = [backgroundOf(context, before, open), backgroundOf(context, after, open)];
  return touchedBy(after, one)
    .filter((waiting) => isExcused(then, waiting) && !isExcused(now, waiting))
    .reduce((cases, waiting) => withEndedExcuse(cases, waiting, one.at), after);
}

/**
 * protocol 13.3: an operation that no validator of the core received from its client is owed a decision from the core's
 * first vote for it.
 */
function voted(context: Context, state: State, record: EventOf<"signed">, vote: Hash): State {
  const { cases } = state;
  const { setting, directory, seen } = context;
  if (cases.healed?.core.includes(record.node) !== true || cases.waiting.size === 0) return state;
  const value = contentOf(seen, vote)?.value;
  const waiting = value?.type === "operation" ? cases.waiting.get(value.id) : undefined;
  if (waiting === undefined || isRememberedInCore(cases, waiting)) return state;
  const core = coreOf(setting, directory, cases, currentEpoch(seen));
  // A repeated vote adds no signature.
  const isFirst = seen.signatures.some(
    ({ before }) => !signersOf(before, "votes", FIRST_ROUND, vote).some((index) => core.includes(index)),
  );
  return isFirst ? changed(state, { cases: withEndedExcuse(cases, waiting, record.at) }) : state;
}

/**
 * A correct client's operation is owed a decision unless its nonce is already used: then only a reply is owed. Of other
 * clients' submissions, a recovery is owed one: once an honest node has its proof, the account that its owner blocked
 * must proceed. A recovery of what is no equivocation is owed a reply only: the owner cancels (protocol 9.5).
 */
function submitted({ directory }: Context, { cases, ends }: State, record: EventOf<"submitted">): OpenSubmissions {
  const { id, submission, client, at, to } = record;
  if (!record.correct && !(isRecovery(submission) && directory.isHonestNode(to))) return cases;
  if (isRecovery(submission) && !accuses(submission)) return cases;
  if (nonceOfSubmission(submission) < (cases.accounts.get(accountOf(submission))?.nonce ?? 0)) return cases;
  return withSubmission(cases, {
    id,
    submission,
    client,
    at,
    since: "its submission",
    epoch: ends,
    receivers: [to],
    knowsBarred: false,
    remembered: [],
    start: progressOf(cases),
  });
}

/**
 * Returns true if a recovery shows two operations of its account for its nonce, no cancellations and with different
 * signed digests (protocol 3.0).
 */
function accuses({ account, nonce, chainId, evidence: { first, second } }: Recovery): boolean {
  const isMeant = (one: SignedOperation): boolean =>
    one.sender === account &&
    one.operation.nonce === nonce &&
    one.operation.chainId === chainId &&
    !isCancellation(one);
  return isMeant(first) && isMeant(second) && signedFields(first.operation) !== signedFields(second.operation);
}

/** The first honest node applied a closing: checks its time, and voids the undecided operations. */
function ended(context: Context, state: State, record: EventOf<"closed">): State {
  const { setting, seen, report } = context;
  const { cases, causes, ends } = state;
  const { epoch } = record.value;
  if (cases.healed !== undefined) {
    const from = knownCauses(causes, epoch, cases.healed.core);
    const late = record.at - Math.max(from ?? record.at, cases.healed.at);
    if (from !== undefined && late > setting.livenessMs) {
      report(`epoch ${epoch} closed ${late} ms after its cause was known, the bound is ${setting.livenessMs} ms`);
    }
    const open = seen.epochs[epoch] ?? currentEpoch(seen);
    for (const one of overdue(setting, cases, record.at)) {
      const background = backgroundOf(context, cases, open);
      if (!cases.due.has(one.id) && !isExcused(background, one)) report(explanationOf(background, one));
    }
  }
  return changed(state, {
    cases: voided(cases, epoch, record.at),
    causes: emptyCauses(causes, epoch),
    ends: ends + 1,
  });
}

/** Returns the submissions open for longer than the bound. */
function overdue(setting: RunSetting, cases: OpenSubmissions, at: Millis): readonly OpenSubmission[] {
  const { waiting, healed } = cases;
  if (healed === undefined) return [];
  return [...waiting.values()].filter((one) => at - Math.max(healed.at, one.at) > boundOf(setting, cases, one));
}

function answered(context: Context, cases: OpenSubmissions, record: EventOf<"replyReceived">): OpenSubmissions {
  const { answer, id } = record;
  const isHonest = context.directory.isHonestNode(record.from);
  switch (answer.status) {
    case "pending":
      return answer.barred !== undefined && isHonest ? withBarredReply(cases, id) : cases;
    case "settled":
      return cases;
    case "final":
    case "superseded":
      return settle(context, cases, id, true, record);
    case "refused":
      if (!answer.disclosed && isOwedAll(context, cases, record)) return cases;
      return settle(context, cases, id, isBindingRefusal(answer), record);
    case "void": {
      // A Byzantine validator cannot void an operation that no closing voids, and one that lags cannot void what was
      // submitted again since. After a resubmission a reply is owed again.
      const isOver = isHonest || context.seen.epochs.length > answer.epoch + 1;
      const isStale = answer.epoch < (cases.waiting.get(id)?.epoch ?? 0);
      return isOver && !isStale ? settle(context, cases, id, false, record) : cases;
    }
    default:
      return unreachable(answer);
  }
}

/**
 * protocol 4.2: a validator that has the displaced operation owes a cancellation its skip if the round is paid for,
 * even after it replied that there is nothing to cancel.
 */
function isOwedAll({ setting, seen }: Context, cases: OpenSubmissions, reply: EventOf<"replyReceived">): boolean {
  const { id, from } = reply;
  const submission = cases.waiting.get(id)?.submission;
  if (submission === undefined || isRecovery(submission) || !isCancellation(submission)) return false;
  const view = { setting, cases, epoch: currentEpoch(seen) };
  return openOf(cases, accountOf(submission)).some(
    (one) =>
      one.id !== id &&
      !isRecovery(one.submission) &&
      nonceOfSubmission(one.submission) === nonceOfSubmission(submission) &&
      one.remembered.includes(from) &&
      isPaidFor(view, one.submission),
  );
}

function settle(
  { setting, report }: Context,
  cases: OpenSubmissions,
  id: OperationId,
  isPermanent: boolean,
  where: EventPosition,
): OpenSubmissions {
  const known = cases.waiting.get(id);
  if (known !== undefined && cases.healed !== undefined) {
    const from = Math.max(cases.healed.at, known.at);
    const bound = boundOf(setting, cases, known);
    if (where.at - from > bound) {
      report(
        `${shortId(id)} of ${known.client} was decided ${where.at - from} ms after ` +
          `${from === known.at ? known.since : "the healing"}, the bound is ${bound} ms`,
        { where },
      );
    }
  }
  return resolved(cases, id, isPermanent);
}

function judgeAll(context: Context, { cases, causes, unanswered }: State, end: EventOf<"ended">): void {
  const { healed } = cases;
  if (healed === undefined) return;
  const { setting, seen, report } = context;
  const open = currentEpoch(seen);
  const background = backgroundOf(context, cases, open);
  for (const one of end.quiescent ? cases.waiting.values() : overdue(setting, cases, end.at)) {
    if (!isExcused(background, one)) report(explanationOf(background, one));
  }
  if (end.quiescent) for (const text of unansweredAt(unanswered, healed.core)) report(text);
  const from = knownCauses(causes, open.epoch, healed.core);
  if (from === undefined) return;
  const waited = end.at - Math.max(healed.at, from);
  // Empty checkpoints continue while everything else is quiet, and close epochs until the very end.
  if (waited <= setting.livenessMs) return;
  const stallText = closingStallText(background, open.epoch);
  report(`epoch ${open.epoch} did not close within ${waited} ms of its cause; ${stallText}`);
}

function backgroundOf({ setting, directory, seen }: Context, cases: OpenSubmissions, epoch: OpenEpoch): StallContext {
  return { setting, directory, seen, cases, epoch, core: coreOf(setting, directory, cases, epoch) };
}

function coreOf(
  setting: RunSetting,
  directory: CommitteeDirectory,
  { healed }: OpenSubmissions,
  { committee }: OpenEpoch,
): readonly number[] {
  const indices = setting.nodes
    .filter(({ node }) => healed?.core.includes(node))
    .flatMap(({ keys }) => keys.flatMap((key) => directory.indexOf(key) ?? []));
  return indices.filter((index) => committee.isMember(index));
}
