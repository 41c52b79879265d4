/** How operations end, and who is told (protocol 4.2: a client never hears that it failed before that is certain). */
import type { Address, Epoch, Nonce } from "../../base/ids.ts";
import { isRecovery, type OperationId } from "../../base/operation.ts";
import type { Receipt } from "../../base/receipt.ts";
import type { Refusal } from "../../base/refusal.ts";
import type { Turn } from "../agenda.ts";
import { forget, mayBeEvicted, nonceOf, operationsFor, pendingFor, pendingOf } from "../mempool/pending.ts";
import type { Reply } from "../output.ts";
import { mark, tell } from "../speak.ts";
import type { Ending, FinalProof } from "../state.ts";

/** An operation's effect was decided: it is final, with this receipt (protocol 4.1). */
export function endFinal(turn: Turn, receipt: Receipt, of: Ending["of"], { certificate, content }: FinalProof): void {
  end(turn, receipt.id, { type: "final", of, receipt, certificate, content });
}

/** A nonce is used up: everything else that wanted it has ended too. */
export function endNonce(turn: Turn, account: Address, nonce: Nonce, by: OperationId): void {
  for (const [id, { submission }] of pendingFor(turn.state, account, nonce)) {
    if (id === by) continue;
    const isSkip = isRecovery(submission) || submission.operation.kind === "cancellation";
    if (isSkip) mark(turn, "late cancellation");
    end(turn, id, { type: isSkip ? "late" : "superseded", of: { account, nonce }, by });
  }
}

/** Something that nobody else has seen is refused after all: its client may sign something else (protocol 4.2). */
export function endUnshown(turn: Turn, id: OperationId, refusal: Refusal): void {
  const known = turn.state.pending.get(id);
  if (known === undefined || known.shown) return;
  mark(turn, "refused unshown");
  const { account, nonce } = nonceOf(known.submission);
  refuse(turn, id, refusal, { account, nonce });
  if (operationsFor(turn.state, account, nonce).length === 0) endQueue(turn, account, nonce);
}

/** What was queued behind a nonce that nothing wants any more cannot be ordered either. */
function endQueue(turn: Turn, account: Address, expected: Nonce): void {
  for (const [id, { submission, shown }] of pendingOf(turn.state, account)) {
    const { nonce: got } = nonceOf(submission);
    if (got > expected && !shown)
      refuse(turn, id, { code: "business_nonce_gap", expected, got }, { account, nonce: got });
  }
}

/** Its nonce was used up in a past that is not kept here. */
export function endSettled(turn: Turn, id: OperationId): void {
  answerLast(turn, id, { status: "settled" });
}

/** Its epoch closed without it: the client may submit the same again (protocol 6.3). */
export function endVoid(turn: Turn, id: OperationId, epoch: Epoch): void {
  answerLast(turn, id, { status: "void", epoch });
}

/**
 * Refuses a submission that this validator has disclosed to nobody. The response says disclosed where this validator may have
 * evicted a copy that came from others: then it cannot vouch for them.
 */
export function refuse(
  turn: Turn,
  id: OperationId,
  refusal: Refusal,
  { account, nonce }: { readonly account: Address; readonly nonce: Nonce },
): void {
  answerLast(turn, id, { status: "refused", refusal, shown: mayBeEvicted(turn.state, account, nonce) });
}

function end(turn: Turn, id: OperationId, ending: Ending): void {
  const { state } = turn;
  state.endings = state.endings.set(id, ending);
  answerLast(turn, id, replyOf(ending));
}

/** Nobody is told of it again, and it is pending no more. */
function answerLast(turn: Turn, id: OperationId, reply: Reply): void {
  tell(turn, id, reply);
  dropListeners(turn, id);
  forget(turn, id);
}

/** What a client is told about an operation that has ended. */
export function replyOf(ending: Ending): Reply {
  switch (ending.type) {
    case "superseded":
      return { status: "superseded", by: ending.by };
    case "late":
      return {
        status: "refused",
        refusal: { code: "business_decided_otherwise", nonce: ending.of.nonce, by: ending.by },
        shown: true,
      };
    case "final":
      return { status: "final", receipt: ending.receipt, certificate: ending.certificate, content: ending.content };
  }
}

function dropListeners(turn: Turn, id: OperationId): void {
  const { state } = turn;
  for (const [key] of state.listeners.within(`${id} `)) state.listeners = state.listeners.delete(key);
}
