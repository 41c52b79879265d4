/** Submissions of clients: the entry validator checks first, and alone (protocol 4.2). */

import { type Amount, leastOf } from "../base/amount.ts";
import type { Address, Nonce } from "../base/ids.ts";
import {
  isCancellation,
  isRecovery,
  isSkip,
  isSpending,
  type OperationId,
  type SignedOperation,
  type Submission,
} from "../base/operation.ts";
import type { CheckResult, Refusal } from "../base/refusal.ts";
import { spentAmount } from "../ledger/fees.ts";
import { accountOf, balanceOf } from "../ledger/state.ts";
import { barrierOf } from "./check-content.ts";
import { CANCELLATION_MS } from "./limits.ts";
import {
  addPending,
  answerLast,
  cancelsPending,
  digestKey,
  idOf,
  isCertified,
  nonceOf,
  operationsFor,
  pendingFor,
  queueLimit,
  replyOf,
  subscribe,
} from "./mempool/pending.ts";
import type { ClientName } from "./message.ts";
import { nextSlot } from "./slot-position.ts";
import { authorshipFault } from "./slots/content-check.ts";
import { operationsIn, reasonsOf } from "./slots/reason-check.ts";
import { slotState, type ValidatorState } from "./state.ts";
import { coverage, replyTo, type StepContext, send, setTimer } from "./step-context.ts";

/** Replies to a submission: with its outcome, an undisclosed refusal, or `pending`. */
export function submit(context: StepContext, client: ClientName, submission: Submission, isAdmitted = false): void {
  const { state } = context;
  const id = idOf(state, submission);
  const ending = state.mempool.outcomes.get(id);
  if (ending !== undefined) {
    context.outputs.push({ type: "reply", client, id, reply: replyOf(ending) });
    return;
  }
  const isAuthorised = state.ledger.authorisedKeys.has(id);
  if (!isAuthorised && isEvicted(state, submission)) {
    coverage(context, "settled nonce requested");
    context.outputs.push({ type: "reply", client, id, reply: { status: "settled" } });
    return;
  }
  if (!subscribe(context, id, client)) return;
  const fault = isAdmitted ? undefined : admissionFault(state, submission);
  if (fault !== undefined) {
    // This validator has disclosed it to no other, but a peer may have.
    const disclosed = !isRecovery(submission) && isShown(state, submission);
    answerLast(context, id, { status: "refused", refusal: fault, disclosed });
    return;
  }
  replyTo(context, id, { status: "pending" });
  const { account, nonce } = nonceOf(submission);
  if (nonce > accountOf(state.ledger, account).nonce) coverage(context, "waited for a nonce");
  const disclosed = isAuthorised || isRecovery(submission) || isShown(state, submission);
  // Once: a client that submits it again does not put its end off.
  if (isSkip(submission) && state.mempool.pending.get(id)?.isEntry !== true)
    setTimer(context, { kind: "cancel", id }, CANCELLATION_MS);
  addPending(context, submission, { disclosed, isEntry: true });
  // A cancellation is disclosed only with its pair: a copy at others may take effect after this client was told that it
  // failed. The proof of a recovery is shown to all: it counts at each after a timeout, and here (protocol 3.2, b).
  if (isRecovery(submission)) {
    const reason = { kind: "equivocation", proof: submission.evidence } as const;
    send(context, state.environment.peers, { type: "disclosure", slot: nextSlot(state, account), reason });
  }
  context.agenda.push({ do: "advance", address: account });
  notifyBarred(context, account);
}

/**
 * Returns true if what is kept here shows an operation whose nonce is open: others have seen it, so it may take effect
 * whatever this validator says, and its client has to be able to cancel it (protocol 4.2).
 */
function isShown(state: ValidatorState, signed: SignedOperation): boolean {
  if (signed.operation.nonce < accountOf(state.ledger, signed.sender).nonce) return false;
  const { hashes } = state.environment;
  const id = hashes.operationId(signed);
  const reasonOperations = reasonsOf(state, nextSlot(state, signed.sender)).flatMap(operationsIn);
  return (
    state.slots.contents.has(hashes.value(hashes.operationValue(signed))) ||
    isCertified(state, signed) ||
    reasonOperations.some((reasonOperation) => hashes.operationId(reasonOperation) === id)
  );
}

