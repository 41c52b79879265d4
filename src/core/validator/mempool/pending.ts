/** Submissions that are not decided yet, by id and by the nonce that they want. */
import { present } from "../../base/assert.ts";
import type { Address, Nonce } from "../../base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../../base/operation.ts";
import { digits } from "../../base/slot.ts";
import { submissionId } from "../../ledger/identity.ts";
import { accountOf } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { EVICTED_ACCOUNTS, EVICTION_TRIES, PENDING_PER_ACCOUNT, SEEN, SEEN_PER_NONCE } from "../limits.ts";
import { mark } from "../speak.ts";
import type { Pending, Tally, ValidatorState } from "../state.ts";
import { type Worth, worthOf } from "./worth.ts";

/** The id of a submission. */
export function idOf(state: ValidatorState, submission: Submission): OperationId {
  return submissionId(submission, state.environment.hashes.operationId);
}

/** Whose nonce a submission wants. */
export function nonceOf(submission: Submission): { readonly account: Address; readonly nonce: Nonce } {
  return isRecovery(submission)
    ? { account: submission.account, nonce: submission.nonce }
    : { account: submission.sender, nonce: submission.operation.nonce };
}

/**
 * Keeps a submission, or learns more about one that is kept. One that others disclosed needs room in their queue; without
 * room it is not kept. O(log n) in all that is pending, and linear in what is pending for its nonce.
 */
export function keep(
  turn: Turn,
  submission: Submission,
  seen: { readonly shown: boolean; readonly asked: boolean },
): void {
  const { state } = turn;
  const id = idOf(state, submission);
  const known = state.pending.get(id);
  if (known !== undefined) {
    learn(state, id, known, seen);
    return;
  }
  const { account, nonce } = nonceOf(submission);
  const rivals = pendingFor(state, account, nonce).map(([, other]) => other);
  const alike = rivals.filter((other) => !other.asked && isOperation(other.submission) === isOperation(submission));
  const spare = alike.length >= SEEN_PER_NONCE;
  const isSafe = seen.asked || isCancellationOf(submission, rivals);
  const place = isSafe ? undefined : findPlace(turn, { submission, spare }, rivals);
  if (!isSafe && place === undefined) {
    mark(turn, "queue full");
    noteEvicted(state, submission);
    return;
  }
  state.pending = state.pending.set(id, { submission, ...seen, place, spare });
  state.pendingByNonce = state.pendingByNonce.set(pendingKey(account, nonce) + id, id);
  if (place !== undefined) state.seen = state.seen.set(place, id);
  count(state, account, seen.asked ? { asked: 1, seen: 0 } : { asked: 0, seen: 1 });
  if (seen.asked) noteReading(state, submission, id);
}

/** The kind under which a signed digest is admitted here; one that others read otherwise admits nothing (protocol 9.5). */
function noteReading(state: ValidatorState, submission: Submission, id: OperationId): void {
  if (isRecovery(submission)) return;
  const key = digestKey(state, submission);
  if (!state.digests.has(key)) state.digests = state.digests.set(key, id);
}

/** A submission of a client here is never evicted, wherever it was seen before. */
function learn(
  state: ValidatorState,
  id: OperationId,
  known: Pending,
  seen: { readonly shown: boolean; readonly asked: boolean },
): void {
  const shown = seen.shown || known.shown;
  const asked = seen.asked || known.asked;
  if (known.shown === shown && known.asked === asked) return;
  if (asked && !known.asked) {
    count(state, nonceOf(known.submission).account, { asked: 1, seen: -1 });
    noteReading(state, known.submission, id);
  }
  if (asked && known.place !== undefined) state.seen = state.seen.delete(known.place);
  state.pending = state.pending.set(id, { ...known, shown, asked, place: asked ? undefined : known.place });
}

/** True if a submission cancels a nonce for which an operation is admitted here: its owner can always cancel that. */
function isCancellationOf(submission: Submission, rivals: readonly Pending[]): boolean {
  return isCancellation(submission) && rivals.some((other) => other.asked && isOperation(other.submission));
}

