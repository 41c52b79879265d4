/**
 * Oracle of protocol 7.8: after the healing every operation of a correct client is decided within the bound, and epochs
 * close.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Epoch, Hash, Millis } from "../../../core/base/ids.ts";
import { isRecovery, isSkip } from "../../../core/base/operation.ts";
import { type Handlers, mapHandlers, type Oracle, oracle, type ReportViolation } from "../../fold.ts";
import { type Chronicle, currentEpoch, hasClosed, signaturesOf } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import { epochSlot } from "../../history/finality.ts";
import { missingSignatures, type SlotContext, signatureSummary } from "../../history/stall-text.ts";
import type { EventOf, NodeName, RunSetting } from "../../observation.ts";
import { accountOf, nonceOfSubmission, provesEquivocation } from "../../reference/operation-meaning.ts";
import { closingName, joinNames } from "../../text.ts";
import { boundOf } from "./bound.ts";
import {
  addSubmission,
  affectedAccounts,
  emptySubmissions,
  isRememberedInCore,
  noteApplication,
  noteEndedExcuse,
  noteReceiver,
  noteReceiverCrash,
  noteRefusal,
  noteRetried,
  type OpenSubmission,
  type OpenSubmissions,
  progressOf,
  resolvedOperations,
  sortedSubmissions,
  submissionsIn,
  submissionsOf,
  voidAll,
} from "./open-submissions.ts";
import { type LivenessContext, noteReceivedReply, recordOutcome } from "./outcomes.ts";
import { createStallContext, explainStall, isExcused } from "./stall-explanation.ts";
import {
  missingReplies,
  noteArrival,
  noteReply,
  unjustifiedRefusal,
  type ValidatorQueues,
} from "./validator-queues.ts";

/** Open submissions, and causes of closings; changes in place. */
export interface LivenessState {
  readonly cases: OpenSubmissions;
  readonly causes: Causes;
  /** Number of epochs that honest nodes have closed. */
  ends: number;
  readonly queues: ValidatorQueues;
  /**
   * True once an honest validator has halted: more than f are Byzantine, and nothing is owed any more (agreement
   * reports it).
   */
  halted: boolean;
}

/**
 * Tracks every open submission. Reports late outcomes when they come and missing ones at the end, with an explanation.
 */
export function liveness(setting: RunSetting): Oracle {
  const contextOf: ContextOf = (chronicle, report) => ({ chronicle, report, reportLate: report });
  return livenessOracle(setting, livenessHandlers(contextOf));
}

/** Returns the facts for one event. */
export type ContextOf = (chronicle: Chronicle, report: ReportViolation) => LivenessContext;

/** Returns an oracle with these handlers, which owe nothing any more once an honest validator has halted. */
export function livenessOracle({ genesis }: RunSetting, handlers: Handlers<LivenessState>): Oracle {
  const start = { cases: emptySubmissions(genesis), causes: new Map(), ends: 0, queues: new Map(), halted: false };
  const untilHalted = mapHandlers<LivenessState, LivenessState>(
    handlers,
    (handle, state, record, chronicle, report) => {
      if (!state.halted) handle(state, record, chronicle, report);
    },
  );
  return oracle("liveness", start, untilHalted);
}

/** Returns what is done at each event, where what came late is reported. */
export function livenessHandlers(contextOf: ContextOf): Handlers<LivenessState> {
  return {
    signed: ({ cases, causes }, record, chronicle, report) => {
      const { statement } = record;
      if (statement.kind === "vote" || statement.kind === "commit")
        observeSupport(contextOf(chronicle, report), cases, record, statement.value);
      else if (statement.kind === "close" && record.honest) noteCause(causes, statement.epoch, record);
    },
    applied: ({ cases }, record, chronicle, report) => {
      if (record.honest) observeApplication(contextOf(chronicle, report), cases, record);
    },
    decided: ({ cases }, record) => {
      if (record.honest) noteRetried(cases, record);
    },
    submitted: observeSubmission,
    replyReceived: ({ cases }, record, chronicle, report) =>
      noteReceivedReply(contextOf(chronicle, report), cases, record),
    // A checkpoint that makes the closing of its epoch due is a cause.
    checkpointed: ({ causes }, record, chronicle) => {
      const { epoch, opened, parameters } = currentEpoch(chronicle);
      if (!record.honest || parameters.epochLength === undefined) return;
      if (record.value.header.number === opened + parameters.epochLength) noteCause(causes, epoch, record);
    },
    closed: (state, record, chronicle, report) => {
      if (record.honest && record.value.epoch === state.ends)
        observeClosing(contextOf(chronicle, report), state, record);
    },
    submissionReceived: (state, record, chronicle, report) => {
      if (record.honest) observeArrival(contextOf(chronicle, report), state, record);
    },
    // After the healing an honest node with room refuses no submission for lack of room.
    replied: ({ cases, queues }, record, _chronicle, report) => {
      const wrong = cases.healed === undefined ? undefined : unjustifiedRefusal(queues, record);
      if (wrong !== undefined) report(wrong);
      noteRefusal(cases, record);
      noteReply(queues, record);
    },
    crashed: ({ cases, queues }, { node }) => {
      noteReceiverCrash(cases, node);
      queues.delete(node);
    },
    halted: (state, { honest }) => {
      state.halted ||= honest;
    },
    healed: ({ cases }, { at, core }) => {
      cases.healed = { at, core, start: progressOf(cases) };
    },
    ended: (state, record, chronicle, report) => judgeOpenSubmissions(contextOf(chronicle, report), state, record),
  };
}

