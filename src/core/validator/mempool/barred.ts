/** Operations that a restriction overtook between two votes, and the notice to their clients (protocol 4.2). */
import type { Address } from "../../base/ids.ts";
import { isRecovery, type Submission } from "../../base/operation.ts";
import type { Refusal } from "../../base/refusal.ts";
import { accountOf } from "../../ledger/state.ts";
import { coverage, replyTo } from "../outputs.ts";
import { nextSlot } from "../slots/round-change-reasons.ts";
import { slotState } from "../slots/slots.ts";
import type { ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import { nonceOf, pendingFor } from "./pending.ts";

/**
 * Returns why this validator refuses a pending operation of the next nonce. The reason follows from applied slots, so it
 * is final. `undefined` for one that it would vote for, that has to wait, or that may be locked already.
 */
export function barringRefusal(state: ValidatorState, submission: Submission): Refusal | undefined {
  if (isRecovery(submission) || submission.operation.kind === "cancellation") return undefined;
  const { account, nonce } = nonceOf(submission);
  if (nonce !== accountOf(state.ledger, account).nonce) return undefined;
  if (slotState(state, nextSlot(state, account)).lock !== undefined) return undefined;
  const verdict = state.environment.rules.ledger.checkVote(state.ledger, [], submission);
  return verdict.answer === "refuse" ? verdict.refusal : undefined;
}

/** Notifies the clients of an account's next nonce which of their disclosed operations a restriction bars. */
export function notifyBarred(context: StepContext, account: Address): void {
  const { state } = context;
  for (const [id, { submission, disclosed: shown }] of pendingFor(
    state,
    account,
    accountOf(state.ledger, account).nonce,
  )) {
    const barred = shown ? barringRefusal(state, submission) : undefined;
    if (barred === undefined) continue;
    coverage(context, "barred while pending");
    replyTo(context, id, { status: "pending", barred });
  }
}
