/**
 * Oracle of protocol 7.8: after the healing every operation of a correct client is decided within the bound, and epochs
 * close.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash, Millis } from "../../core/base/ids.ts";
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { copyOfMaps } from "../copies.ts";
import { type Oracle, oracle } from "../fold.ts";
import { contentOf, currentEpoch } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import { committeeDirectory } from "../history/epochs.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { accuses, isSkip } from "../reference/operation-meaning.ts";
import {
  type Causes,
  closingStallText,
  emptyCauses,
  knownCauses,
  withAppliedCause,
  withSignedCause,
} from "./liveness-epochs.ts";
import { answered, type Context, settle } from "./liveness-outcomes.ts";
import {
  copyOfQueues,
  empty,
  emptyQueues,
  noteArrival,
  noteFirstResponse,
  noteQueued,
  noteResponse,
  type QueueOccupancy,
  type UnansweredSubmissions,
  unansweredAt,
  unjustifiedRefusal,
} from "./open-requests.ts";
import {
  accountOf,
  addSubmission,
  allOpen,
  boundOf,
  copyOfSubmissions,
  emptySubmissions,
  isRememberedInCore,
  nonceOfSubmission,
  noteApplication,
  noteEndedExcuse,
  noteReceiver,
  noteReceiverCrash,
  noteRefusal,
  noteRetried,
  type OpenSubmission,
  type OpenSubmissions,
  openOf,
  progressOf,
  resolvedBy,
  touchedBy,
  voidAll,
} from "./open-submissions.ts";
import { backgroundOf, explanationOf, isExcused } from "./stall-explanation.ts";

/** Open submissions, and causes of closings; changes in place. */
export interface LivenessState {
  readonly cases: OpenSubmissions;
  causes: Causes;
  /** Number of epochs that honest nodes have closed. */
  ends: number;
  readonly unanswered: UnansweredSubmissions;
  readonly queues: QueueOccupancy;
  /**
   * True once an honest validator has halted: more than f are Byzantine, and nothing is owed any more (agreement
   * reports it).
   */
  halted: boolean;
}