/** Returns true if its nonce was used up before the oldest checkpoint kept here: its outcome is then unknown here. */
function isEvicted({ checkpoints: { states: bases } }: ValidatorState, submission: Submission): boolean {
  const [oldest] = bases.values();
  if (oldest === undefined) return false;
  const { account, nonce } = nonceOf(submission);
  return nonce < accountOf(oldest, account).nonce;
}

/** Checks a submission independently of the state: form, chain, signatures. */
function submissionFault(state: ValidatorState, submission: Submission): Refusal | undefined {
  const { environment } = state;
  const signed: readonly SignedOperation[] = isRecovery(submission)
    ? [submission.evidence.first, submission.evidence.second]
    : [submission];
  for (const operation of signed) {
    const fault = environment.rules.ledger.wellFormed(operation.operation, environment.genesis.chainId);
    if (fault !== undefined) return fault;
    const reason = authorshipFault(environment, operation);
    if (reason !== undefined) return { code: "validation_signature", reason };
  }
  return undefined;
}

/**
 * Returns why the entry validator does not admit a submission in its present state; `undefined` if it does, or did
 * already (protocol 4.2).
 */
export function admissionFault(state: ValidatorState, submission: Submission): Refusal | undefined {
  const id = idOf(state, submission);
  if (state.mempool.pending.has(id)) return undefined;
  const fault = submissionFault(state, submission);
  if (fault !== undefined) return fault;
  // Its nonce is used by itself: it waits for the slot of its effect, and only a restart or a transfer took it from here.
  if (state.ledger.authorisedKeys.has(id)) return undefined;
  const { ledger: rules } = state.environment.rules;
  if (isRecovery(submission))
    return refusalIn(rules.checkRecovery(state.ledger, submission, rules)) ?? queueFault(state, submission);
  return isShown(state, submission) ? queueFault(state, submission) : operationFault(state, submission, id);
}

/** Returns why a result is no acceptance: at admission nothing waits. */
function refusalIn(verdict: CheckResult): Refusal | undefined {
  if (verdict.answer === "accept") return undefined;
  return verdict.answer === "wait" ? verdict.missing : verdict.refusal;
}

/** Refuses at once what this validator's state and the sender's own queue cannot order or fund (protocol 4.2). */
function operationFault(state: ValidatorState, signed: SignedOperation, id: OperationId): Refusal | undefined {
  const { ledger: rules } = state.environment.rules;
  const { operation, sender } = signed;
  const admitted = state.mempool.digests.get(digestKey(state, signed));
  if (admitted !== undefined && admitted !== id) return { code: "business_signature_reused", pending: admitted };
  // Another reading of the same digest is not the sender's own (protocol 9.3).
  const competitor = pendingFor(state, sender, operation.nonce).find(
    ({ submission }) => !isSkip(submission) && digestKey(state, submission) !== digestKey(state, signed),
  );
  if (competitor !== undefined && operation.kind !== "cancellation") {
    return { code: "business_nonce_pending", nonce: operation.nonce, pending: competitor.id };
  }
  const full = queueFault(state, signed);
  if (full !== undefined) return full;
  const verdict = rules.check(state.ledger, barrierOf(state), signed, rules);
  if (
    verdict.answer === "wait" &&
    (isQueued(state, signed) || cancelsPending(state, signed, ({ disclosed }) => disclosed))
  )
    return queuedFault(state, signed);
  return refusalIn(verdict) ?? queueShortfall(state, signed);
}

/**
 * Returns the bound of the queue that leaves no room for one more submission (protocol 9.2). The first cancellation of
 * what a client submitted here needs none: there is one for each nonce.
 */
