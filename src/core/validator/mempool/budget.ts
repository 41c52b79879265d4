/**
 * Budget of each peer: what it has shown and what is kept for it, oldest first. A full budget drops the oldest. So a peer
 * displaces nothing that another one showed, nor what a client submitted here (protocol 9.2).
 */
import type { Hash } from "../../base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../../base/operation.ts";
import { paddedNumber, parseSlotKey, type SlotKey } from "../../base/slot.ts";
import type { SlotState } from "../../consensus/slot-state.ts";
import { heldTokens } from "../../ledger/state.ts";
import type { Content } from "../content.ts";
import { PEER_BUDGET } from "../limits.ts";
import type { Peer, SlotReason } from "../message.ts";
import { isNext } from "../slot-position.ts";
import type { ValidatorState } from "../state.ts";
import { coverage, type StepContext } from "../step-context.ts";
import type { Budget, BudgetItem, ChargedItem } from "../sub-states.ts";

const EMPTY: Budget = { oldest: 0, next: 0, used: 0 };

/**
 * Charges an item to a peer, and drops the peer's oldest items that this needs. One that an open slot needs here leaves the
 * budget if the state bounds such slots; else it moves to the back, the result is false, and the newcomer must not be kept.
 * What this validator shows itself costs nothing. Amortized O(1).
 */
export function charge(context: StepContext, item: BudgetItem, size = 1, peer: Peer = context.from): boolean {
  const { state } = context;
  if (peer === state.environment.self) return true;
  if (!makeRoom(context, peer, size)) return false;
  enterItem(state, peer, { item, size });
  return true;
}

/** Drops a peer's oldest items until this much fits. Returns false if the oldest must stay and be counted. */
function makeRoom(context: StepContext, peer: Peer, size: number): boolean {
  const { state, agenda } = context;
  const { budgets, chargedItems } = state.mempool;
  let { oldest, next, used } = budgets.get(peer) ?? EMPTY;
  if (used + size <= PEER_BUDGET) return true;
  coverage(context, "queue full");
  while (oldest < next && used + size > PEER_BUDGET) {
    const key = itemKey(peer, oldest);
    const first = chargedItems.get(key);
    chargedItems.delete(key);
    oldest += 1;
    // Pruned: its size is given back already.
    if (first === undefined) continue;
    used -= first.size;
    if (isHeld(state, first.item)) {
      if (isBoundByState(state, first.item)) continue;
      budgets.set(peer, { oldest, next, used });
      enterItem(state, peer, first);
      return false;
    }
    agenda.push({ do: "drop", peer, charged: first });
  }
  budgets.set(peer, { oldest, next, used });
  return true;
}

/** Enters an item as the newest one of a peer. */
export function enterItem(
  { mempool: { budgets, chargedItems } }: ValidatorState,
  peer: Peer,
  charged: ChargedItem,
): void {
  const { oldest, next, used } = budgets.get(peer) ?? EMPTY;
  chargedItems.set(itemKey(peer, next), charged);
  budgets.set(peer, { oldest, next: next + 1, used: used + charged.size });
}

/** Returns true if a reason of this kind of a slot is charged to some peer. O(items). */
export function isReasonCharged(
  { mempool: { chargedItems } }: ValidatorState,
  slot: SlotKey,
  kind: SlotReason["kind"],
): boolean {
  return chargedItems
    .values()
    .some(({ item }) => item.of === "reason" && item.slot === slot && item.reason.kind === kind);
}

/** Charges the reasons of a slot, in the same budgets, for another one, to which they move. O(items). */
export function moveReasons({ mempool: { chargedItems } }: ValidatorState, from: SlotKey, to: SlotKey): void {
  for (const key of chargedItems.keysWhere((_, { item }) => item.of === "reason" && item.slot === from)) {
    const { item, size } = chargedItems.get(key) as ChargedItem;
    if (item.of === "reason") chargedItems.set(key, { item: { ...item, slot: to }, size });
  }
}

/** Gives the room of the items back for which `isOver` holds: nothing is kept for them any more. O(items). */
export function pruneBudgets(
  { mempool: { budgets, chargedItems } }: ValidatorState,
  isOver: (item: BudgetItem) => boolean,
): void {
  chargedItems.deleteWhere((key, { item, size }) => {
    if (!isOver(item)) return false;
    const peer = key.slice(0, key.indexOf(" ")) as Peer;
    const { oldest, next, used } = budgets.get(peer) ?? EMPTY;
    budgets.set(peer, { oldest, next, used: used - size });
    return true;
  });
}

function itemKey(peer: Peer, position: number): string {
  return `${peer} ${paddedNumber(position)}`;
}

/** Returns the size of a content: its operations with their legs, and its certificates with their seals. */
export function contentSize({ operations, certificates }: Content): number {
  let size = 1;
  for (const signed of operations) size += operationSize(signed);
  for (const { seals } of certificates) size += 1 + seals.length;
  return size;
}

/** Returns the size of a submission: one for each operation and leg. */
export function submissionSize(submission: Submission): number {
  if (!isRecovery(submission)) return operationSize(submission);
  return operationSize(submission.evidence.first) + operationSize(submission.evidence.second);
}

function operationSize({ operation }: SignedOperation): number {
  return operation.kind === "batch" ? 1 + operation.legs.length : 1;
}

/** Returns true if an undecided slot, in which this validator has signed, depends on the item. */
export function isHeld({ slots: { records, reasons } }: ValidatorState, item: BudgetItem): boolean {
  if (item.of === "pending" || item.of === "waiting") return false;
  const record = records.get(item.slot);
  if (record === undefined || record.decided !== undefined) return false;
  if (!isSigned(record)) return false;
  if (item.of === "content") return isNamed(record, item.value);
  return item.of === "record" || reasons.get(item.slot)?.includes(item.reason) === true;
}

/** Returns true for an item of the next slot of an account or token that the state has: keys alone make none of these. */
function isBoundByState(state: ValidatorState, item: BudgetItem): boolean {
  if (!("slot" in item)) return false;
  const { ledger } = state;
  const slot = parseSlotKey(item.slot);
  if (!isNext(state, slot)) return false;
  if (slot.kind === "account") return ledger.accounts.has(slot.address) || heldTokens(ledger, slot.address).length > 0;
  return slot.kind !== "token" || ledger.tokens.has(slot.token);
}

/** Returns true if this validator has signed something in the slot, or is bound by a lock there. */
export function isSigned({ votes, commits, proposed, lock, round }: SlotState): boolean {
  return round > 0 || votes.length > 0 || commits.length > 0 || proposed !== undefined || lock !== undefined;
}

/** Returns true if a record needs the content of this value. */
export function isNamed({ votes, commits, proposed, lock, decided, proposals }: SlotState, value: Hash): boolean {
  return (
    votes.some((vote) => vote.value === value) ||
    commits.some((commit) => commit.value === value) ||
    [proposed, lock, decided].some((named) => named?.value === value) ||
    [...proposals.values()].some((proposal) => proposal.value === value)
  );
}
