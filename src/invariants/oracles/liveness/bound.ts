/** Bound of the oracle liveness: how long an operation may wait for its decision (protocol 13.3). */
import type { Address, Millis, Sequence, Version } from "../../../core/base/ids.ts";
import { isRecovery } from "../../../core/base/operation.ts";
import { accountSlot, type LedgerSlot, sequencePrefix, slotAt, slotKey, slotNumber } from "../../../core/base/slot.ts";
import { SLOT_MESSAGES } from "../../limits.ts";
import type { RunSetting } from "../../observation.ts";
import {
  accountOf,
  debitedAccount,
  effectSlotOf,
  isForcedDebit,
  nonceOfSubmission,
  tokenOf,
} from "../../reference/operation-meaning.ts";
import type { LedgerProgress, OpenSubmission, OpenSubmissions } from "./open-submissions.ts";

/**
 * protocol 13.3: a slot begins with rounds that are too short for a slow disk, and so does each that comes before its own;
 * and the owner's own operations before it, and slots without room for it, take their time, one after another.
 */
export function boundOf(
  { livenessMs, slotMs, linkMs }: RunSetting,
  cases: OpenSubmissions,
  submission: OpenSubmission,
): Millis {
  const retried = slotMs === 0 ? 0 : slotMs * countRetriedSlots(cases, submission);
  const slots = countUsedNonces(cases, submission) + countFullSlots(cases, submission);
  return (livenessMs + retried + SLOT_MESSAGES * linkMs * slots) as Millis;
}

/** Returns the number of nonces of its account that were used while an operation had to wait for them. */
function countUsedNonces(cases: OpenSubmissions, submission: OpenSubmission): number {
  const account = accountOf(submission.submission);
  const nonceIn = ({ accounts }: LedgerProgress): number => accounts.get(account)?.nonce ?? 0;
  return Math.max(
    0,
    Math.min(nonceIn(cases), nonceOfSubmission(submission.submission)) - nonceIn(startOf(cases, submission)),
  );
}

/** Progress when the obligation began: at the submission, or at the healing after it. */
function startOf({ healed }: OpenSubmissions, { at, start }: OpenSubmission): LedgerProgress {
  return healed !== undefined && healed.at > at ? healed.start : start;
}

/**
 * Returns how many slots of the token or account that it changes had no room for an operation, while it had to wait. Burns
 * before an operation of the account's own count for nothing: it has its turn among them (protocol 5).
 */
function countFullSlots(cases: OpenSubmissions, submission: OpenSubmission): number {
  const [, changed] = nextSlots(submission, cases);
  if (changed === undefined) return 0;
  const address = changed.kind === "token" ? changed.token : changed.address;
  const countIn = ({ fullSlots }: LedgerProgress): number => fullSlots.get(address) ?? 0;
  return countIn(cases) - countIn(startOf(cases, submission));
}

/** Returns how many slots that come before its own took more than one round after round 0, while it had to wait. */
function countRetriedSlots(cases: OpenSubmissions, submission: OpenSubmission): number {
  const now = nextSlots(submission, cases);
  const before = nextSlots(submission, startOf(cases, submission));
  return before.reduce(
    (count, from, index) => count + retriedSlotsBetween(cases, from, slotNumber(now[index] ?? from)),
    0,
  );
}

type NextSlots = readonly [signedFor: LedgerSlot, ...changed: LedgerSlot[]];

/** Returns the next slots of the account that an operation is signed for, and of the token or account that it changes. */
export function nextSlots({ submission }: OpenSubmission, progress: LedgerProgress): NextSlots {
  const signedFor = openSlot(progress, accountOf(submission));
  if (isRecovery(submission)) return [signedFor];
  const { operation, sender } = submission;
  if (isForcedDebit(submission)) return [signedFor, openSlot(progress, debitedAccount(operation, sender))];
  const token = effectSlotOf(submission) === "token" ? tokenOf(operation) : undefined;
  if (token === undefined) return [signedFor];
  return [signedFor, { kind: "token", token, version: progress.tokens.get(token)?.version ?? (0 as Version) }];
}

/** Returns the next slot of an account. */
export function openSlot({ accounts }: LedgerProgress, address: Address): LedgerSlot {
  return accountSlot(address, (accounts.get(address)?.sequence ?? 0) as Sequence);
}

function retriedSlotsBetween({ retried }: OpenSubmissions, from: LedgerSlot, to: number): number {
  const first = slotKey(from);
  const end = slotKey(slotAt(from, to));
  return retried.entriesWithPrefix(sequencePrefix(from)).filter(([key]) => first <= key && key < end).length;
}