function observeArrival(
  context: LivenessContext,
  { cases, queues }: LivenessState,
  record: EventOf<"submissionReceived">,
): void {
  const open = cases.waiting.get(record.id);
  const account =
    open && (isSkip(open.submission) || isBackInCore(cases, open)) ? accountOf(open.submission) : undefined;
  const affected = (): readonly OpenSubmission[] => (account === undefined ? [] : submissionsOf(cases, account));
  // An operation is owed an outcome once a validator has its cancellation, and once its client brings again what was lost.
  endExcuses(context, cases, affected, record.at, () => noteReceiver(cases, record.node, record.id));
  noteArrival(queues, record);
}

/** Returns true if no validator of the healed core has an operation that was submitted before the healing. */
function isBackInCore(cases: OpenSubmissions, open: OpenSubmission): boolean {
  return cases.healed !== undefined && open.at < cases.healed.at && !isRememberedInCore(cases, open);
}

function observeApplication(context: LivenessContext, cases: OpenSubmissions, application: Application): void {
  const accounts = affectedAccounts(cases, application);
  endExcuses(
    context,
    cases,
    () => submissionsIn(cases, accounts),
    application.at,
    () => {
      for (const id of resolvedOperations(cases, application)) recordOutcome(context, cases, id, true, application.at);
      noteApplication(cases, application, context.chronicle.setting.genesis.listLimit);
    },
  );
}

/**
 * Takes an event in. protocol 13.3: after the healing the bound of an operation that was owed nothing before, and is owed
 * a decision after it, counts from then on; `affected` returns those of which that may be true.
 */
function endExcuses(
  context: LivenessContext,
  cases: OpenSubmissions,
  affected: () => readonly OpenSubmission[],
  at: Millis,
  takeEvent: () => void,
): void {
  const open = cases.healed === undefined ? [] : affected();
  const before = open.length === 0 ? undefined : createStallContext(context.chronicle, cases);
  const excused = new Set(
    open.flatMap((submission) => (before && isExcused(before, submission) ? [submission.id] : [])),
  );
  takeEvent();
  if (excused.size === 0) return;
  const now = createStallContext(context.chronicle, cases);
  const owed = affected().filter((submission) => excused.has(submission.id) && !isExcused(now, submission));
  for (const submission of owed) noteEndedExcuse(cases, submission, at);
}

/**
 * protocol 13.3: an operation that no validator of the core received from its client, or that is barred, is owed a
 * decision from the signature of the core on from which others must obtain one; and so is what waits behind it.
 */
function observeSupport(
  context: LivenessContext,
  cases: OpenSubmissions,
  record: EventOf<"signed">,
  operationId: Hash,
): void {
  const { chronicle } = context;
  if (cases.healed?.core.includes(record.node) !== true || cases.waiting.size === 0) return;
  const value = chronicle.contents.get(operationId)?.value;
  const waiting = value?.type === "operation" || value?.type === "skip" ? cases.waiting.get(value.id) : undefined;
  if (waiting === undefined) return;
  const isRecovered = submissionsOf(cases, accountOf(waiting.submission)).some(({ submission }) =>
    isRecovery(submission),
  );
  if (isRememberedInCore(cases, waiting) && !waiting.knowsBarred && !isRecovered) return;
  const now = createStallContext(context.chronicle, cases);
  // A repeat adds no signature.
  const before = { ...now, without: chronicle.signatures };
  for (const open of submissionsOf(cases, accountOf(waiting.submission)))
    if (isExcused(before, open) && !isExcused(now, open)) noteEndedExcuse(cases, open, record.at);
}

/**
 * A correct client's operation is owed a decision unless its nonce is already used: then only a reply is owed. Of other
 * clients' submissions, a recovery is owed one: once an honest node has its proof, the account that its owner blocked
 * must proceed. A recovery of what is no equivocation is owed a reply only: the owner cancels (protocol 9.3).
 */
