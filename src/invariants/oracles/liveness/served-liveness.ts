/**
 * Liveness of a served network (protocol 13.4): judged at fixed times while the network runs, between its faults. It has no
 * end, its clients may do anything, and what is settled leaves the memory.
 */
import type { Address, Millis } from "../../../core/base/ids.ts";
import { isRecovery } from "../../../core/base/operation.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { Oracle } from "../../fold.ts";
import type { Application } from "../../history/content.ts";
import type { EventOf, RunSetting } from "../../observation.ts";
import { accountOf, debitedAccount, isForcedDebit, nonceOfSubmission } from "../../reference/operation-meaning.ts";
import { countText } from "../../text.ts";
import {
  type ContextOf,
  closingStall,
  type LivenessState,
  livenessHandlers,
  livenessOracle,
  overdueSubmissions,
} from "./liveness.ts";
import {
  noteEndedExcuse,
  type OpenSubmission,
  type OpenSubmissions,
  resolveSubmission,
  submissionsOf,
} from "./open-submissions.ts";
import type { LivenessContext } from "./outcomes.ts";
import {
  createStallContext,
  explainStall,
  isExcused,
  type StallContext,
  votedOperations,
} from "./stall-explanation.ts";

/** Tracks every admitted operation. Reports missing decisions when time passes, one for each bound at most. */
export function servedLiveness(setting: RunSetting): Oracle {
  const contextOf: ContextOf = (chronicle, report) => ({ chronicle, report, reportLate: undefined });
  const handlers = livenessHandlers(contextOf);
  return livenessOracle(setting, {
    ...handlers,
    disturbed: ({ cases }) => {
      cases.healed = undefined;
    },
    timePassed: (state, { at }, chronicle, report) => judgeOverdue(contextOf(chronicle, report), state, at),
    submitted: (state, record, chronicle, report) => {
      // Nobody vouches for a client: that it signed two operations for one nonce is seen in the votes.
      handlers.submitted?.(state, { ...record, correct: true }, chronicle, report);
      restartFollowers(state.cases, record);
    },
    applied: (state, record, chronicle, report) => {
      handlers.applied?.(state, record, chronicle, report);
      if (record.honest) restartNext(setting, state.cases, record);
    },
  });
}

/** An operation may fill the gap before others, or pair a cancellation: what is owed to those counts from now. */
function restartFollowers(cases: OpenSubmissions, { id, submission, at }: EventOf<"submitted">): void {
  const [account, nonce] = [accountOf(submission), nonceOfSubmission(submission)];
  const isBehind = (follower: OpenSubmission): boolean =>
    follower.id !== id && nonceOfSubmission(follower.submission) >= nonce;
  if ((cases.byNonce.get(account)?.size ?? 0) === 0) return;
  for (const follower of submissionsOf(cases, account)) if (isBehind(follower)) noteEndedExcuse(cases, follower, at);
}

/**
 * The operation whose turn comes is owed its decision from then on, however many were before it: in its account, in the
 * account that a forced burn debits, and behind a full list of its token.
 */
function restartNext({ genesis }: RunSetting, cases: OpenSubmissions, application: Application): void {
  const { slot, value } = application;
  for (const change of application.changes)
    if (change.of === "account" && cases.byNonce.has(change.address))
      for (const open of submissionsOf(cases, change.address)) noteEndedExcuse(cases, open, application.at);
  if (slot.kind === "account" && value.type === "burn") {
    restartDue(cases, application.at, ({ submission }) => burnDebits(submission, slot.address));
  } else if (value.type === "list" && value.ids.length >= genesis.listLimit)
    restartDue(cases, application.at, () => true);
}

function restartDue(cases: OpenSubmissions, at: Millis, concerns: (submission: OpenSubmission) => boolean): void {
  for (const id of cases.due) {
    const open = cases.waiting.get(id);
    if (open !== undefined && concerns(open)) noteEndedExcuse(cases, open, at);
  }
}

function burnDebits(submission: OpenSubmission["submission"], account: Address): boolean {
  if (isRecovery(submission) || !isForcedDebit(submission)) return false;
  return debitedAccount(submission.operation, submission.sender) === account;
}

/**
 * Judges what is older than its bound. What is owed nothing counts from now on, or is forgotten if no validator keeps it.
 * An operation that is owed is reported once, the oldest in full and the others as a number, and the bound of all begins
 * anew: more reports of one stall would hide how it began. An epoch that stays open is reported again after each bound.
 */
function judgeOverdue(context: LivenessContext, state: LivenessState, at: Millis): void {
  const { cases } = state;
  if (cases.healed === undefined) return;
  if (cases.waiting.size === 0) cases.retried = Trie.empty();
  const background = createStallContext(context.chronicle, cases);
  const overdue: OpenSubmission[] = [];
  for (const submission of [...overdueSubmissions(context.chronicle.setting, cases, at)].sort((a, b) => a.at - b.at)) {
    if (!isExcused(background, submission) && !isContradicted(background, submission)) overdue.push(submission);
    else if (submission.remembered.length === 0 && !cases.due.has(submission.id))
      resolveSubmission(cases, submission.id, false);
    else noteEndedExcuse(cases, submission, at);
  }
  const [first, ...later] = overdue;
  const text = first === undefined ? closingStall(context, state, at) : explainStall(background, first);
  if (text === undefined) return;
  context.report(later.length === 0 ? text : `${text} Also overdue: ${countText(later.length, "further operation")}.`);
  for (const { id } of overdue) resolveSubmission(cases, id, false);
  cases.healed = { ...cases.healed, at };
}

/** protocol 13.2: an operation whose owner signed a conflict may lose, or block the account until a recovery. */
function isContradicted(background: StallContext, { submission }: OpenSubmission): boolean {
  return !isRecovery(submission) && votedOperations(background, accountOf(submission)).length > 1;
}