/** True if the room that a full queue lacks is not needed: the submission cancels what is admitted here. */
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

type Candidate = Pick<Pending, "submission" | "spare">;

/** A place in the queue of what others disclosed; `undefined` where the newcomer would push out what is worth as much. */
function findPlace(turn: Turn, newcomer: Candidate, rivals: readonly Pending[]): string | undefined {
  const { state } = turn;
  const { account } = nonceOf(newcomer.submission);
  if (tallyOf(state, account).seen >= PENDING_PER_ACCOUNT) return undefined;
  const worth = worthNow(state, newcomer, rivals);
  if (state.seen.size >= SEEN && !evictBelow(turn, worth)) return undefined;
  return nextPlace(state, worth);
}

function worthNow(state: ValidatorState, { submission, spare }: Candidate, rivals: readonly Pending[]): Worth {
  if (spare) return 0;
  return worthOf(
    state,
    submission,
    rivals.map((other) => other.submission),
  );
}

function nextPlace(state: ValidatorState, worth: Worth): string {
  state.places += 1;
  return `${worth} ${digits(state.places)}`;
}

/**
 * Evicts one operation that is worth less than a newcomer, the oldest of the cheapest ones first. Worth changes with
 * balances and nonces, so each is judged again, and goes to the back of those of its worth where it stays. Looks at
 * EVICTION_TRIES entries at most: what is not kept is disclosed again.
 */
function evictBelow(turn: Turn, worth: Worth): boolean {
  const { state } = turn;
  for (let tries = 0; tries < EVICTION_TRIES && worth > 0; tries++) {
    const [first] = state.seen.entries();
    const [place, id] = present(first, "an entry of a full queue");
    const entry = present(state.pending.get(id), `pending operation ${id}`);
    const { account, nonce } = nonceOf(entry.submission);
    const rivals = pendingFor(state, account, nonce).map(([, other]) => other);
    const now = worthNow(state, entry, rivals);
    if (now < worth) {
      evict(turn, id, entry);
      return true;
    }
    const moved = nextPlace(state, now);
    state.seen = state.seen.delete(place).set(moved, id);
    state.pending = state.pending.set(id, { ...entry, place: moved });
  }
  return false;
}

function evict(turn: Turn, id: OperationId, { submission }: Pending): void {
  const { state } = turn;
  mark(turn, "queue full");
  noteEvicted(state, submission);
  forget(turn, id);
}

function noteEvicted(state: ValidatorState, submission: Submission): void {
  if (state.evicted.size >= EVICTED_ACCOUNTS) return;
  const { account, nonce } = nonceOf(submission);
  if (nonce > (state.evicted.get(account) ?? -1)) state.evicted = state.evicted.set(account, nonce);
}

/**
 * Whether others may hold a submission that was disclosed here and evicted since. Never forgotten but with the nonce:
 * offers name no epoch, so what others hold outlives an epoch. A restart begins anew, as with all that was disclosed.
 */
export function mayBeEvicted({ evicted }: ValidatorState, account: Address, nonce: Nonce): boolean {
  return evicted.size >= EVICTED_ACCOUNTS || nonce <= (evicted.get(account) ?? -1);
}

/** Others have shown this: it is pending here, too, unless its nonce is used up. */
export function takeSeen(turn: Turn, signed: SignedOperation): void {
  if (signed.operation.nonce >= accountOf(turn.state.ledger, signed.sender).nonce)
    keep(turn, signed, { shown: true, asked: false });
}

/** Others see these, or have: what is pending of them may take effect whatever becomes of it here (protocol 4.2). */
export function noteShown(turn: Turn, operations: readonly SignedOperation[]): void {
  const { state } = turn;
  for (const signed of operations) {
    if (state.pending.has(state.environment.hashes.operationId(signed)))
      keep(turn, signed, { shown: true, asked: false });
  }
}

/** An epoch's end makes these void, and the next epoch may take them up all the same where others have seen them. */
export function noteVoid({ state }: Turn, id: OperationId, { submission, shown }: Pending): void {
  if (shown) state.voided = state.voided.set(voidedKey(submission, id), true);
}

