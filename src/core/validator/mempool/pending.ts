/** Submissions without an outcome, by id and by nonce. */
import { required } from "../../base/assert.ts";
import type { Address, Nonce } from "../../base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../../base/operation.ts";
import { paddedNumber } from "../../base/slot.ts";
import { submissionId } from "../../ledger/identity.ts";
import { accountOf, type LedgerState } from "../../ledger/state.ts";
import { DISCLOSED, DISCLOSED_PER_NONCE, EVICTED_ACCOUNTS, EVICTION_TRIES, PENDING_PER_ACCOUNT } from "../limits.ts";
import type { ValidatorState } from "../state.ts";
import { coverage, type StepContext } from "../step-context.ts";
import type { Pending, PendingCounts } from "../sub-states.ts";
import { type EvictionPriority, evictionPriority } from "./bounds.ts";

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
 * Adds a submission, or updates a known one. A disclosed one needs room in its queue, else it is dropped. O(log n) in
 * all that is pending, and linear in what is pending for its nonce.
 */
export function addPending(
  context: StepContext,
  submission: Submission,
  seen: { readonly disclosed: boolean; readonly isEntry: boolean },
): void {
  const { state } = context;
  const id = idOf(state, submission);
  const known = state.mempool.pending.get(id);
  if (known !== undefined) {
    learn(state, id, known, seen);
    return;
  }
  const { account, nonce } = nonceOf(submission);
  const competitors = pendingFor(state, account, nonce).map(([, other]) => other);
  const alike = competitors.filter(
    (other) => !other.isEntry && isOperation(other.submission) === isOperation(submission),
  );
  const spare = alike.length >= DISCLOSED_PER_NONCE;
  const isSafe = seen.isEntry || isCancellationOf(submission, competitors);
  const queueKey = isSafe ? undefined : findQueueKey(context, { submission, isSurplus: spare }, competitors);
  if (!isSafe && queueKey === undefined) {
    coverage(context, "queue full");
    noteEvicted(state, submission);
    return;
  }
  state.mempool.pending = state.mempool.pending.set(id, { submission, ...seen, queueKey, isSurplus: spare });
  state.mempool.pendingByNonce = state.mempool.pendingByNonce.set(pendingKey(account, nonce) + id, id);
  if (queueKey !== undefined) state.mempool.evictable = state.mempool.evictable.set(queueKey, id);
  count(state, account, seen.isEntry ? { submitted: 1, disclosed: 0 } : { submitted: 0, disclosed: 1 });
  if (seen.isEntry) noteReading(state, submission, id);
}

/** Records the kind under which a signed digest is admitted here; a disclosed reading admits nothing (protocol 9.5). */
function noteReading(state: ValidatorState, submission: Submission, id: OperationId): void {
  if (isRecovery(submission)) return;
  const key = digestKey(state, submission);
  if (!state.mempool.digests.has(key)) state.mempool.digests = state.mempool.digests.set(key, id);
}

/** A submission of a client here is never evicted, even if it was disclosed before. */
function learn(
  state: ValidatorState,
  id: OperationId,
  known: Pending,
  seen: { readonly disclosed: boolean; readonly isEntry: boolean },
): void {
  const isDisclosed = seen.disclosed || known.disclosed;
  const asked = seen.isEntry || known.isEntry;
  if (known.disclosed === isDisclosed && known.isEntry === asked) return;
  if (asked && !known.isEntry) {
    count(state, nonceOf(known.submission).account, { submitted: 1, disclosed: -1 });
    noteReading(state, known.submission, id);
  }
  if (asked && known.queueKey !== undefined) state.mempool.evictable = state.mempool.evictable.delete(known.queueKey);
  state.mempool.pending = state.mempool.pending.set(id, {
    ...known,
    disclosed: isDisclosed,
    isEntry: asked,
    queueKey: asked ? undefined : known.queueKey,
  });
}

/**
 * Returns true if a submission cancels a nonce for which an operation is admitted here: its owner can always cancel
 * that.
 */
function isCancellationOf(submission: Submission, competitors: readonly Pending[]): boolean {
  return isCancellation(submission) && competitors.some((other) => other.isEntry && isOperation(other.submission));
}

/** Returns true if a full queue still takes the submission, because it cancels an admitted operation. */
export function cancelsAdmitted(state: ValidatorState, submission: Submission): boolean {
  const { account, nonce } = nonceOf(submission);
  return isCancellationOf(
    submission,
    pendingFor(state, account, nonce).map(([, other]) => other),
  );
}

function isCancellation(submission: Submission): boolean {
  return !isRecovery(submission) && submission.operation.kind === "cancellation";
}

