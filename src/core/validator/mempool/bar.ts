/** Operations that a restriction overtook between two votes: their clients hear of it (protocol 4.2). */
import type { Address } from "../../base/ids.ts";
import { isRecovery, type Submission } from "../../base/operation.ts";
import type { Refusal } from "../../base/refusal.ts";
import { accountOf } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { nextSlot } from "../slots/rounds.ts";
import { slotState } from "../slots/slots.ts";
import { mark, tell } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { nonceOf, pendingFor } from "./pending.ts";

/**
 * Why this validator refuses a pending operation whose turn it is: by what it has applied, so the reason is final.
 * `undefined` for one that it would vote for, that has to wait, or that may be locked already.
 */
export function barOf(state: ValidatorState, submission: Submission): Refusal | undefined {
  if (isRecovery(submission) || submission.operation.kind === "cancellation") return undefined;
  const { account, nonce } = nonceOf(submission);
  if (nonce !== accountOf(state.ledger, account).nonce) return undefined;
  if (slotState(state, nextSlot(state, account)).lock !== undefined) return undefined;
  const verdict = state.environment.rules.ledger.checkVote(state.ledger, [], submission);
  return verdict.answer === "refuse" ? verdict.refusal : undefined;
}

/** Tells the clients that wait for an account's next nonce which of their disclosed operations a restriction bars. */
export function tellBarred(turn: Turn, account: Address): void {
  const { state } = turn;
  for (const [id, { submission, shown }] of pendingFor(state, account, accountOf(state.ledger, account).nonce)) {
    const barred = shown ? barOf(state, submission) : undefined;
    if (barred === undefined) continue;
    mark(turn, "barred while pending");
    tell(turn, id, { status: "pending", barred });
  }
}
