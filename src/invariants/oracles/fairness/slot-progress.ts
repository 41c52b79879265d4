/**
 * Progress of the slots in which admitted operations wait, while no fault is active (protocol 7.16): one clock for each
 * account and token, which each decided slot starts anew. The order of service bounds how many slots come first.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address, Millis } from "../../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation } from "../../../core/base/operation.ts";
import { type LedgerSlot, paddedNumber, sequencePrefix, slotAt, slotKey, slotNumber } from "../../../core/base/slot.ts";
import type { ReportViolation } from "../../fold.ts";
import { type Chronicle, currentEpoch, signaturesOf } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import { BURNS_BEFORE_OWNER, OWNERS_TURN_MS, QUIET_SLOT_MS } from "../../limits.ts";
import type { EventOf, RunSetting } from "../../observation.ts";
import { spentAmount } from "../../reference/epoch.ts";
import {
  accountOf,
  debitedAccount,
  effectSlotOf,
  isCancellation,
  isForcedDebit,
  isSpending,
  mayRestrict,
  tokenOf,
} from "../../reference/operation-meaning.ts";
import { shortId } from "../../text.ts";

/** Operations that wait in the next slots of one account or token. */
interface Clock {
  /** Since when something can be decided in its next slot; `undefined` if nothing can. */
  since: Millis | undefined;
  /** Admitted operations of the account's owner, by nonce. */
  readonly authorised: Map<number, OperationId>;
  /** Authorised operations that take effect here. */
  readonly due: Set<OperationId>;
  /** True if its owner signed a conflict, cancels, or may be barred or without funds: nothing is owed (protocol 13.2). */
  isExcused: boolean;
  /** Forced burns that were decided while the owner's next operation waited. */
  burns: number;
}

interface TrackedOperation {
  readonly signed: SignedOperation;
  readonly isAdmitted: boolean;
  /** Where it waits after its authorisation, by the prefix of the slots' keys. */
  readonly target: string | undefined;
}

export interface SlotProgress {
  /** From when on what is submitted is judged; `undefined` while a fault is active. */
  from: Millis | undefined;
  /** True while validators close the epoch. */
  isClosing: boolean;
  readonly tracked: Map<OperationId, TrackedOperation>;
  readonly clocks: Map<string, Clock>;
  /** Next slot of each account and token, and next nonce of each account, by the most advanced honest node. */
  readonly slots: Map<string, LedgerSlot>;
  readonly nonces: Map<Address, number>;
}

/** Returns the state before any event. */
export function emptyProgress({ isFaultless }: RunSetting): SlotProgress {
  return {
    from: isFaultless ? (0 as Millis) : undefined,
    isClosing: false,
    tracked: new Map(),
    clocks: new Map(),
    slots: new Map(),
    nonces: new Map(),
  };
}

/** Ends all obligations; `from`: when they begin again. */
export function dropAll(progress: SlotProgress, from: Millis | undefined): void {
  progress.from = from;
  progress.isClosing = false;
  progress.tracked.clear();
  progress.clocks.clear();
}

/** A client submits an operation. A cancellation, a recovery or another operation for its nonce ends what is owed. */
export function noteSubmitted(progress: SlotProgress, { id, submission, at }: EventOf<"submitted">): void {
  if (progress.from === undefined || at < progress.from) return;
  const account = accountOf(submission);
  const prefix = `account/${account}/`;
  if (isRecovery(submission) || isCancellation(submission)) {
    clockOf(progress, prefix).isExcused = true;
    return;
  }
  if (progress.tracked.has(id)) return;
  const { nonce } = submission.operation;
  if (nonce < (progress.nonces.get(account) ?? 0)) return;
  const clock = clockOf(progress, prefix);
  const rival = clock.authorised.get(nonce);
  if (rival === undefined) clock.authorised.set(nonce, id);
  else clock.isExcused = true;
  progress.tracked.set(id, { signed: submission, isAdmitted: false, target: undefined });
}

/** `pending` admits an operation; after `refused` and `void` nothing is owed. */
export function noteReplied(progress: SlotProgress, { id, answer, at }: EventOf<"replied">): void {
  const trackedOperation = progress.tracked.get(id);
  if (trackedOperation === undefined || trackedOperation.target !== undefined) return;
  const { sender } = trackedOperation.signed;
  const prefix = `account/${sender}/`;
  if (answer.status === "pending") {
    if (!trackedOperation.isAdmitted) progress.tracked.set(id, { ...trackedOperation, isAdmitted: true });
  } else if (answer.status === "refused" || answer.status === "void") untrack(progress, id, trackedOperation);
  startIfReady(progress, prefix, at);
}

