/** Outcomes of a run's operations, counted by kind: how much the run shows of each. */
import { entryOf } from "../core/base/entry.ts";
import { isRecovery, type OperationKind, type Submission } from "../core/base/operation.ts";
import type { OperationStatus, RunRecord } from "./run-record.ts";

/** Kind of what a client submits. */
export type SubmissionKind = OperationKind | "recovery";

/** Counts of the distinct operations that clients submitted, in the order of the output. */
export const COUNTED = [
  "submitted",
  /** Those that a validator answered otherwise than with a refusal. */
  "admitted",
  "final",
  /** Those of an account that signed others for the same nonce. */
  "contended",
  /** Those during which a fault took effect, between their submission and their finality or the end. */
  "disturbed",
] as const;

export type OperationCounts = Record<(typeof COUNTED)[number], number>;

/** Counts by kind; kinds that nobody submitted are absent. */
export type CountsByKind = ReadonlyMap<SubmissionKind, OperationCounts>;

export function noOperations(): OperationCounts {
  return { submitted: 0, admitted: 0, final: 0, contended: 0, disturbed: 0 };
}

/** Returns the counts of a run. O(operations). */
export function countOperations({ statuses, faults }: Pick<RunRecord, "statuses" | "faults">): CountsByKind {
  const submitted = [...statuses.values()].filter(({ submission }) => submission !== undefined);
  const rivals = new Map<string, number>();
  const nonceOf = ({ account, nonce }: OperationStatus): string => `${account} ${nonce}`;
  for (const status of submitted) rivals.set(nonceOf(status), (rivals.get(nonceOf(status)) ?? 0) + 1);
  const counts = new Map<SubmissionKind, OperationCounts>();
  for (const status of submitted) {
    const { submission, isAdmitted, finalAt, faultsBefore, faultsUntil = faults } = status;
    const so = entryOf(counts, kindOf(submission as Submission), noOperations);
    so.submitted += 1;
    if (isAdmitted || finalAt !== undefined) so.admitted += 1;
    if (finalAt !== undefined) so.final += 1;
    if ((rivals.get(nonceOf(status)) ?? 0) > 1) so.contended += 1;
    if (faultsUntil > faultsBefore) so.disturbed += 1;
  }
  return counts;
}

function kindOf(submission: Submission): SubmissionKind {
  return isRecovery(submission) ? "recovery" : submission.operation.kind;
}

/** Adds the counts of a run to those of others. */
export function addOperations(sum: Map<SubmissionKind, OperationCounts>, counts: CountsByKind): void {
  for (const [kind, count] of counts) addCounts(entryOf(sum, kind, noOperations), count);
}

function addCounts(sum: OperationCounts, count: OperationCounts): void {
  for (const name of COUNTED) sum[name] += count[name];
}

/** Returns the counts over all kinds. */
export function totalOf(counts: CountsByKind): OperationCounts {
  const total = noOperations();
  for (const count of counts.values()) addCounts(total, count);
  return total;
}
