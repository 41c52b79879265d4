/**
 * Halting. A valid certificate that contradicts this validator's own ledger proves that more than f members are
 * Byzantine: neither side can be trusted. The validator reports it once and ignores every further input. Its records
 * stay, so after a restart it finds the same contradiction and halts again.
 */
import { type Slot, slotKey } from "../base/slot.ts";
import type { Turn } from "./agenda.ts";
import { mark } from "./speak.ts";

/** Halts at a decision of `slot`; only the first call has an effect. */
export function halt(turn: Turn, slot: Slot, reason: string): void {
  const { state } = turn;
  if (state.halted !== undefined) return;
  state.halted = { slot: slotKey(slot), reason };
  mark(turn, "halted");
  turn.outputs.push({ type: "event", event: { type: "halted", slot, reason } });
}