function isOperation(submission: Submission): boolean {
  return !isRecovery(submission) && submission.operation.kind !== "cancellation";
}

type Candidate = Pick<Pending, "submission" | "isSurplus">;

/**
 * Returns a key in the queue of disclosed operations; `undefined` if the newcomer would evict one of equal priority.
 */
function findQueueKey(context: StepContext, newcomer: Candidate, competitors: readonly Pending[]): string | undefined {
  const { state } = context;
  const { account } = nonceOf(newcomer.submission);
  if (tallyOf(state, account).disclosed >= PENDING_PER_ACCOUNT) return undefined;
  const worth = currentPriority(state, newcomer, competitors);
  if (state.mempool.evictable.size >= DISCLOSED && !evictBelow(context, worth)) return undefined;
  return nextQueueKey(state, worth);
}

function currentPriority(
  state: ValidatorState,
  { submission, isSurplus: spare }: Candidate,
  competitors: readonly Pending[],
): EvictionPriority {
  if (spare) return 0;
  return evictionPriority(
    state,
    submission,
    competitors.map((other) => other.submission),
  );
}

function nextQueueKey(state: ValidatorState, worth: EvictionPriority): string {
  state.mempool.queueKeys += 1;
  return `${worth} ${paddedNumber(state.mempool.queueKeys)}`;
}

/**
 * Evicts one operation of lower priority than a newcomer, the oldest of the lowest priority first. Priority changes
 * with balances and nonces, so each is evaluated again, and moves to the back of its priority if it stays. Examines at
 * most EVICTION_TRIES entries: a dropped operation is disclosed again.
 */
function evictBelow(context: StepContext, worth: EvictionPriority): boolean {
  const { state } = context;
  for (let tries = 0; tries < EVICTION_TRIES && worth > 0; tries++) {
    const [first] = state.mempool.evictable.entries();
    const [queueKey, id] = required(first, "an entry of a full queue");
    const entry = required(state.mempool.pending.get(id), `pending operation ${id}`);
    const { account, nonce } = nonceOf(entry.submission);
    const competitors = pendingFor(state, account, nonce).map(([, other]) => other);
    const now = currentPriority(state, entry, competitors);
    if (now < worth) {
      evict(context, id, entry);
      return true;
    }
    const moved = nextQueueKey(state, now);
    state.mempool.evictable = state.mempool.evictable.delete(queueKey).set(moved, id);
    state.mempool.pending = state.mempool.pending.set(id, { ...entry, queueKey: moved });
  }
  return false;
}

function evict(context: StepContext, id: OperationId, { submission }: Pending): void {
  const { state } = context;
  coverage(context, "queue full");
  noteEvicted(state, submission);
  removePending(context, id);
}

function noteEvicted(state: ValidatorState, submission: Submission): void {
  if (state.mempool.evicted.size >= EVICTED_ACCOUNTS) return;
  const { account, nonce } = nonceOf(submission);
  if (nonce > (state.mempool.evicted.get(account) ?? -1))
    state.mempool.evicted = state.mempool.evicted.set(account, nonce);
}

/**
 * Returns true if others may hold a submission that was disclosed here and evicted since. The record ends only with the
 * nonce: offers name no epoch, so copies of others outlive an epoch. A restart begins anew, as with all disclosed
 * operations.
 */
