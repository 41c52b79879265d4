/**
 * Pruning of slot records, contents and what waits for slots (protocol 6.2, 6.3), and of what a peer has shown, once its
 * budget needs the room (protocol 9.2).
 */

import type { Hash } from "../../base/ids.ts";
import { isRecovery, type SignedOperation } from "../../base/operation.ts";
import { chainSlotOf, isChainSlot, parseSlotKey, type SlotKey, slotKey } from "../../base/slot.ts";
import { nonceLookup } from "../../ledger/state.ts";
import { type ChainContent, type Content, isChainContent, isLedgerContent } from "../content.ts";
import { enterItem, isHeld, isNamed, isSigned, pruneBudgets } from "../mempool/budget.ts";
import { pendingFor, removePending } from "../mempool/pending.ts";
import type { Peer, SlotReason } from "../message.ts";
import { isSettled } from "../slot-position.ts";
import type { ValidatorState } from "../state.ts";
import { cancelTimer, type StepContext } from "../step-context.ts";
import type { BudgetItem, ChargedItem } from "../sub-states.ts";
import { dropSettledRequests } from "../sync/sync.ts";
import { dropWaitingValue } from "./relay.ts";
import { dropReasons } from "./round-change-reasons.ts";
import { cancelAllTimers, cancelPastTimers, stopTimer } from "./slot-timers.ts";

/** Drops a slot's record, from memory and disk. */
export function dropRecord(context: StepContext, key: SlotKey): void {
  const { state } = context;
  if (!state.slots.records.has(key)) return;
  state.slots.records.delete(key);
  context.outputs.push({ type: "erase", key });
}

/** Drops waiting values in settled slots, decided here or not, and the timers that would request them again. */
export function dropSettled(context: StepContext): void {
  const { state } = context;
  const { slots } = state;
  const isPast = (key = ""): boolean => isSettled(state, parseSlotKey(key));
  for (const table of [slots.barriers, slots.reasons]) table.deleteWhere(isPast);
  dropSettledRequests(state);
  cancelPastTimers(context, isPast);
}

/** Drops contents and proofs of nonces that are used up at the last checkpoint, conflicting operations included. */
export function dropSpent(state: ValidatorState): void {
  const { slots, checkpoints, sync, environment } = state;
  const { state: base } = checkpoints.last;
  const nextNonce = nonceLookup(base);
  const isSpent = (signed: SignedOperation): boolean =>
    signed.operation.nonce < nextNonce(signed.sender) &&
    !base.authorisedKeys.has(environment.hashes.operationId(signed));
  // Of a slot of the chain what it decided, or what may still be: by its record, since a proposer writes any number.
  const isOfChain = (hash: Hash, { value }: ChainContent): boolean => {
    const record = slots.records.get(slotKey(chainSlotOf(value)));
    return record !== undefined && (record.decided?.value ?? hash) === hash;
  };
  const isUseless = (hash: Hash, content: Content): boolean =>
    isChainContent(content) ? !isOfChain(hash, content) : content.operations.every(isSpent);
  // Decided above the checkpoint: the next one shows them.
  const wanted = new Set([...sync.log.values()].map((slot) => slots.records.get(slotKey(slot))?.decided?.value));
  slots.contents.deleteWhere((hash, content) => isUseless(hash, content) && !wanted.has(hash));
  unpin(state);
}

/** Clears what belongs to one epoch: votes, locks, rounds, reasons and barriers. Decisions of the chain stay. */
export function clearEpochSlots(context: StepContext): void {
  const { slots } = context.state;
  const endedKeys = slots.records.keysWhere((_, { slot, decided }) => !isChainSlot(slot) || decided === undefined);
  for (const key of endedKeys) dropRecord(context, key);
  cancelAllTimers(context);
  for (const [key] of slots.waiting.entries()) cancelTimer(context, { kind: "wait", waiting: key });
  slots.waiting.clear();
  slots.reasons.clear();
  slots.barriers.clear();
  slots.contents.deleteWhere((_, content) => isLedgerContent(content));
  unpin(context.state);
}

function unpin({ slots: { pinned, contents } }: ValidatorState): void {
  pinned.deleteWhere((value) => !contents.has(value));
}

/** Drops the records of settled slots, and what was due in the ledger that a transferred state replaces. */
export function dropReplacedSlots(context: StepContext): void {
  const { state } = context;
  const { slots } = state;
  slots.ownersTurns.clear();
  slots.dueSince.clear();
  const replaced = slots.records.keysWhere((_, { slot }) => !isChainSlot(slot) && isSettled(state, slot));
  for (const key of replaced) dropRecord(context, key);
}

/**
 * Drops an item, unless it is gone or something else needs it by now: its slot is decided, or a client submitted it. What
 * the same step made its slot depend on returns to the budget.
 */
export function dropShown(context: StepContext, peer: Peer, charged: ChargedItem): void {
  const { state } = context;
  const { item } = charged;
  if (isHeld(state, item)) {
    enterItem(state, peer, charged);
    return;
  }
  if (isGone(state, item)) return;
  const { slots } = state;
  const record = "slot" in item ? slots.records.get(item.slot) : undefined;
  switch (item.of) {
    case "pending":
      removePending(context, item.id);
      return;
    case "content":
      if (!slots.pinned.has(item.value) && (record === undefined || !isSigned(record) || !isNamed(record, item.value)))
        slots.contents.delete(item.value);
      return;
    case "reason":
      if (record?.decided !== undefined) return;
      dropReasons(state, item.slot, (reason) => reason === item.reason);
      if (item.reason.kind === "equivocation") stopTimer(context, { kind: "evidence", slot: item.slot });
      return;
    case "record":
      if (record !== undefined && !isSigned(record)) slots.records.delete(item.slot);
      return;
    case "waiting":
      dropWaitingValue(context, item.key);
      return;
  }
}

/** Gives the room of what is gone, decided or submitted by a client by now back to the peers that showed it. */
export function pruneShown(state: ValidatorState): void {
  pruneBudgets(state, (item) => isGone(state, item));
}

/** Returns true if nothing is kept for its peer any more: it is gone, decided, or a client submitted it. */
function isGone(state: ValidatorState, item: BudgetItem): boolean {
  const { slots, mempool } = state;
  switch (item.of) {
    case "pending":
      return mempool.pending.get(item.id)?.isEntry !== false;
    case "content":
      return !slots.contents.has(item.value);
    case "reason":
      return slots.reasons.get(item.slot)?.includes(item.reason) !== true || isSubmitted(state, item.reason);
    case "record": {
      const record = slots.records.get(item.slot);
      return record === undefined || record.decided !== undefined;
    }
    case "waiting":
      return !slots.waiting.has(item.key);
  }
}

/** Returns true for a proof of a nonce whose recovery a client submitted: its wait must end. */
function isSubmitted(state: ValidatorState, reason: SlotReason): boolean {
  if (reason.kind !== "equivocation") return false;
  const { sender, operation } = reason.proof.first;
  return pendingFor(state, sender, operation.nonce).some(
    ({ submission, isEntry }) => isEntry && isRecovery(submission),
  );
}