function queueFault(state: ValidatorState, submission: Submission): Refusal | undefined {
  const { account, nonce } = nonceOf(submission);
  const isExempt =
    cancelsPending(state, submission, ({ isEntry }) => isEntry) &&
    !pendingFor(state, account, nonce).some((entry) => entry.isEntry && isCancellation(entry.submission));
  const limit = isExempt ? undefined : queueLimit(state, account);
  return limit === undefined ? undefined : { code: "system_queue_full", limit };
}

/** Returns true if every nonce before this one is pending here. */
function isQueued(state: ValidatorState, { sender, operation }: SignedOperation): boolean {
  const { nonce } = accountOf(state.ledger, sender);
  if (operation.nonce === nonce) return false;
  for (let earlier = nonce; earlier < operation.nonce; earlier++) {
    if (operationsFor(state, sender, earlier as typeof nonce).length === 0) return false;
  }
  return true;
}

/** Checks an operation behind others of its sender, as if its nonce were next. */
function queuedFault(state: ValidatorState, signed: SignedOperation): Refusal | undefined {
  const { accounts } = state.ledger;
  const { ledger: rules } = state.environment.rules;
  const turnCome = { ...accountOf(state.ledger, signed.sender), nonce: signed.operation.nonce };
  const ledger = { ...state.ledger, accounts: accounts.set(signed.sender, turnCome) };
  return refusalIn(rules.check(ledger, barrierOf(state), signed, rules)) ?? queueShortfall(state, signed);
}

/** The sender's queue must be fundable together with the newcomer (protocol 4.2). */
function queueShortfall(state: ValidatorState, signed: SignedOperation): Refusal | undefined {
  const { operation, sender } = signed;
  if (!isSpending(operation)) return undefined;
  const { paymentFee } = state.environment.rules.ledger;
  const { fees } = state.ledger.parameters;
  const { token } = operation;
  let total = spentAmount(fees, operation, paymentFee);
  for (let nonce = accountOf(state.ledger, sender).nonce; nonce < operation.nonce; nonce++) {
    total += leastOf(
      queuedFor(state, sender, nonce).map(({ operation: earlier }) =>
        isSpending(earlier) && earlier.token === token ? spentAmount(fees, earlier, paymentFee) : 0n,
      ),
    );
  }
  const balance = balanceOf(state.ledger, sender, token);
  return total <= balance ? undefined : { code: "business_insufficient_funds", token, balance, need: total as Amount };
}

/**
 * Returns the operations of a nonce that their owner submitted here, or else those that others have shown: another reading
 * of a signature, which any peer can show, says nothing of what the queue takes.
 */
function queuedFor(state: ValidatorState, account: Address, nonce: Nonce): readonly SignedOperation[] {
  const submitted = operationsFor(state, account, nonce, ({ isEntry }) => isEntry);
  return submitted.length > 0 ? submitted : operationsFor(state, account, nonce);
}

/**
 * Returns why this validator refuses a pending operation of the next nonce. The reason follows from applied slots, so it
 * is final. `undefined` for one that it would vote for, that has to wait, or that may be locked already.
 */
export function barringRefusal(state: ValidatorState, submission: Submission): Refusal | undefined {
  if (isSkip(submission)) return undefined;
  const { account, nonce } = nonceOf(submission);
  if (nonce !== accountOf(state.ledger, account).nonce) return undefined;
  if (slotState(state, nextSlot(state, account)).lock !== undefined) return undefined;
  const { ledger: rules } = state.environment.rules;
  const verdict = rules.checkVote(state.ledger, [], submission, rules);
  return verdict.answer === "refuse" ? verdict.refusal : undefined;
}

/** Notifies the clients of an account's next nonce which of their disclosed operations a restriction bars. */
export function notifyBarred(context: StepContext, account: Address): void {
  const { state } = context;
  const { nonce } = accountOf(state.ledger, account);
  for (const { id, submission, disclosed } of pendingFor(state, account, nonce)) {
    const barred = disclosed ? barringRefusal(state, submission) : undefined;
    if (barred === undefined) continue;
    coverage(context, "barred while pending");
    replyTo(context, id, { status: "pending", barred });
  }
}
