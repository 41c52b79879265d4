/**
 * Liveness of a served network (protocol 13.4): judged at fixed times while the network runs, between its faults. It has no
 * end, its clients may do anything, and what is settled leaves the memory.
 */
import type { Address, Millis } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { currentEpoch } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import { committeeDirectory } from "../history/epochs.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { debitedBy, isForcedDebit } from "../reference/operation-meaning.ts";
import { countText } from "../text.ts";
import { copyOfLiveness, emptyLiveness, LIVENESS_EVENTS, type LivenessState, observeLiveness } from "./liveness.ts";
import { closingStallText, knownCauses } from "./liveness-epochs.ts";
import type { Context } from "./liveness-outcomes.ts";
import {
  accountOf,
  boundOf,
  nonceOfSubmission,
  noteEndedExcuse,
  type OpenSubmission,
  type OpenSubmissions,
  openOf,
  resolve,
} from "./open-submissions.ts";
import { backgroundOf, explanationOf, isExcused, type StallContext, votedOperations } from "./stall-explanation.ts";

const EVENT_TYPES = [...LIVENESS_EVENTS, "disturbed", "timePassed"] as const;

const NOTHING: ReportViolation = () => undefined;

/** Tracks every admitted operation. Reports missing decisions when time passes, one for each bound at most. */
export function servedLiveness(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  return oracle(
    "liveness",
    EVENT_TYPES,
    emptyLiveness(setting),
    (state, seen, record, report) => {
      if (!state.halted) observe({ setting, directory, seen, report, reportLate: NOTHING }, state, record);
      return state;
    },
    copyOfLiveness,
  );
}

function observe(context: Context, state: LivenessState, record: EventOf<(typeof EVENT_TYPES)[number]>): void {
  const { cases } = state;
  switch (record.type) {
    case "disturbed":
      cases.healed = undefined;
      return;
    case "timePassed":
      judgeNow(context, state, record.at);
      return;
    case "submitted":
      // Nobody vouches for a client: that it signed two operations for one nonce is seen in the votes.
      observeLiveness(context, state, { ...record, correct: true });
      restartBehind(cases, record);
      return;
    case "applied":
      observeLiveness(context, state, record);
      if (record.honest) restartNext(context.setting, cases, record);
      return;
    default:
      observeLiveness(context, state, record);
  }
}

/** An operation may fill the gap before others, or pair a cancellation: what is owed to those counts from now. */
function restartBehind(cases: OpenSubmissions, { id, submission, at }: EventOf<"submitted">): void {
  const [account, nonce] = [accountOf(submission), nonceOfSubmission(submission)];
  const isBehind = (one: OpenSubmission): boolean => one.id !== id && nonceOfSubmission(one.submission) >= nonce;
  if ((cases.byNonce.get(account)?.size ?? 0) === 0) return;
  for (const one of openOf(cases, account)) if (isBehind(one)) noteEndedExcuse(cases, one, at);
}

/**
 * The operation whose turn comes is owed its decision from then on, however many were before it: in its account, in the
 * account that a forced burn debits, and behind a full list of its token.
 */
function restartNext({ genesis }: RunSetting, cases: OpenSubmissions, one: Application): void {
  const { slot, value } = one;
  for (const change of one.changes)
    if (change.of === "account" && cases.byNonce.has(change.address))
      for (const open of openOf(cases, change.address)) noteEndedExcuse(cases, open, one.at);
  if (slot.kind === "account" && value.type === "burn") {
    restartDue(cases, one.at, ({ submission }) => burnDebits(submission, slot.address));
  } else if (value.type === "list" && value.ids.length >= genesis.listLimit) restartDue(cases, one.at, () => true);
}

function restartDue(cases: OpenSubmissions, at: Millis, concerns: (one: OpenSubmission) => boolean): void {
  for (const id of cases.due) {
    const open = cases.waiting.get(id);
    if (open !== undefined && concerns(open)) noteEndedExcuse(cases, open, at);
  }
}

function burnDebits(submission: OpenSubmission["submission"], account: Address): boolean {
  if (isRecovery(submission) || !isForcedDebit(submission)) return false;
  return debitedBy(submission.operation, submission.sender) === account;
}

/**
 * Judges what is older than its bound. What is owed nothing counts from now on, or is forgotten if no validator keeps it.
 * An operation that is owed is reported once, the oldest in full and the others as a number, and the bound of all begins
 * anew: more reports of one stall would hide how it began. An epoch that stays open is reported again after each bound.
 */
function judgeNow(context: Context, state: LivenessState, at: Millis): void {
  const { cases } = state;
  if (cases.healed === undefined) return;
  if (cases.waiting.size === 0) cases.retried = Trie.empty();
  const background = backgroundOf(context, cases, currentEpoch(context.seen));
  const late: OpenSubmission[] = [];
  for (const one of overdue(context.setting, cases, at)) {
    if (!isExcused(background, one) && !isContradicted(background, one)) late.push(one);
    else if (one.remembered.length === 0 && !cases.due.has(one.id)) resolve(cases, one.id, false);
    else noteEndedExcuse(cases, one, at);
  }
  const [first, ...others] = late;
  const text = first === undefined ? closingStall(context, state, at) : explanationOf(background, first);
  if (text === undefined) return;
  context.report(
    others.length === 0 ? text : `${text} Also overdue: ${countText(others.length, "further operation")}.`,
  );
  for (const { id } of late) resolve(cases, id, false);
  cases.healed = { ...cases.healed, at };
}

/** Returns what is open for longer than its bound, by age and id. */
function overdue(setting: RunSetting, cases: OpenSubmissions, at: Millis): readonly OpenSubmission[] {
  const from = cases.healed?.at ?? at;
  const age = (one: OpenSubmission): number => at - Math.max(from, one.at);
  return [...cases.waiting.values()]
    .filter((one) => age(one) > setting.livenessMs && age(one) > boundOf(setting, cases, one))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** protocol 13.2: an operation whose owner signed a conflict may lose, or block the account until a recovery. */
function isContradicted(background: StallContext, { submission }: OpenSubmission): boolean {
  return !isRecovery(submission) && votedOperations(background, accountOf(submission)).length > 1;
}

/** Returns why the open epoch is overdue; `undefined` if it is not. */
function closingStall(context: Context, { cases, causes }: LivenessState, at: Millis): string | undefined {
  const { epoch } = currentEpoch(context.seen);
  const from = cases.healed === undefined ? undefined : knownCauses(causes, epoch, cases.healed.core);
  const waited = at - Math.max(cases.healed?.at ?? at, from ?? at);
  if (waited <= context.setting.livenessMs) return undefined;
  const background = backgroundOf(context, cases, currentEpoch(context.seen));
  return `epoch ${epoch} did not close within ${waited} ms of its cause; ${closingStallText(background, epoch)}`;
}
