/** Submissions that are not decided yet, by id and by the nonce that they want. */
import type { Address, Nonce } from "../base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../base/operation.ts";
import { digits } from "../base/slot.ts";
import { submissionId } from "../ledger/identity.ts";
import { accountOf } from "../ledger/state.ts";
import type { Turn } from "./agenda.ts";
import { PENDING, PENDING_PER_ACCOUNT } from "./limits.ts";
import { mark } from "./speak.ts";
import type { Pending, ValidatorState } from "./state.ts";

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

/** Keeps a submission, or learns more about one that is kept. */
export function keep(
  turn: Turn,
  submission: Submission,
  seen: { readonly shown: boolean; readonly asked: boolean },
): void {
  const { state } = turn;
  const id = idOf(state, submission);
  const known = state.pending.get(id);
  const shown = seen.shown || known?.shown === true;
  const asked = seen.asked || known?.asked === true;
  if (known !== undefined && known.shown === shown && known.asked === asked) return;
  const { account, nonce } = nonceOf(submission);
  if (known === undefined && !asked && queueLimit(state, account) !== undefined) {
    mark(turn, "queue full");
    return;
  }
  state.pending = state.pending.set(id, { submission: known?.submission ?? submission, shown, asked });
  state.pendingByNonce = state.pendingByNonce.set(pendingKey(account, nonce) + id, id);
  if (!isRecovery(submission)) {
    const key = digestKey(state, submission);
    if (!state.digests.has(key)) state.digests = state.digests.set(key, id);
  }
}

/** Others have shown this: it is pending here, too, unless its nonce is used up. */
export function takeSeen(turn: Turn, signed: SignedOperation): void {
  if (signed.operation.nonce >= accountOf(turn.state.ledger, signed.sender).nonce)
    keep(turn, signed, { shown: true, asked: false });
}

/** Others see these, or have: what is pending of them may take effect whatever becomes of it here (design 4.2). */
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

/** The bound that one more pending operation of an account would pass, if there is one. */
export function queueLimit(state: ValidatorState, account: Address): number | undefined {
  if (pendingOf(state, account).length >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  return state.pending.size >= PENDING ? PENDING : undefined;
}

function pendingKey(account: Address, nonce: Nonce): string {
  return `${account} ${digits(nonce)} `;
}
