/**
 * Position of a slot in its sequence at one validator, and the preconditions of votes and commits on which the safety of
 * slots in sequence rests.
 */

import type { Address, Epoch, Hash } from "../base/ids.ts";
import { type AccountSlot, accountSlot, type EpochSlot, type Slot, slotKey, slotNumber } from "../base/slot.ts";
import type { Table } from "../base/table.ts";
import { accountOf, nextOf } from "../ledger/state.ts";
import type { Content } from "./content.ts";
import type { DecisionView } from "./decision-inputs.ts";

/** Returns the number of the next slot of the sequence: all below it are applied here. */
export function nextNumber(state: Pick<DecisionView, "ledger" | "checkpoints">, slot: Slot): number {
  if (slot.kind === "checkpoint") return state.checkpoints.last.header.number + 1;
  return slot.kind === "epoch" ? state.ledger.epoch : nextOf(state.ledger, slot);
}

/** Returns true if earlier slots of this sequence are missing here. */
export function isBeyondNext(state: Pick<DecisionView, "ledger" | "checkpoints">, slot: Slot): boolean {
  return slotNumber(slot) > nextNumber(state, slot);
}

/** Returns true if this slot is applied here. Its record may be pruned: nothing is signed in it (protocol 6.2). */
export function isSettled(state: Pick<DecisionView, "ledger" | "checkpoints">, slot: Slot): boolean {
  return slotNumber(slot) < nextNumber(state, slot);
}

/** Returns true if every earlier slot of its sequence is applied here, and this one is not. */
export function isNext(state: Pick<DecisionView, "ledger" | "checkpoints">, slot: Slot): boolean {
  return slotNumber(slot) === nextNumber(state, slot);
}

/**
 * Returns true if a slot is applied here and a checkpoint replaces its record. A fresh record would commit on an old
 * lock certificate, and decide the slot a second time (protocol 6.2).
 */
export function isPruned(state: Pick<DecisionView, "ledger" | "checkpoints" | "slots">, slot: Slot): boolean {
  return isSettled(state, slot) && !state.slots.records.has(slotKey(slot));
}

/** Returns true for a statement about the closing of another epoch than its own: no honest validator signs one. */
export function isForeignEpoch({ slot, epoch }: { readonly slot: Slot; readonly epoch: Epoch }): boolean {
  return slot.kind === "epoch" && slot.epoch !== epoch;
}

/** Returns true if every earlier slot of the sequence is applied here: a vote requires it (protocol 3.1, 1a). */
export function mayVoteInSlot(state: DecisionView, slot: Slot): boolean {
  return isNext(state, slot);
}

/** Returns true if a value's content is here: a commit requires it (protocol 3.1, 3). */
export function hasContent(contents: Table<Hash, Content>, value: Hash): boolean {
  return contents.has(value);
}

/** Returns the slot that decides how this validator's epoch closes. */
export function epochSlot({ ledger }: Pick<DecisionView, "ledger">): EpochSlot {
  return { kind: "epoch", epoch: ledger.epoch };
}

/** Returns the slot in which an account's next operation is decided. */
export function nextSlot({ ledger }: Pick<DecisionView, "ledger">, address: Address): AccountSlot {
  return accountSlot(address, accountOf(ledger, address).sequence);
}
