/** Where a slot stands in its sequence at one validator: settled, next, or still to come. */
import type { Epoch } from "../../base/ids.ts";
import { type Slot, slotKey, slotNumber } from "../../base/slot.ts";
import { type LedgerState, nextOf } from "../../ledger/state.ts";
import type { View } from "./grounds.ts";

/** The number of the next slot of this one's sequence: all below it are applied here. */
export function nextNumber(state: Pick<View, "ledger" | "checkpoint">, slot: Slot): number {
  if (slot.kind === "checkpoint") return state.checkpoint.header.number + 1;
  return slot.kind === "epoch" ? state.ledger.epoch : nextOf(state.ledger, slot);
}

/** Whether earlier slots of this sequence are missing here. */
export function isAhead(state: Pick<View, "ledger" | "checkpoint">, slot: Slot): boolean {
  return slotNumber(slot) > nextNumber(state, slot);
}

/** Whether this slot is applied here. Its record may be gone (protocol 6.2): nothing is ever said in it again. */
export function isSettled(state: Pick<View, "ledger" | "checkpoint">, slot: Slot): boolean {
  return slotNumber(slot) < nextNumber(state, slot);
}

/** Whether every earlier slot of its sequence is applied here, and this one is not. */
export function isNextHere(state: Pick<View, "ledger" | "checkpoint">, slot: Slot): boolean {
  return slotNumber(slot) === nextNumber(state, slot);
}

/**
 * Whether a slot is applied here and has no record any more: a checkpoint stands for it. A fresh record would commit on an
 * old lock certificate, and decide the slot a second time (protocol 6.2).
 */
export function isGone(state: Pick<View, "ledger" | "checkpoint" | "slots">, slot: Slot): boolean {
  return isSettled(state, slot) && !state.slots.has(slotKey(slot));
}

/** Returns true for a statement about the closing of another epoch than its own: no honest validator signs one. */
export function isMisplaced({ slot, epoch }: { readonly slot: Slot; readonly epoch: Epoch }): boolean {
  return slot.kind === "epoch" && slot.epoch !== epoch;
}

/** Whether what this slot authorised waits to be executed: then a proposer will have to show its certificate. */
export function isWarrant(ledger: LedgerState, slot: Slot): boolean {
  const key = slotKey(slot);
  return [...ledger.authorised.values()].some(({ authorisedBy }) => authorisedBy === key);
}