export function mayHaveBeenEvicted({ mempool: { evicted } }: ValidatorState, account: Address, nonce: Nonce): boolean {
  return evicted.size >= EVICTED_ACCOUNTS || nonce <= (evicted.get(account) ?? -1);
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

/** Records a disclosed operation that an epoch's end made void: peers may relay it in the next epoch. */
export function noteVoid(
  { state }: StepContext,
  id: OperationId,
  { submission, disclosed: isDisclosed }: Pending,
): void {
  if (isDisclosed) state.mempool.voided = state.mempool.voided.set(voidedKey(submission, id), true);
}

/** Returns true if a submission was disclosed before its epoch closed without it. */
export function wasDisclosed(state: ValidatorState, submission: Submission, id: OperationId): boolean {
  return state.mempool.voided.has(voidedKey(submission, id));
}

function voidedKey(submission: Submission, id: OperationId): string {
  const { account, nonce } = nonceOf(submission);
  return pendingKey(account, nonce) + id;
}

/** One digest may be signed by several accounts, as when they pay one payee alike: the sender is part of the key. */
export function digestKey(state: ValidatorState, signed: SignedOperation): string {
  return `${signed.sender} ${paddedNumber(signed.operation.nonce)} ${state.environment.hashes.digest(signed.operation)}`;
}

/** Removes a submission that has an outcome. */
export function removePending(context: StepContext, id: OperationId): void {
  const { state } = context;
  const known = state.mempool.pending.get(id);
  if (known === undefined) return;
  const { account, nonce } = nonceOf(known.submission);
  count(state, account, known.isEntry ? { submitted: -1, disclosed: 0 } : { submitted: 0, disclosed: -1 });
  if (known.queueKey !== undefined) state.mempool.evictable = state.mempool.evictable.delete(known.queueKey);
  state.mempool.pending = state.mempool.pending.delete(id);
  state.mempool.pendingByNonce = state.mempool.pendingByNonce.delete(pendingKey(account, nonce) + id);
}

/** Returns the pending submissions of a nonce, by id. */
export function pendingFor(
  state: ValidatorState,
  account: Address,
  nonce: Nonce,
): readonly (readonly [OperationId, Pending])[] {
  return entriesOf(state, pendingKey(account, nonce));
}

/** Returns the pending submissions of an account, by nonce. */
export function pendingOf(state: ValidatorState, account: Address): readonly (readonly [OperationId, Pending])[] {
  return entriesOf(state, `${account} `);
}

function entriesOf(state: ValidatorState, prefix: string): readonly (readonly [OperationId, Pending])[] {
  return state.mempool.pendingByNonce.within(prefix).map(([, id]) => [id, state.mempool.pending.get(id) as Pending]);
}

/** Operations of one nonce that an account's owner signed and that are pending here. */
export interface NonceCandidates {
  /** Without cancellations. */
  readonly operations: readonly SignedOperation[];
  readonly cancellation: SignedOperation | undefined;
}

/** Returns the pending operations of an account's nonce. */
export function candidatesFor(state: ValidatorState, account: Address, nonce: Nonce): NonceCandidates {
  const operations: SignedOperation[] = [];
  let cancellation: SignedOperation | undefined;
  for (const [, { submission }] of pendingFor(state, account, nonce)) {
    if (isRecovery(submission)) continue;
    if (submission.operation.kind !== "cancellation") operations.push(submission);
    else cancellation ??= submission;
  }
  return { operations, cancellation };
}

/** Returns the signed operations pending for a nonce, without cancellations. */
export function operationsFor(state: ValidatorState, account: Address, nonce: Nonce): readonly SignedOperation[] {
  return candidatesFor(state, account, nonce).operations;
}

/** Returns the bound that one more submission of an account would exceed at this entry validator, or `undefined`. */
export function queueLimit(state: ValidatorState, account: Address): number | undefined {
  const {
    mempool: { entryCount: asked, evictable: seen },
    environment,
  } = state;
  const askedOfAccount = tallyOf(state, account).submitted;
  return environment.rules.validator.exceededLimit({
    submitted: asked,
    disclosed: seen.size,
    submittedByAccount: askedOfAccount,
  });
}

const NOTHING: PendingCounts = { submitted: 0, disclosed: 0 };

function tallyOf(state: ValidatorState, account: Address): PendingCounts {
  return state.mempool.pendingCounts.get(account) ?? NOTHING;
}

/** Adds to the counts of an account; one without entries has none. */
function count(state: ValidatorState, account: Address, { submitted: asked, disclosed: seen }: PendingCounts): void {
  const known = tallyOf(state, account);
  const sum = { submitted: known.submitted + asked, disclosed: known.disclosed + seen };
  state.mempool.entryCount += asked;
  state.mempool.pendingCounts =
    sum.submitted + sum.disclosed === 0
      ? state.mempool.pendingCounts.delete(account)
      : state.mempool.pendingCounts.set(account, sum);
}

function pendingKey(account: Address, nonce: Nonce): string {
  return `${account} ${paddedNumber(nonce)} `;
}

/** Drops what is kept of nonces that are used up in a checkpoint's state. */
export function dropUsedNonces({ mempool }: ValidatorState, base: LedgerState): void {
  // A full record of evictions stands for every account, and stays.
  if (mempool.evicted.size < EVICTED_ACCOUNTS) {
    for (const [account, nonce] of mempool.evicted.entries()) {
      if (nonce < accountOf(base, account as Address).nonce) mempool.evicted = mempool.evicted.delete(account);
    }
  }
  for (const [key] of mempool.digests.entries()) if (isUsedUp(base, key)) mempool.digests = mempool.digests.delete(key);
  for (const [key] of mempool.voided.entries()) if (isUsedUp(base, key)) mempool.voided = mempool.voided.delete(key);
}

/** Returns true if a state has used up the nonce of a key `<account> <nonce> ...`. */
export function isUsedUp(base: LedgerState, key: string): boolean {
  const [account = "", nonce = ""] = key.split(" ");
  return Number(nonce) < accountOf(base, account as Address).nonce;
}
