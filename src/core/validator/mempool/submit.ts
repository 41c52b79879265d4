/** A client asks: the asked validator checks first, and alone (protocol 4.2). */
import type { Amount } from "../../base/amount.ts";
import {
  isRecovery,
  type OperationId,
  type Recovery,
  type SignedOperation,
  type Submission,
} from "../../base/operation.ts";
import type { Refusal } from "../../base/refusal.ts";
import { unpaidSkip } from "../../ledger/fees.ts";
import { accountOf, balanceOf } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { CANCELLATION_MS, LISTENERS } from "../limits.ts";
import type { ClientName } from "../message.ts";
import { isAuthentic } from "../slots/content-check.ts";
import { refuse, replyOf } from "../slots/endings.ts";
import { barrierOf } from "../slots/judge-content.ts";
import { nextSlot, takeReason, votesOf } from "../slots/rounds.ts";
import { mark, send, setTimer, tell } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { tellBarred } from "./bar.ts";
import {
  cancelsAdmitted,
  digestKey,
  idOf,
  keep,
  nonceOf,
  operationsFor,
  pendingFor,
  queueLimit,
  wasShown,
} from "./pending.ts";

/** Answers a submission: its ending where it has one, a refusal that nobody else has seen, or `pending`. */
export function submit(turn: Turn, client: ClientName, submission: Submission): void {
  const { state } = turn;
  const id = idOf(state, submission);
  const ending = state.endings.get(id);
  if (ending !== undefined) {
    turn.outputs.push({ type: "reply", client, id, reply: replyOf(ending) });
    return;
  }
  if (isForgotten(state, submission)) {
    mark(turn, "settled nonce asked for");
    turn.outputs.push({ type: "reply", client, id, reply: { status: "settled" } });
    return;
  }
  if (!listen(turn, id, client)) return;
  const fault = admissionFault(state, submission);
  if (fault !== undefined) {
    if (isRecovery(submission) && fault.code === "business_insufficient_funds") mark(turn, "recovery unpaid");
    refuse(turn, id, fault, nonceOf(submission));
    return;
  }
  tell(turn, id, { status: "pending" });
  const { account, nonce } = nonceOf(submission);
  if (nonce > accountOf(state.ledger, account).nonce) mark(turn, "waited for a nonce");
  const shown = wasShown(state, submission, id);
  if (shown) mark(turn, "void taken up again");
  keep(turn, submission, { shown, asked: true });
  bringForward(turn, submission, id);
  tellBarred(turn, account);
}

/** Whether its nonce was used up before the oldest checkpoint that is kept here: nobody here knows by what. */
function isForgotten({ bases }: ValidatorState, submission: Submission): boolean {
  const [oldest] = bases.values();
  if (oldest === undefined) return false;
  const { account, nonce } = nonceOf(submission);
  return nonce < accountOf(oldest, account).nonce;
}

/** Sets an admitted submission going. */
function bringForward(turn: Turn, submission: Submission, id: OperationId): void {
  if (isRecovery(submission)) {
    keep(turn, submission, { shown: true, asked: true });
    send(turn, turn.state.environment.others, { type: "shown", recovery: submission });
    takeShown(turn, submission);
    turn.agenda.push({ do: "advance", address: submission.account });
    return;
  }
  // Not shown before it is paired: what others hold may take effect after this client was told that it failed.
  if (submission.operation.kind === "cancellation") setTimer(turn, `cancel ${id}`, CANCELLATION_MS);
  turn.agenda.push({ do: "advance", address: submission.sender });
}

/** Takes a recovery that another validator was asked for: its proof counts here after a timeout (protocol 3.2, b). */
export function takeShown(turn: Turn, recovery: Recovery): void {
  const { state } = turn;
  if (submissionFault(state, recovery) !== undefined) return;
  if (state.environment.rules.ledger.checkRecovery(state.ledger, recovery).answer !== "accept") return;
  keep(turn, recovery, { shown: true, asked: false });
  const slot = nextSlot(state, recovery.account);
  takeReason(turn, slot, { kind: "equivocation", proof: recovery.evidence, votes: [] }, state.environment.self);
}

/** What is wrong with a submission whatever the state: form, chain, signatures. */
function submissionFault(state: ValidatorState, submission: Submission): Refusal | undefined {
  const { environment } = state;
  const signed: readonly SignedOperation[] = isRecovery(submission)
    ? [submission.evidence.first, submission.evidence.second]
    : [submission];
  for (const one of signed) {
    const fault = environment.rules.ledger.wellFormed(one.operation, environment.genesis.chainId);
    if (fault !== undefined) return fault;
    if (!isAuthentic(environment, one)) {
      return { code: "validation_signature", reason: `it does not recover to ${one.sender}` };
    }
  }
  return undefined;
}

/** Why the asked validator admits nothing of this, as its state is now; `undefined` where it does, or has already (protocol 4.2). */
export function admissionFault(state: ValidatorState, submission: Submission): Refusal | undefined {
  const id = idOf(state, submission);
  if (state.pending.has(id) || wasShown(state, submission, id)) return undefined;
  const fault = submissionFault(state, submission);
  if (fault !== undefined) return fault;
  return isRecovery(submission) ? recoveryFault(state, submission) : operationFault(state, submission, id);
}

