/**
 * Submissions without an outcome, by id and by nonce, and the outcomes with the replies to their clients (protocol 4.2: no
 * failure is reported before it is certain).
 */
import { append } from "../../base/append.ts";
import type { Address, Epoch, Nonce } from "../../base/ids.ts";
import { MemoTable } from "../../base/memo-table.ts";
import {
  isCancellation,
  isRecovery,
  isSkip,
  type OperationId,
  type SignedOperation,
  type Submission,
} from "../../base/operation.ts";
import type { Receipt, Refusal } from "../../base/refusal.ts";
import { paddedNumber } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { submissionId } from "../../ledger/identity.ts";
import { accountOf, type LedgerState, nonceLookup } from "../../ledger/state.ts";
import type { Decision } from "../content.ts";
import { DISCLOSED_PER_NONCE, PENDING_PER_ACCOUNT, SUBSCRIBERS } from "../limits.ts";
import type { ClientName } from "../message.ts";
import type { Reply } from "../output.ts";
import { nextSlot } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, replyTo, type StepContext } from "../step-context.ts";
import type { Outcome, PendingSubmission } from "../sub-states.ts";
import { charge, submissionSize } from "./budget.ts";

/** Returns the id of a submission. */
export function idOf(state: ValidatorState, submission: Submission): OperationId {
  return submissionId(submission, state.environment.hashes.operationId);
}

/** Returns the account and nonce that a submission uses. */
export function nonceOf(submission: Submission): { readonly account: Address; readonly nonce: Nonce } {
  return isRecovery(submission)
    ? { account: submission.account, nonce: submission.nonce }
    : { account: submission.sender, nonce: submission.operation.nonce };
}

/**
 * Adds a submission, or updates a known one. A disclosed one needs room in the budget of its sender, else it is dropped;
 * so is the fifth of its nonce, and one whose nonce is used up and that waits for no slot: nothing would remove it again.
 * O(log n) in all that is pending, and linear in what is pending for its nonce.
 */
export function addPending(
  context: StepContext,
  submission: Submission,
  flags: Pick<PendingSubmission, "disclosed" | "isEntry">,
): void {
  const { state } = context;
  const id = idOf(state, submission);
  const pending = state.mempool.pending.get(id);
  if (pending !== undefined) {
    mergePending(state, pending, flags);
    return;
  }
  const { account, nonce } = nonceOf(submission);
  if (nonce < accountOf(state.ledger, account).nonce && !state.ledger.authorisedKeys.has(id)) return;
  const { disclosed, isEntry } = flags;
  if (!isEntry && !hasRoom(context, submission, id)) return;
  storePending(state, { id, account, nonce, submission, disclosed, isEntry });
  if (isEntry) countEntry(state, submission, id);
}

function hasRoom(context: StepContext, submission: Submission, id: OperationId): boolean {
  const { account, nonce } = nonceOf(submission);
  const disclosed = pendingOf(context.state, account).filter(({ isEntry }) => !isEntry);
  const sameKind = disclosed.filter(
    (entry) => entry.nonce === nonce && isSkip(entry.submission) === isSkip(submission),
  );
  if (disclosed.length < PENDING_PER_ACCOUNT && sameKind.length < DISCLOSED_PER_NONCE)
    return charge(context, { of: "pending", id }, submissionSize(submission));
  coverage(context, "queue full");
  return false;
}

/** Stores a pending entry in the place of an earlier one of its id. */
function storePending(state: ValidatorState, entry: PendingSubmission): void {
  const { mempool } = state;
  mempool.pending.set(entry.id, entry);
  const pending = pendingOf(state, entry.account);
  const at = pending.findIndex(
    (listed) => listed.nonce > entry.nonce || (listed.nonce === entry.nonce && listed.id >= entry.id),
  );
  const replaced = pending[at]?.id === entry.id ? 1 : 0;
  mempool.pendingByAccount.set(entry.account, at < 0 ? append(pending, entry) : pending.toSpliced(at, replaced, entry));
}

/** Counts a submission of a client, and records the kind under which its digest is admitted here (protocol 9.3). */
function countEntry(state: ValidatorState, submission: Submission, id: OperationId): void {
  state.mempool.entryCount += 1;
  if (isRecovery(submission)) return;
  const key = digestKey(state, submission);
  if (!state.mempool.digests.has(key)) state.mempool.digests.set(key, id);
}

