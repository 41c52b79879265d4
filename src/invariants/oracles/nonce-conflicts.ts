/**
 * Replies about lost nonces (protocol 9.1): an operation is superseded, a cancellation or a recovery is refused as too
 * late, and each reply names the decision that used the nonce.
 */
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Application } from "../history/application.ts";
import type { ObservedEvent } from "../observation.ts";
import { shortId } from "../text.ts";
import { accountOf, nonceOfSubmission } from "./open-submissions.ts";

interface NonceRequest {
  /** `account/nonce`. */
  readonly nonce: string;
  /** True for submissions that skip the nonce: a cancellation or a recovery. */
  readonly skips: boolean;
}

export interface NonceConflicts {
  /** Submissions by id. */
  readonly requests: UndoMap<NonceRequest>;
  /** Operation that used each nonce, by the first honest application. */
  readonly winners: UndoMap<OperationId>;
}

type Submitted = Extract<ObservedEvent, { readonly type: "submitted" }>;
type Replied = Extract<ObservedEvent, { readonly type: "replied" }>;

/** Returns the state before any submission. */
export function emptyConflicts(): NonceConflicts {
  return { requests: UndoMap.empty(), winners: UndoMap.empty() };
}

/** Adds a client's request for a nonce. */
export function withRequest(
  { requests: wishes, winners }: NonceConflicts,
  { id, submission }: Submitted,
): NonceConflicts {
  if (wishes.has(id)) return { requests: wishes, winners };
  const nonce = `${accountOf(submission)}/${nonceOfSubmission(submission)}`;
  const skips = isRecovery(submission) || submission.operation.kind === "cancellation";
  return { requests: wishes.set(id, { nonce, skips }), winners };
}

/** Records the winner of a nonce when an honest node applies the decision. */
export function withWinner(conflicts: NonceConflicts, { slot, value, changes }: Application): NonceConflicts {
  if (slot.kind !== "account" || (value.type !== "operation" && value.type !== "skip")) return conflicts;
  let { winners } = conflicts;
  for (const change of changes) {
    if (change.of !== "account" || change.address !== slot.address) continue;
    const nonce = `${slot.address}/${change.nonce - 1}`;
    if (!winners.has(nonce)) winners = winners.set(nonce, value.id);
  }
  return { requests: conflicts.requests, winners };
}

/** Returns a violation if an honest node's reply about a lost nonce is wrong, else `undefined`. */
export function wrongReply(
  { requests: wishes, winners }: NonceConflicts,
  { node, id, answer }: Replied,
): string | undefined {
  const wish = wishes.get(id);
  const said = lossIn(answer);
  if (wish === undefined || said === undefined) return undefined;
  const text = `${node} replied to the client of ${shortId(id)}: ${said.words} ${shortId(said.by)}`;
  if (said.isLate !== wish.skips)
    return `${text}, but ${wish.skips ? "a cancellation or a recovery is too late" : "an operation is superseded"}`;
  const winner = winners.get(wish.nonce);
  if (winner === undefined) return `${text}, but its nonce is unused`;
  return winner === said.by ? undefined : `${text}, but ${shortId(winner)} used its nonce`;
}

interface Loss {
  readonly by: OperationId;
  readonly isLate: boolean;
  readonly words: string;
}

function lossIn(answer: Replied["answer"]): Loss | undefined {
  if (answer.status === "superseded") return { by: answer.by, isLate: false, words: "superseded by" };
  if (answer.status !== "refused" || !answer.shown || answer.refusal.code !== "business_decided_otherwise")
    return undefined;
  return { by: answer.refusal.by, isLate: true, words: "too late after" };
}