/** Proof that gives nobody a reason to start a round is shown to nobody: its account would stay as it is (protocol 3.2). */
function recoveryFault(state: ValidatorState, recovery: Recovery): Refusal | undefined {
  const { rules } = state.environment;
  const verdict = rules.ledger.checkRecovery(state.ledger, recovery);
  if (verdict.answer === "wait") return verdict.missing;
  if (verdict.answer === "refuse") return verdict.refusal;
  const { account, evidence } = recovery;
  const slot = nextSlot(state, account);
  const reason = { kind: "equivocation", proof: evidence, votes: votesOf(state, slot) } as const;
  if (rules.validator.reasonCounts(state, slot, reason)) return undefined;
  return unpaidSkip(state.ledger, account, [evidence.first, evidence.second]);
}

/** Refused at once is what this validator's state and the sender's own queue cannot order or fund (protocol 4.2). */
function operationFault(state: ValidatorState, signed: SignedOperation, id: OperationId): Refusal | undefined {
  const { environment, ledger } = state;
  const { operation, sender } = signed;
  const admitted = state.digests.get(digestKey(state, signed));
  if (admitted !== undefined && admitted !== id) return { code: "business_signature_reused", pending: admitted };
  const rival = pendingFor(state, sender, operation.nonce).find(([, other]) =>
    isRival(state, signed, other.submission),
  );
  if (rival !== undefined && operation.kind !== "cancellation") {
    return { code: "business_nonce_pending", nonce: operation.nonce, pending: rival[0] };
  }
  const limit = cancelsAdmitted(state, signed) ? undefined : queueLimit(state, sender);
  if (limit !== undefined) return { code: "system_queue_full", limit };
  const verdict = environment.rules.ledger.check(ledger, barrierOf(state), signed);
  if (verdict.answer === "accept") return queueShortfall(state, signed);
  if (verdict.answer === "refuse") return verdict.refusal;
  return isQueued(state, signed) ? queuedFault(state, signed) : verdict.missing;
}

/** True if the sender signed another operation. Another reading of the same digest is none of its own (protocol 9.5). */
function isRival(state: ValidatorState, signed: SignedOperation, other: Submission): boolean {
  if (isRecovery(other) || other.operation.kind === "cancellation") return false;
  return digestKey(state, other) !== digestKey(state, signed);
}

/** Whether every nonce before this one is pending here. */
function isQueued(state: ValidatorState, { sender, operation }: SignedOperation): boolean {
  const { nonce } = accountOf(state.ledger, sender);
  if (operation.nonce === nonce) return false;
  for (let earlier = nonce; earlier < operation.nonce; earlier++) {
    if (operationsFor(state, sender, earlier as typeof nonce).length === 0) return false;
  }
  return true;
}

/** What is wrong with an operation behind others of its sender, judged as if its turn had come. */
function queuedFault(state: ValidatorState, signed: SignedOperation): Refusal | undefined {
  const { accounts } = state.ledger;
  const turnCome = { ...accountOf(state.ledger, signed.sender), nonce: signed.operation.nonce };
  const ledger = { ...state.ledger, accounts: accounts.set(signed.sender, turnCome) };
  const verdict = state.environment.rules.ledger.check(ledger, barrierOf(state), signed);
  if (verdict.answer === "refuse") return verdict.refusal;
  if (verdict.answer === "wait") return verdict.missing;
  return queueShortfall(state, signed);
}

/** The sender's queue must be fundable together with the newcomer. */
function queueShortfall(state: ValidatorState, signed: SignedOperation): Refusal | undefined {
  const { operation, sender } = signed;
  if (operation.kind !== "payment") return undefined;
  const { rules } = state.environment;
  const { token } = operation;
  const fee = rules.ledger.paymentFee(state.ledger.parameters.fees, token);
  let need = operation.value + fee;
  for (let nonce = accountOf(state.ledger, sender).nonce; nonce < operation.nonce; nonce++) {
    for (const earlier of operationsFor(state, sender, nonce).slice(0, 1)) {
      if (earlier.operation.kind === "payment" && earlier.operation.token === token)
        need += earlier.operation.value + fee;
    }
  }
  const balance = balanceOf(state.ledger, sender, token);
  return need <= balance ? undefined : { code: "business_insufficient_funds", token, balance, need: need as Amount };
}

function listen(turn: Turn, id: OperationId, client: ClientName): boolean {
  const { state } = turn;
  const key = `${id} ${client}`;
  if (state.listeners.has(key)) return true;
  if (state.listeners.within(`${id} `).length >= LISTENERS) {
    mark(turn, "queue full");
    const refusal: Refusal = { code: "system_queue_full", limit: LISTENERS };
    turn.outputs.push({
      type: "reply",
      client,
      id,
      reply: { status: "refused", refusal, shown: state.pending.has(id) },
    });
    return false;
  }
  state.listeners = state.listeners.set(key, client);
  return true;
}