/** Events that it reads. */
export const LIVENESS_EVENTS = [
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

/**
 * Tracks every open submission. Reports late outcomes when they come and missing ones at the end, with an explanation.
 */
export function liveness(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  return oracle(
    "liveness",
    LIVENESS_EVENTS,
    emptyLiveness(setting),
    (state, seen, record, report) => {
      if (!state.halted) observeLiveness({ setting, directory, seen, report, reportLate: report }, state, record);
      return state;
    },
    copyOfLiveness,
  );
}

/** Returns the state before any event. */
export function emptyLiveness({ genesis }: RunSetting): LivenessState {
  return {
    cases: emptySubmissions(genesis),
    causes: Trie.empty(),
    ends: 0,
    unanswered: new Map(),
    queues: emptyQueues(),
    halted: false,
  };
}

/** Returns an independent copy. */
export function copyOfLiveness({ cases, causes, ends, unanswered, queues, halted }: LivenessState): LivenessState {
  return {
    cases: copyOfSubmissions(cases),
    causes,
    ends,
    unanswered: copyOfMaps(unanswered),
    queues: copyOfQueues(queues),
    halted,
  };
}

/** Folds one event in, and reports what came late. */
export function observeLiveness(
  context: Context,
  state: LivenessState,
  record: EventOf<(typeof LIVENESS_EVENTS)[number]>,
): void {
  const { cases } = state;
  switch (record.type) {
    case "signed":
      if (record.statement.kind === "vote" || record.statement.kind === "commit")
        supported(context, cases, record, record.statement.value);
      else if (record.statement.kind === "close") state.causes = withSignedCause(state.causes, record);
      return;
    case "applied":
      if (record.honest) applied(context, cases, record);
      return;
    case "decided":
      if (record.honest) noteRetried(cases, record);
      return;
    case "submitted":
      submitted(context, state, record);
      return;
    case "replyReceived":
      answered(context, cases, record);
      return;
    case "checkpointed":
      state.causes = withAppliedCause(state.causes, record, context.seen);
      return;
    case "closed":
      if (record.honest && record.value.epoch === state.ends) ended(context, state, record);
      return;
    case "submissionReceived":
      if (record.honest) received(context, state, record);
      return;
    case "replied":
      replied(context, state, record);
      return;
    case "crashed":
      noteReceiverCrash(cases, record.node);
      state.unanswered.delete(record.node);
      empty(state.queues, record.node);
      return;
    case "halted":
      state.halted ||= record.honest;
      return;
    case "healed":
      cases.healed = { at: record.at, core: record.core, start: progressOf(cases) };
      return;
    case "ended":
      judgeAll(context, state, record);
      return;
    default:
      unreachable(record);
  }
}

function received(
  context: Context,
  { cases, unanswered, queues }: LivenessState,
  record: EventOf<"submissionReceived">,
): void {
  const submission = cases.waiting.get(record.id)?.submission;
  const account = submission && isSkip(submission) ? accountOf(submission) : undefined;
  // An operation is owed an outcome once a validator has its cancellation, whatever refuses it.
  const excused = account === undefined ? NO_IDS : excusedAmong(context, cases, openOf(cases, account));
  noteReceiver(cases, record.node, record.id);
  if (account !== undefined && excused.size > 0) endExcuses(context, cases, openOf(cases, account), record.at, excused);
  noteArrival(unanswered, record);
  noteQueued(queues, record);
}

/** After the healing an honest node with room refuses no submission for lack of room. */
function replied({ report }: Context, { cases, unanswered, queues }: LivenessState, record: EventOf<"replied">): void {
  const wrong = cases.healed === undefined ? undefined : unjustifiedRefusal(queues, record);
  if (wrong !== undefined) report(wrong);
  noteRefusal(cases, record);
  noteFirstResponse(unanswered, record);
  noteResponse(queues, record);
}

function applied(context: Context, cases: OpenSubmissions, one: Application): void {
  const excused = excusedAmong(context, cases, touchedBy(cases, one));
  for (const id of resolvedBy(cases, one)) settle(context, cases, id, true, one);
  noteApplication(cases, one);
  if (excused.size > 0) endExcuses(context, cases, touchedBy(cases, one), one.at, excused);
}

const NO_IDS: ReadonlySet<OperationId> = new Set();

/** Returns the operations among these that are owed nothing as yet; none before the healing. */
function excusedAmong(
  context: Context,
  cases: OpenSubmissions,
  open: readonly OpenSubmission[],
): ReadonlySet<OperationId> {
  if (cases.healed === undefined || open.length === 0) return NO_IDS;
  const background = backgroundOf(context, cases, currentEpoch(context.seen));
  return new Set(open.filter((one) => isExcused(background, one)).map(({ id }) => id));
}

/** protocol 13.3: the bound of an operation that was owed nothing before counts from now. */
function endExcuses(
  context: Context,
  cases: OpenSubmissions,
  open: readonly OpenSubmission[],
  at: Millis,
  excused: ReadonlySet<OperationId>,
): void {
  const background = backgroundOf(context, cases, currentEpoch(context.seen));
  const owed = open.filter((one) => excused.has(one.id) && !isExcused(background, one));
  for (const submission of owed) noteEndedExcuse(cases, submission, at);
}

/**
 * protocol 13.3: an operation that no validator of the core received from its client, or that is barred, is owed a
 * decision from the signature of the core on from which others must obtain one; and so is what waits behind it.
 */
function supported(context: Context, cases: OpenSubmissions, record: EventOf<"signed">, chosen: Hash): void {
  const { seen } = context;
  if (cases.healed?.core.includes(record.node) !== true || cases.waiting.size === 0) return;
  const value = contentOf(seen, chosen)?.value;
  const waiting = value?.type === "operation" || value?.type === "skip" ? cases.waiting.get(value.id) : undefined;
  if (waiting === undefined || (isRememberedInCore(cases, waiting) && !waiting.knowsBarred)) return;
  const now = backgroundOf(context, cases, currentEpoch(seen));
  // A repeat adds no signature.
  const before = { ...now, without: seen.signatures };
  for (const open of openOf(cases, accountOf(waiting.submission)))
    if (isExcused(before, open) && !isExcused(now, open)) noteEndedExcuse(cases, open, record.at);
}

/**
 * A correct client's operation is owed a decision unless its nonce is already used: then only a reply is owed. Of other
 * clients' submissions, a recovery is owed one: once an honest node has its proof, the account that its owner blocked
 * must proceed. A recovery of what is no equivocation is owed a reply only: the owner cancels (protocol 9.3).
 */
function submitted(context: Context, { cases, ends }: LivenessState, record: EventOf<"submitted">): void {
  const { directory } = context;
  const { id, submission, client, at, to } = record;
  if (!record.correct && !(isRecovery(submission) && directory.isHonestNode(to))) return;
  if (isRecovery(submission) && !accuses(submission)) return;
  const account = accountOf(submission);
  if (nonceOfSubmission(submission) < (cases.accounts.get(account)?.nonce ?? 0)) return;
  addSubmission(cases, {
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

/** The first honest node applied a closing: checks its time, and voids the undecided operations. */
function ended(context: Context, state: LivenessState, record: EventOf<"closed">): void {
  const { setting, seen, reportLate } = context;
  const { cases, causes } = state;
  const { epoch } = record.value;
  if (cases.healed !== undefined) {
    const from = knownCauses(causes, epoch, cases.healed.core);
    const late = record.at - Math.max(from ?? record.at, cases.healed.at);
    if (from !== undefined && late > setting.livenessMs) {
      reportLate(`epoch ${epoch} closed ${late} ms after its cause was known, the bound is ${setting.livenessMs} ms`);
    }
    const open = seen.epochs[epoch] ?? currentEpoch(seen);
    for (const one of overdue(setting, cases, record.at)) {
      const background = backgroundOf(context, cases, open);
      if (!cases.due.has(one.id) && !isExcused(background, one)) reportLate(explanationOf(background, one));
    }
  }
  voidAll(cases, epoch, record.at);
  state.causes = emptyCauses(causes, epoch);
  state.ends += 1;
}

/** Returns the submissions open for longer than the bound. */
function overdue(setting: RunSetting, cases: OpenSubmissions, at: Millis): readonly OpenSubmission[] {
  const { healed } = cases;
  if (healed === undefined) return [];
  return allOpen(cases).filter((one) => at - Math.max(healed.at, one.at) > boundOf(setting, cases, one));
}

function judgeAll(context: Context, { cases, causes, unanswered }: LivenessState, end: EventOf<"ended">): void {
  const { healed } = cases;
  if (healed === undefined) return;
  const { setting, seen, report } = context;
  const open = currentEpoch(seen);
  const background = backgroundOf(context, cases, open);
  for (const one of end.quiescent ? allOpen(cases) : overdue(setting, cases, end.at)) {
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
