/** Outcomes of open submissions: replies that clients received, and decisions that came too late (protocol 13.3). */
import { unreachable } from "../../../core/base/assert.ts";
import type { Millis } from "../../../core/base/ids.ts";
import { isSkip, type OperationId } from "../../../core/base/operation.ts";
import type { ReportViolation } from "../../fold.ts";
import { isBindingRefusal } from "../../history/binding-replies.ts";
import type { Chronicle } from "../../history/chronicle.ts";
import type { EventOf } from "../../observation.ts";
import { shortId } from "../../text.ts";
import { boundOf } from "./bound.ts";
import { noteBarred, type OpenSubmissions, owesSkip, resolveSubmission } from "./open-submissions.ts";
import { createStallContext, isExcused } from "./stall-explanation.ts";

/** History of the run, and who hears of violations. */
export interface LivenessContext {
  readonly chronicle: Chronicle;
  readonly report: ReportViolation;
  /** Reports what came after its bound; `undefined` in served networks, which are judged at fixed times alone. */
  readonly reportLate: ReportViolation | undefined;
}

/** A reply that its client received may end what it is owed. */
export function noteReceivedReply(
  context: LivenessContext,
  cases: OpenSubmissions,
  record: EventOf<"replyReceived">,
): void {
  const { answer, id } = record;
  const isHonest = context.chronicle.directory.isHonestNode(record.from);
  switch (answer.status) {
    case "pending":
      if (answer.barred !== undefined && isHonest) noteBarred(cases, id);
      return;
    case "settled":
      return;
    case "final":
    case "superseded":
      recordOutcome(context, cases, id, true, record.at);
      return;
    case "refused":
      if (!owesSkip(cases, id, record.from) && (isBindingRefusal(answer) || !hasOtherHolder(cases, record)))
        recordOutcome(context, cases, id, isBindingRefusal(answer), record.at);
      return;
    case "void": {
      // A Byzantine validator cannot void an operation that no closing voids, and one that lags cannot void what was
      // submitted again since. After a resubmission a reply is owed again.
      const isOver = isHonest || context.chronicle.epochs.length > answer.epoch + 1;
      const isStale = answer.epoch < (cases.waiting.get(id)?.epoch ?? 0);
      if (isOver && !isStale) recordOutcome(context, cases, id, false, record.at);
      return;
    }
    default:
      unreachable(answer);
  }
}

/**
 * One validator that refuses an operation says nothing of another one that has it: there it still takes the nonce. A
 * cancellation is nothing without its operation.
 */
function hasOtherHolder(cases: OpenSubmissions, { id, from }: EventOf<"replyReceived">): boolean {
  const openSubmission = cases.waiting.get(id);
  if (openSubmission === undefined) return false;
  const { remembered, submission } = openSubmission;
  return remembered.some((node) => node !== from && (!isSkip(submission) || owesSkip(cases, id, node)));
}

/** An outcome of an operation: one that was owed and is late is reported. */
export function recordOutcome(
  context: LivenessContext,
  cases: OpenSubmissions,
  id: OperationId,
  isPermanent: boolean,
  at: Millis,
): void {
  const { chronicle, reportLate } = context;
  const { setting } = chronicle;
  const openSubmission = cases.waiting.get(id);
  if (openSubmission !== undefined && cases.healed !== undefined) {
    const from = Math.max(cases.healed.at, openSubmission.at);
    const waited = at - from;
    const bound = waited > setting.livenessMs ? boundOf(setting, cases, openSubmission) : setting.livenessMs;
    if (waited > bound && !isExcused(createStallContext(chronicle, cases), openSubmission)) {
      reportLate?.(
        `${shortId(id)} of ${openSubmission.client} was decided ${waited} ms after ` +
          `${from === openSubmission.at ? openSubmission.since : "the healing"}, the bound is ${bound} ms`,
      );
    }
  }
  resolveSubmission(cases, id, isPermanent);
}
