/** Pruning of slot records, contents and what waits for slots (protocol 6.2, 6.3). */

import type { Hash } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import { isChainSlot, parseSlotKey, type SlotKey, slotKey } from "../../base/slot.ts";
import { accountOf } from "../../ledger/state.ts";
import { type Content, isChainContent, isLedgerContent } from "../content.ts";
import { CHECKPOINTS_KEPT } from "../limits.ts";
import { isUsedUp } from "../mempool/pending.ts";
import { isSettled } from "../slot-position.ts";
import type { ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import { dropSettledRequests } from "../sync/requests.ts";
import { cancelAllTimers, cancelPastTimers } from "./slot-timers.ts";

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
  for (const [key] of slots.stalled.entries()) if (isPast(key)) slots.stalled.delete(key);
  for (const [key] of slots.barriers.entries()) if (isPast(key)) slots.barriers.delete(key);
  for (const [key] of slots.reasons.entries()) if (isPast(key)) slots.reasons.delete(key);
  dropSettledRequests(state);
  cancelPastTimers(context, isPast);
}

/**
 * Drops the contents and proofs of nonces that are used up at the last checkpoint, including those of conflicting
 * operations.
 */
export function dropSpent(state: ValidatorState): void {
  const { slots, checkpoints, sync, environment } = state;
  const { state: base, header } = checkpoints.last;
  const isSpent = (signed: SignedOperation): boolean =>
    signed.operation.nonce < accountOf(base, signed.sender).nonce &&
    !base.authorisedKeys.has(environment.hashes.operationId(signed));
  const isUseless = (content: Content): boolean =>
    isChainContent(content)
      ? content.value.header.number <= header.number - CHECKPOINTS_KEPT
      : content.operations.every(isSpent);
  // Decided above the checkpoint: the next one shows them.
  const wanted = new Set([...sync.log.values()].map((slot) => slots.records.get(slotKey(slot))?.decided?.value));
  for (const [hash, content] of slots.contents.entries()) {
    if (isUseless(content) && !wanted.has(hash as Hash)) slots.contents.delete(hash);
  }
  for (const [key] of slots.evidence.entries()) if (isUsedUp(base, key)) slots.evidence.delete(key);
}

/** Clears what belongs to one epoch: votes, locks, rounds, reasons and barriers. Decisions of the chain stay. */
export function clearEpochSlots(context: StepContext): void {
  const { state, outputs } = context;
  const { slots } = state;
  for (const [key, { slot, decided }] of slots.records.entries())
    if (!isChainSlot(slot) || decided === undefined) dropRecord(context, key);
  cancelAllTimers(context);
  for (const [key] of slots.waiting.entries()) outputs.push({ type: "cancelTimer", name: `wait ${key}` });
  slots.waiting.clear();
  slots.reasons.clear();
  slots.evidence.clear();
  slots.barriers.clear();
  slots.stalled.clear();
  for (const [hash, content] of slots.contents.entries()) if (isLedgerContent(content)) slots.contents.delete(hash);
}

/** Drops the records of settled slots, and what was due in the ledger that a transferred state replaces. */
export function dropReplacedSlots(context: StepContext): void {
  const { state } = context;
  const { slots } = state;
  slots.ownersTurns.clear();
  slots.dueSince.clear();
  for (const [key, { slot }] of slots.records.entries())
    if (!isChainSlot(slot) && isSettled(state, slot)) dropRecord(context, key);
}