function untrack({ tracked, clocks }: SlotProgress, id: OperationId, { signed, target }: TrackedOperation): void {
  tracked.delete(id);
  const prefix = target ?? `account/${signed.sender}/`;
  const clock = clocks.get(prefix);
  if (clock === undefined) return;
  clock.due.delete(id);
  const { nonce } = signed.operation;
  if (clock.authorised.get(nonce) === id) clock.authorised.delete(nonce);
}

function clockOf({ clocks }: SlotProgress, prefix: string): Clock {
  const stopped = { since: undefined, isExcused: false, burns: 0 };
  return entryOf(clocks, prefix, () => ({ ...stopped, authorised: new Map(), due: new Set() }));
}

/** Starts a clock that stands if something can be decided, stops it if nothing can, and drops it with its last operation. */
function startIfReady(progress: SlotProgress, prefix: string, at: Millis): void {
  const clock = progress.clocks.get(prefix);
  if (clock === undefined) return;
  if (clock.authorised.size === 0 && clock.due.size === 0) progress.clocks.delete(prefix);
  else if (clock.due.size === 0 && nextOf(progress, prefix, clock) === undefined) clock.since = undefined;
  else clock.since ??= at;
}

/** Returns the owner's admitted operation for the next nonce. */
function nextOf({ tracked, nonces }: SlotProgress, prefix: string, { authorised }: Clock): SignedOperation | undefined {
  if (authorised.size === 0) return undefined;
  const id = authorised.get(nonces.get(prefix.split("/")[1] as Address) ?? 0);
  const trackedOperation = id === undefined ? undefined : tracked.get(id);
  return trackedOperation?.isAdmitted === true ? trackedOperation.signed : undefined;
}

/** Folds an application of an honest node in; the first one of a slot is progress. */
export function noteProgress(
  progress: SlotProgress,
  chronicle: Chronicle,
  record: Application,
  report: ReportViolation,
): void {
  const { slot, value, at } = record;
  const prefix = sequencePrefix(slot);
  const next = progress.slots.get(prefix);
  if (next !== undefined && slotKey(slot) < slotKey(next)) return;
  progress.slots.set(prefix, slotAt(slot, slotNumber(slot) + 1));
  const clock = progress.clocks.get(prefix);
  if (clock !== undefined) judgeSlot(progress, chronicle, prefix, at, report);
  const owners = clock === undefined ? undefined : nextOf(progress, prefix, clock);
  if (slot.kind === "account") noteNonce(progress, record, slot.address);
  for (const id of value.type === "list" ? value.ids : value.type === "burn" ? [value.id] : []) {
    const trackedOperation = progress.tracked.get(id);
    if (trackedOperation !== undefined) untrack(progress, id, trackedOperation);
  }
  if (value.type === "list") excuseBarred(progress, record);
  if (clock !== undefined) {
    clock.since = undefined;
    if (value.type === "burn" && owners !== undefined) noteBurn(clock, owners, chronicle, record, report);
    else if (value.type !== "list") clock.burns = 0;
  }
  if (value.type === "operation") noteAuthorised(progress, value.id, at);
  startIfReady(progress, prefix, at);
}

/** Drops what the used nonce decides, and its rivals. */
function noteNonce(progress: SlotProgress, { changes, value }: Application, address: Address): void {
  for (const change of changes) {
    if (change.of !== "account" || change.address !== address) continue;
    progress.nonces.set(address, change.nonce);
    const clock = progress.clocks.get(`account/${address}/`);
    const id = clock?.authorised.get(change.nonce - 1);
    if (clock === undefined || id === undefined || value.type === "burn") continue;
    clock.authorised.delete(change.nonce - 1);
    const used = value.type === "operation" ? value.id : undefined;
    for (const [rival, { signed }] of clock.isExcused ? progress.tracked : [])
      if (signed.sender === address && signed.operation.nonce === change.nonce - 1 && rival !== used)
        progress.tracked.delete(rival);
    if (used !== id) progress.tracked.delete(id);
  }
}