/** A submission of a client here is never evicted, even if it was disclosed before. */
function mergePending(
  state: ValidatorState,
  pending: PendingSubmission,
  flags: Pick<PendingSubmission, "disclosed" | "isEntry">,
): void {
  const disclosed = flags.disclosed || pending.disclosed;
  const isEntry = flags.isEntry || pending.isEntry;
  if (pending.disclosed === disclosed && pending.isEntry === isEntry) return;
  if (isEntry && !pending.isEntry) countEntry(state, pending.submission, pending.id);
  storePending(state, { ...pending, disclosed, isEntry });
}

/**
 * Returns true for a cancellation of a nonce for which such an operation is pending here: one that a client submitted here
 * has room for it in a full queue, and one that peers may know keeps it behind a gap.
 */
export function cancelsPending(
  state: ValidatorState,
  submission: Submission,
  isSuch: (pending: PendingSubmission) => boolean,
): boolean {
  const { account, nonce } = nonceOf(submission);
  if (!isCancellation(submission)) return false;
  return pendingFor(state, account, nonce).some((pending) => isSuch(pending) && !isSkip(pending.submission));
}

/** Makes a disclosed operation pending here, unless its nonce is used up. */
export function receiveDisclosed(context: StepContext, signed: SignedOperation): void {
  if (signed.operation.nonce >= accountOf(context.state.ledger, signed.sender).nonce)
    addPending(context, signed, { disclosed: true, isEntry: false });
}

/** Marks pending operations as disclosed: they may take effect independently of this validator (protocol 4.2). */
export function setDisclosed(context: StepContext, operations: readonly SignedOperation[]): void {
  const { state } = context;
  for (const signed of operations) {
    if (state.mempool.pending.has(state.environment.hashes.operationId(signed)))
      addPending(context, signed, { disclosed: true, isEntry: false });
  }
}

/** One digest may be signed by several accounts, as when they pay one payee alike: the sender is part of the key. */
export function digestKey(state: ValidatorState, signed: SignedOperation): string {
  return `${signed.sender} ${paddedNumber(signed.operation.nonce)} ${state.environment.hashes.digest(signed.operation)}`;
}

/** Forgets under which kind an operation was admitted that is refused or void: another reading of its digest may be. */
export function forgetDigest(state: ValidatorState, { id, submission }: PendingSubmission): void {
  if (isRecovery(submission)) return;
  const key = digestKey(state, submission);
  if (state.mempool.digests.get(key) === id) state.mempool.digests.delete(key);
}

/** Removes a submission that has an outcome. */
export function removePending({ state }: StepContext, id: OperationId): void {
  const { mempool } = state;
  const pending = mempool.pending.get(id);
  if (pending === undefined) return;
  const { account, isEntry } = pending;
  if (isEntry) mempool.entryCount -= 1;
  mempool.pending.delete(id);
  const remaining = pendingOf(state, account).filter((entry) => entry !== pending);
  if (remaining.length === 0) mempool.pendingByAccount.delete(account);
  else mempool.pendingByAccount.set(account, remaining);
}

/** Returns the pending submissions of a nonce, by id. */
export function pendingFor(state: ValidatorState, account: Address, nonce: Nonce): readonly PendingSubmission[] {
  const entries = pendingOf(state, account);
  return entries.length === 0 ? entries : entries.filter((submission) => submission.nonce === nonce);
}

/** Returns the pending submissions of an account, by nonce. */
export function pendingOf({ mempool }: ValidatorState, account: Address): readonly PendingSubmission[] {
  return mempool.pendingByAccount.get(account) ?? NOBODY;
}

const NOBODY: readonly PendingSubmission[] = [];

/** Returns the signed operations pending for a nonce, or some of them, without cancellations. */
export function operationsFor(
  state: ValidatorState,
  account: Address,
  nonce: Nonce,
  accepts: (entry: PendingSubmission) => boolean = () => true,
): readonly SignedOperation[] {
  return pendingFor(state, account, nonce).flatMap((entry) =>
    isSkip(entry.submission) || !accepts(entry) ? [] : [entry.submission],
  );
}

