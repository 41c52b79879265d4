/**
 * Replies about lost nonces (protocol 9.1): an operation is superseded, a cancellation or a recovery is refused as too
 * late, and each reply names the decision that used the nonce.
 */
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Application } from "../history/application.ts";
import type { Observed } from "../observation.ts";
import { short } from "../words.ts";
import { accountOf, nonceAsked } from "./liveness-cases.ts";

interface Wish {
  /** `account/nonce`. */
  readonly nonce: string;
  /** True for submissions that skip the nonce: a cancellation or a recovery. */
  readonly skips: boolean;
}

export interface Rivals {
  /** Submissions by id. */
  readonly wishes: UndoMap<Wish>;
  /** Operation that used each nonce, by the first honest application. */
  readonly winners: UndoMap<OperationId>;
}

type Submitted = Extract<Observed, { readonly type: "submitted" }>;
type Replied = Extract<Observed, { readonly type: "replied" }>;

/** Returns the state before any submission. */
export function noRivals(): Rivals {
  return { wishes: UndoMap.empty(), winners: UndoMap.empty() };
}

/** Adds a client's request for a nonce. */
export function wished({ wishes, winners }: Rivals, { id, submission }: Submitted): Rivals {
  if (wishes.has(id)) return { wishes, winners };
  const nonce = `${accountOf(submission)}/${nonceAsked(submission)}`;
  const skips = isRecovery(submission) || submission.operation.kind === "cancellation";
  return { wishes: wishes.set(id, { nonce, skips }), winners };
}

/** Records the winner of a nonce when an honest node applies the decision. */
export function won(rivals: Rivals, { slot, value, changes }: Application): Rivals {
  if (slot.kind !== "account" || (value.type !== "operation" && value.type !== "skip")) return rivals;
  let { winners } = rivals;
  for (const change of changes) {
    if (change.of !== "account" || change.address !== slot.address) continue;
    const nonce = `${slot.address}/${change.nonce - 1}`;
    if (!winners.has(nonce)) winners = winners.set(nonce, value.id);
  }
  return { wishes: rivals.wishes, winners };
}

/** Returns a violation if an honest node's reply about a lost nonce is wrong, else `undefined`. */
export function misled({ wishes, winners }: Rivals, { node, id, answer }: Replied): string | undefined {
  const wish = wishes.get(id);
  const said = lossIn(answer);
  if (wish === undefined || said === undefined) return undefined;
  const words = `${node} replied to the client of ${short(id)}: ${said.words} ${short(said.by)}`;
  if (said.isLate !== wish.skips)
    return `${words}, but ${wish.skips ? "a cancellation or a recovery is too late" : "an operation is superseded"}`;
  const winner = winners.get(wish.nonce);
  if (winner === undefined) return `${words}, but its nonce is unused`;
  return winner === said.by ? undefined : `${words}, but ${short(winner)} used its nonce`;
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