/** Whether others had seen a submission before its epoch closed without it. */
export function wasShown(state: ValidatorState, submission: Submission, id: OperationId): boolean {
  return state.voided.has(voidedKey(submission, id));
}

function voidedKey(submission: Submission, id: OperationId): string {
  const { account, nonce } = nonceOf(submission);
  return pendingKey(account, nonce) + id;
}

/** One digest may be signed by several accounts, as when they pay one payee alike: the sender is part of the key. */
export function digestKey(state: ValidatorState, signed: SignedOperation): string {
  return `${signed.sender} ${digits(signed.operation.nonce)} ${state.environment.hashes.digest(signed.operation)}`;
}

/** Forgets a submission that has ended. */
export function forget(turn: Turn, id: OperationId): void {
  const { state } = turn;
  const known = state.pending.get(id);
  if (known === undefined) return;
  const { account, nonce } = nonceOf(known.submission);
  count(state, account, known.asked ? { asked: -1, seen: 0 } : { asked: 0, seen: -1 });
  if (known.place !== undefined) state.seen = state.seen.delete(known.place);
  state.pending = state.pending.delete(id);
  state.pendingByNonce = state.pendingByNonce.delete(pendingKey(account, nonce) + id);
}

/** What is pending for a nonce, by id. */
export function pendingFor(
  state: ValidatorState,
  account: Address,
  nonce: Nonce,
): readonly (readonly [OperationId, Pending])[] {
  return entriesOf(state, pendingKey(account, nonce));
}

/** All that is pending of an account, by nonce. */
export function pendingOf(state: ValidatorState, account: Address): readonly (readonly [OperationId, Pending])[] {
  return entriesOf(state, `${account} `);
}

function entriesOf(state: ValidatorState, prefix: string): readonly (readonly [OperationId, Pending])[] {
  return state.pendingByNonce.within(prefix).map(([, id]) => [id, state.pending.get(id) as Pending]);
}

/** What an account's owner has signed for a nonce and is pending here. */
export interface Wanted {
  /** Without cancellations. */
  readonly operations: readonly SignedOperation[];
  readonly cancellation: SignedOperation | undefined;
}

/** What the owner wants with a nonce, as far as it is pending here. */
export function wantedFor(state: ValidatorState, account: Address, nonce: Nonce): Wanted {
  const operations: SignedOperation[] = [];
  let cancellation: SignedOperation | undefined;
  for (const [, { submission }] of pendingFor(state, account, nonce)) {
    if (isRecovery(submission)) continue;
    if (submission.operation.kind !== "cancellation") operations.push(submission);
    else cancellation ??= submission;
  }
  return { operations, cancellation };
}

/** The signed operations pending for a nonce, without cancellations. */
export function operationsFor(state: ValidatorState, account: Address, nonce: Nonce): readonly SignedOperation[] {
  return wantedFor(state, account, nonce).operations;
}

/** The bound that one more submission of an account would pass at this entry validator, if there is one. */
export function queueLimit(state: ValidatorState, account: Address): number | undefined {
  const { asked, seen, environment } = state;
  const askedOfAccount = tallyOf(state, account).asked;
  return environment.rules.validator.fullQueue({ asked, seen: seen.size, askedOfAccount });
}

const NOTHING: Tally = { asked: 0, seen: 0 };

function tallyOf(state: ValidatorState, account: Address): Tally {
  return state.tallies.get(account) ?? NOTHING;
}

/** Adds to the tallies of an account; one without entries has none. */
function count(state: ValidatorState, account: Address, { asked, seen }: Tally): void {
  const known = tallyOf(state, account);
  const sum = { asked: known.asked + asked, seen: known.seen + seen };
  state.asked += asked;
  state.tallies = sum.asked + sum.seen === 0 ? state.tallies.delete(account) : state.tallies.set(account, sum);
}

function pendingKey(account: Address, nonce: Nonce): string {
  return `${account} ${digits(nonce)} `;
}