/** Returns the bound that one more submission of an account would exceed at this entry validator, or `undefined`. */
export function queueLimit(state: ValidatorState, account: Address): number | undefined {
  return state.environment.rules.validator.exceededLimit({
    submitted: state.mempool.entryCount,
    disclosed: state.mempool.pending.size - state.mempool.entryCount,
    submittedByAccount: pendingOf(state, account).filter(({ isEntry }) => isEntry).length,
    untilEpochEnd: state.ledger.parameters.checkpoints === undefined ? state.sync.log.size : 0,
  });
}

/** Drops what is kept of nonces that are used up in a checkpoint's state. */
export function dropUsedNonces({ mempool }: ValidatorState, base: LedgerState): void {
  mempool.digests.deleteWhere((key) => {
    const [account = "", nonce = ""] = key.split(" ");
    return Number(nonce) < accountOf(base, account as Address).nonce;
  });
}

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

/**
 * Returns true if a certificate that is here names an operation in its account's next slot: a quorum has seen it, though its
 * content may be under way.
 */
export function isCertified(state: ValidatorState, signed: SignedOperation): boolean {
  const { lock, decided } = slotState(state, nextSlot(state, signed.sender));
  if (lock === undefined && decided === undefined) return false;
  const { hashes } = state.environment;
  const value = hashes.value(hashes.operationValue(signed));
  return lock?.value === value || decided?.value === value;
}

/** Refuses an undisclosed operation: its client may sign another one (protocol 4.2). */
export function finishUndisclosed(context: StepContext, id: OperationId, refusal: Refusal): void {
  const pending = context.state.mempool.pending.get(id);
  if (pending === undefined || pending.disclosed) return;
  if (!isRecovery(pending.submission) && isCertified(context.state, pending.submission)) {
    addPending(context, pending.submission, { disclosed: true, isEntry: false });
    return;
  }
  finishRefused(context, pending, refusal);
  const { account, nonce } = pending;
  if (operationsFor(context.state, account, nonce).length === 0) finishQueue(context, account, nonce);
}

/** Refuses a pending submission; the reply says if another validator may have seen it. */
export function finishRefused(context: StepContext, pending: PendingSubmission, refusal: Refusal): void {
  const { id, disclosed } = pending;
  if (!disclosed) coverage(context, "refused undisclosed");
  forgetDigest(context.state, pending);
  answerLast(context, id, { status: "refused", refusal, disclosed });
}

/**
 * Operations queued behind a nonce that has no pending operation any more cannot be ordered either. A cancellation stays
 * while an operation that it cancels, and that peers may know, is pending here (protocol 4.2).
 */
function finishQueue(context: StepContext, account: Address, expected: Nonce): void {
  for (const pending of pendingOf(context.state, account)) {
    const { nonce: got, disclosed, submission } = pending;
    if (got > expected && !disclosed && !cancelsPending(context.state, submission, (other) => other.disclosed))
      finishRefused(context, pending, { code: "business_nonce_gap", expected, got });
  }
}

/** Records that its epoch closed without it: the client may submit the same again (protocol 6.3). */
export function finishVoid(context: StepContext, pending: PendingSubmission, epoch: Epoch): void {
  forgetDigest(context.state, pending);
  answerLast(context, pending.id, { status: "void", epoch });
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
  const subscribers = mempool.subscribers.get(id) ?? [];
  if (subscribers.includes(client)) return true;
  if (subscribers.length >= SUBSCRIBERS) {
    coverage(context, "queue full");
    const refusal: Refusal = { code: "system_queue_full", limit: SUBSCRIBERS };
    const reply = { status: "refused", refusal, disclosed: mempool.pending.has(id) } as const;
    context.outputs.push({ type: "reply", client, id, reply });
    return false;
  }
  mempool.subscribers.set(id, subscribers.length === 0 ? [client] : [...subscribers, client].sort());
  return true;
}

/** Drops the outcomes of operations whose nonces are used up in `oldest`, the oldest checkpoint that is kept. */
export function dropOutcomes({ mempool }: ValidatorState, oldest: LedgerState): void {
  const nextNonce = nonceLookup(oldest);
  mempool.outcomes.deleteWhere(
    (id, { account, nonce }) => nonce < nextNonce(account) && !oldest.authorisedKeys.has(id),
  );
}
