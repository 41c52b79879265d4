/** Outcomes of operations and replies to clients (protocol 4.2: no failure is reported before it is certain). */

import type { Address, Epoch, Nonce } from "../../base/ids.ts";
import { MemoTable } from "../../base/memo-table.ts";
import { isSkip, type OperationId, type SignedOperation } from "../../base/operation.ts";
import type { Receipt, Refusal } from "../../base/refusal.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { accountOf, type LedgerState } from "../../ledger/state.ts";
import type { Decision } from "../content.ts";
import { SUBSCRIBERS } from "../limits.ts";
import type { ClientName } from "../message.ts";
import type { Reply } from "../output.ts";
import type { ValidatorState } from "../state.ts";
import { coverage, replyTo, type StepContext } from "../step-context.ts";
import type { Outcome, PendingSubmission } from "../sub-states.ts";
import { cancelsDisclosed, forgetDigest, operationsFor, pendingFor, pendingOf, removePending } from "./pending.ts";

/** Records that an operation's effect is decided: it is final, with this receipt (protocol 4.1). `signed` has its nonce. */
export function finishFinal(
  context: StepContext,
  receipt: Receipt,
  { sender: account, operation: { nonce } }: SignedOperation,
  { certificate, content }: Decision,
): void {
  recordOutcome(context, receipt.id, internOutcome({ type: "final", account, nonce, receipt, certificate, content }));
}

type FinalOutcome = Extract<Outcome, { type: "final" }>;

/** First outcomes of successes by their certificates. */
const finals = new MemoTable<FinalityCertificate, FinalOutcome>();

/** Returns one record for an outcome of a success that several validators of a process reach alike. */
function internOutcome(outcome: FinalOutcome): FinalOutcome {
  if (!outcome.receipt.success) return outcome;
  const first = finals.getOrCompute(outcome.certificate, () => outcome);
  const isAlike =
    first.nonce === outcome.nonce && first.content === outcome.content && isSameReceipt(first.receipt, outcome.receipt);
  return isAlike ? first : outcome;
}

/** Compares receipts of successes. The id determines the account. */
function isSameReceipt(a: Receipt, b: Receipt): boolean {
  return a.id === b.id && a.fee === b.fee && a.feeToken === b.feeToken && a.slot === b.slot && a.error === b.error;
}

/** Records that a nonce is used up, and finishes every other submission for it. */
export function finishNonce(context: StepContext, account: Address, nonce: Nonce, by: OperationId): void {
  for (const { id, submission } of pendingFor(context.state, account, nonce)) {
    if (id === by) continue;
    const type = isSkip(submission) ? "late" : "superseded";
    if (type === "late") coverage(context, "late cancellation");
    recordOutcome(context, id, { type, account, nonce, by });
  }
}

/** Refuses an undisclosed operation: its client may sign another one (protocol 4.2). */
export function finishUndisclosed(context: StepContext, id: OperationId, refusal: Refusal): void {
  const known = context.state.mempool.pending.get(id);
  if (known === undefined || known.disclosed) return;
  finishRefused(context, known, refusal);
  const { account, nonce } = known;
  if (operationsFor(context.state, account, nonce).length === 0) finishQueue(context, account, nonce);
}

/** Refuses a pending submission; the reply says if another validator may have seen it. */
export function finishRefused(context: StepContext, known: PendingSubmission, refusal: Refusal): void {
  const { id, disclosed } = known;
  if (!disclosed) coverage(context, "refused undisclosed");
  forgetDigest(context.state, known);
  answerLast(context, id, { status: "refused", refusal, disclosed });
}

/**
 * Operations queued behind a nonce that has no pending operation any more cannot be ordered either. A cancellation stays
 * while an operation that it cancels, and that peers may know, is pending here (protocol 4.2).
 */
function finishQueue(context: StepContext, account: Address, expected: Nonce): void {
  for (const known of pendingOf(context.state, account)) {
    const { nonce: got, disclosed, submission } = known;
    if (got > expected && !disclosed && !cancelsDisclosed(context.state, submission))
      finishRefused(context, known, { code: "business_nonce_gap", expected, got });
  }
}

/** Records that its epoch closed without it: the client may submit the same again (protocol 6.3). */
export function finishVoid(context: StepContext, known: PendingSubmission, epoch: Epoch): void {
  forgetDigest(context.state, known);
  answerLast(context, known.id, { status: "void", epoch });
}

function recordOutcome(context: StepContext, id: OperationId, ending: Outcome): void {
  const { state } = context;
  state.mempool.outcomes.set(id, ending);
  answerLast(context, id, replyOf(ending));
}

/** Sends the last reply about an operation and removes it from the pending ones. */
export function answerLast(context: StepContext, id: OperationId, reply: Reply): void {
  replyTo(context, id, reply);
  context.state.mempool.subscribers.delete(id);
  removePending(context, id);
}

/** Returns the reply to a client about an operation with an outcome. */
export function replyOf(ending: Outcome): Reply {
  switch (ending.type) {
    case "superseded":
      return { status: "superseded", by: ending.by };
    case "late":
      return {
        status: "refused",
        refusal: { code: "business_decided_otherwise", nonce: ending.nonce, by: ending.by },
        disclosed: true,
      };
    case "final":
      return { status: "final", receipt: ending.receipt, certificate: ending.certificate, content: ending.content };
  }
}

/** Subscribes a client to an operation. Returns false, and refuses, past the bound of subscribers. */
export function subscribe(context: StepContext, id: OperationId, client: ClientName): boolean {
  const { mempool } = context.state;
  const known = mempool.subscribers.get(id) ?? [];
  if (known.includes(client)) return true;
  if (known.length >= SUBSCRIBERS) {
    coverage(context, "queue full");
    const refusal: Refusal = { code: "system_queue_full", limit: SUBSCRIBERS };
    const reply = { status: "refused", refusal, disclosed: mempool.pending.has(id) } as const;
    context.outputs.push({ type: "reply", client, id, reply });
    return false;
  }
  mempool.subscribers.set(id, known.length === 0 ? [client] : [...known, client].sort());
  return true;
}

/** Drops the outcomes of operations whose nonces are used up in `oldest`, the oldest checkpoint that is kept. */
export function dropOutcomes({ mempool }: ValidatorState, oldest: LedgerState): void {
  mempool.outcomes.deleteWhere(
    (id, { account, nonce }) => nonce < accountOf(oldest, account).nonce && !oldest.authorisedKeys.has(id),
  );
}