function observeSubmission(
  { cases, ends }: LivenessState,
  { id, submission, client, at, to, correct }: EventOf<"submitted">,
  chronicle: Chronicle,
): void {
  if (!correct && !(isRecovery(submission) && chronicle.directory.isHonestNode(to))) return;
  if (isRecovery(submission) && !provesEquivocation(submission)) return;
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
function observeClosing(context: LivenessContext, state: LivenessState, record: EventOf<"closed">): void {
  const { chronicle, reportLate } = context;
  const { setting } = chronicle;
  const { cases, causes } = state;
  const { epoch } = record.value;
  if (cases.healed !== undefined) {
    const from = knownCauses(causes, epoch, cases.healed.core);
    const delayMs = record.at - Math.max(from ?? record.at, cases.healed.at);
    if (from !== undefined && delayMs > setting.livenessMs) {
      reportLate?.(
        `epoch ${epoch} closed ${delayMs} ms after its cause was known, the bound is ${setting.livenessMs} ms`,
      );
    }
    const open = chronicle.epochs[epoch] ?? currentEpoch(chronicle);
    for (const submission of overdueSubmissions(setting, cases, record.at)) {
      const background = createStallContext(context.chronicle, cases, open);
      if (!cases.due.has(submission.id) && !isExcused(background, submission))
        reportLate?.(explainStall(background, submission));
    }
  }
  voidAll(cases, epoch, record.at);
  causes.delete(epoch);
  state.ends += 1;
}

/** Returns the submissions open for longer than the bound, in the order of their ids. */
export function overdueSubmissions(setting: RunSetting, cases: OpenSubmissions, at: Millis): readonly OpenSubmission[] {
  const { healed } = cases;
  if (healed === undefined) return [];
  const age = (submission: OpenSubmission): number => at - Math.max(healed.at, submission.at);
  return sortedSubmissions(cases).filter(
    (submission) => age(submission) > setting.livenessMs && age(submission) > boundOf(setting, cases, submission),
  );
}

function judgeOpenSubmissions(context: LivenessContext, state: LivenessState, end: EventOf<"ended">): void {
  const { cases, queues } = state;
  const { healed } = cases;
  if (healed === undefined) return;
  const { report, chronicle } = context;
  const background = createStallContext(context.chronicle, cases);
  report.judged();
  for (const submission of end.quiescent
    ? sortedSubmissions(cases)
    : overdueSubmissions(chronicle.setting, cases, end.at)) {
    if (!isExcused(background, submission)) report(explainStall(background, submission));
  }
  if (end.quiescent) for (const text of missingReplies(queues, healed.core)) report(text);
  // Empty checkpoints continue while everything else is quiet, and close epochs until the very end.
  const stall = closingStall(context, state, end.at);
  if (stall !== undefined) report(stall);
}

/** Describes the closing of the open epoch if it is overdue; `undefined` if it is not. */
export function closingStall(
  context: LivenessContext,
  { cases, causes }: LivenessState,
  at: Millis,
): string | undefined {
  const { healed } = cases;
  const open = currentEpoch(context.chronicle);
  const from = healed && knownCauses(causes, open.epoch, healed.core);
  if (healed === undefined || from === undefined) return undefined;
  const waited = at - Math.max(healed.at, from);
  if (waited <= context.chronicle.setting.livenessMs) return undefined;
  const stallText = closingStallText(createStallContext(context.chronicle, cases, open), open.epoch);
  return `epoch ${open.epoch} did not close within ${waited} ms of its cause; ${stallText}`;
}

/** First time at which an honest node knew a cause, by epoch and node. Closed epochs are absent. */
type Causes = Map<Epoch, Map<NodeName, Millis>>;

/** A close that an honest node signs implies a known cause. */
function noteCause(causes: Causes, epoch: Epoch, { node, at }: EventOf<"signed" | "checkpointed">): void {
  const times = entryOf(causes, epoch, () => new Map<NodeName, Millis>());
  entryOf(times, node, () => at);
}

/** Returns the first time at which any of these nodes knew a cause. */
function knownCauses(causes: Causes, epoch: Epoch, core: readonly NodeName[]): Millis | undefined {
  const times = core.flatMap((node) => causes.get(epoch)?.get(node) ?? []);
  return times.length === 0 ? undefined : (Math.min(...times) as Millis);
}

/** Returns the signers of closes, the progress of the closing and the missing signatures. */
function closingStallText(context: SlotContext, epoch: Epoch): string {
  const { chronicle } = context;
  const slot = epochSlot(epoch);
  const signatures = signaturesOf(chronicle, slot, epoch);
  const closers = [...signatures.bySigner.keys()].filter((index) => hasClosed(chronicle, epoch, index));
  const needed = currentEpoch(chronicle).committee.bounds.quorum;
  const missing =
    closers.length < needed
      ? `more closes (${needed} required)`
      : missingSignatures(context, signatures, "the timeout of the slot");
  return (
    `${closingName(epoch)}: closes of ${joinNames(chronicle.directory.namesAt(closers))}; ${signatureSummary(context, signatures)}. ` +
    `Needed to proceed: ${missing}.`
  );
}