/** An operation that its signer's slot has authorised waits for the slot of its effect. */
function noteAuthorised(progress: SlotProgress, id: OperationId, at: Millis): void {
  const trackedOperation = progress.tracked.get(id);
  if (trackedOperation === undefined) return;
  const target = targetOf(trackedOperation.signed);
  if (target === undefined) {
    progress.tracked.delete(id);
    return;
  }
  progress.tracked.set(id, { ...trackedOperation, target });
  clockOf(progress, target).due.add(id);
  startIfReady(progress, target, at);
}

/** Returns the prefix of the slots in which an authorised operation takes effect; `undefined` for its signer's own. */
function targetOf(signed: SignedOperation): string | undefined {
  const { operation, sender } = signed;
  if (isForcedDebit(signed)) return `account/${debitedAccount(operation, sender)}/`;
  const token = effectSlotOf(signed) === "token" ? tokenOf(operation) : undefined;
  return token === undefined ? undefined : `token/${token}/`;
}

/** A list may bar what waits in any account: its token restricts it, or its signer lost a role. */
function excuseBarred({ clocks }: SlotProgress, { operations }: Application): void {
  if (operations.some(mayRestrict))
    for (const clock of clocks.values()) if (clock.authorised.size > 0) clock.isExcused = true;
}

/** A forced burn precedes the owner's next operation, if that can still be decided after it. */
function noteBurn(
  clock: Clock,
  { operation, sender }: SignedOperation,
  chronicle: Chronicle,
  { changes, at }: Application,
  report: ReportViolation,
): void {
  clock.burns += 1;
  if (isSpending(operation)) {
    const needed = spentAmount(currentEpoch(chronicle).parameters.fees, operation);
    const debit = changes.find(
      (change) => change.of === "balance" && change.address === sender && change.token === operation.token,
    );
    if (debit?.of === "balance" && debit.after < needed) clock.isExcused = true;
  } else if (operation.kind === "burn" || operation.kind === "clawback") clock.isExcused = true;
  if (clock.isExcused || clock.burns <= BURNS_BEFORE_OWNER) return;
  report(
    `${clock.burns} forced burns of account ${shortId(sender)} were decided while the ${operation.kind} of its owner for ` +
      `nonce ${operation.nonce} waited, at ${at} ms; at most ${BURNS_BEFORE_OWNER} may precede it`,
  );
  clock.burns = 0;
}

/** Judges all clocks: of a served network each second, of a run at its end. O(open accounts and tokens). */
export function judgeClocks(progress: SlotProgress, chronicle: Chronicle, at: Millis, report: ReportViolation): void {
  for (const [prefix, clock] of progress.clocks)
    if (judgeSlot(progress, chronicle, prefix, at, report)) clock.since = at;
}

/** Returns true after a report of a slot that is, or was, decided too late. */
function judgeSlot(
  progress: SlotProgress,
  chronicle: Chronicle,
  prefix: string,
  at: Millis,
  report: ReportViolation,
): boolean {
  const clock = progress.clocks.get(prefix);
  if (clock?.since === undefined || clock.isExcused || progress.isClosing) return false;
  const bound = boundOf(clock);
  const waited = at - clock.since;
  if (waited <= bound) return false;
  const owners = nextOf(progress, prefix, clock);
  if (clock.due.size === 0 && owners !== undefined && isContradicted(progress, chronicle, prefix)) return false;
  const [due] = clock.due;
  const what = due === undefined ? `the ${owners?.operation.kind} of its owner` : `due operation ${shortId(due)}`;
  const [kind, owner = ""] = prefix.split("/");
  report(
    `${kind} ${shortId(owner)} decided nothing for ${waited} ms while ${what} waited, the bound without faults is ${bound} ms`,
  );
  return true;
}

/** Returns the time within which the next slot of an account or token is decided: an owner's turn delays burns. */
export function boundOf({ authorised, due }: Pick<Clock, "authorised" | "due">): number {
  return authorised.size > 0 && due.size > 0 ? QUIET_SLOT_MS + OWNERS_TURN_MS : QUIET_SLOT_MS;
}

/** protocol 13.2: an account in whose open slot honest validators voted for two operations is its owner's matter. */
function isContradicted({ slots }: SlotProgress, chronicle: Chronicle, prefix: string): boolean {
  const slot = slots.get(prefix);
  const key = slot === undefined ? `${prefix}${paddedNumber(0)}` : slotKey(slot);
  const book = signaturesOf(chronicle, key, currentEpoch(chronicle).epoch);
  return (book.rounds[0]?.votes.length ?? 0) > 1 || book.rounds.length > 1;
}
