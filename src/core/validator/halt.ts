/**
 * Halting. A valid certificate that contradicts this validator's own ledger proves that more than f members are
 * Byzantine: neither side can be trusted. The validator reports it once and ignores every further input. Its records
 * stay, so after a restart it finds the same contradiction and halts again.
 */
import { type Slot, slotKey } from "../base/slot.ts";
import { coverage } from "./outputs.ts";
import type { StepContext } from "./step-context.ts";

/** Halts at a decision of `slot`; only the first call has an effect. */
export function halt(context: StepContext, slot: Slot, reason: string): void {
  const { state } = context;
  if (state.halted !== undefined) return;
  state.halted = { slot: slotKey(slot), reason };
  coverage(context, "halted");
  context.outputs.push({ type: "event", event: { type: "halted", slot, reason } });
}
