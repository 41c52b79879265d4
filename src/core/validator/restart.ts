/** Restart from durable records: keeps every signature, applies every decision again (protocol 11.2). */

import { assert } from "../base/assert.ts";
import { isChainSlot, slotKey } from "../base/slot.ts";
import { resetToChainLink } from "./checkpoints/apply-checkpoint.ts";
import { isChainContent } from "./content.ts";
import { addLink } from "./epochs/apply-closing.ts";
import { resumeClosing } from "./epochs/close-epoch.ts";
import { SYNC_MS } from "./limits.ts";
import type { DurableRecord, SlotRecord, Snapshot } from "./output.ts";
import { isSettled } from "./slot-position.ts";
import { deriveState, openDueSlots } from "./slots/derived-state.ts";
import { scheduleRetry } from "./slots/slot-timers.ts";
import { keepContent, restoreRecord } from "./slots/slots.ts";
import { coverage, type StepContext } from "./step-context.ts";
import { scheduleSync } from "./sync/status.ts";

/** Rebuilds a fresh state from its records, in any order of them. */
export function restart(context: StepContext, records: readonly (readonly [string, DurableRecord])[]): void {
  const { state } = context;
  coverage(context, "restarted");
  // Links first: they contain the closing that opened the snapshot's epoch.
  for (const [, record] of records) if (record.of === "link") addLink(state, record.link);
  for (const [, record] of records) if (record.of === "snapshot") resumeAt(context, record);
  const slots = records.flatMap(([, record]) => (record.of === "slot" ? [record] : []));
  const isNeeded = ({ slot, epoch, decided }: SlotRecord): boolean =>
    epoch === state.ledger.epoch
      ? isChainSlot(slot) || !isSettled(state, slot)
      : isChainSlot(slot) && decided !== undefined;
  const open = slots.filter(isNeeded);
  // A crash between a snapshot and the erasing of what it replaces leaves unneeded records.
  for (const record of slots) if (!isNeeded(record)) context.outputs.push({ type: "erase", key: slotKey(record.slot) });
  for (const record of open) restoreRecord(state, record);
  deriveState(context);
  for (const { slot, decided } of open) if (decided !== undefined) context.agenda.push({ do: "apply", slot });
  for (const record of open) if (record.decided === undefined) resume(context, record);
  for (const [, record] of records) if (record.of === "closed") resumeClosing(context, record);
  openDueSlots(context);
  if (state.ledger.parameters.checkpoints !== undefined) context.agenda.push({ do: "checkpoint" });
  scheduleSync(context, SYNC_MS);
}

/**
 * Restores the state after the last final checkpoint, and the checkpoint itself, which the next ones build on. The record
 * of its slot may be older than its content, which others need (protocol 6.2).
 */
function resumeAt({ state, at }: StepContext, { content, state: base }: Snapshot): void {
  assert(isChainContent(content), "a snapshot is of a link of the chain");
  keepContent(state, content);
  resetToChainLink(state, at, content.value, base);
}

/** Resumes an open slot: resends its own proposal before the round is over, and takes its relay over in time. */
function resume(context: StepContext, { slot }: SlotRecord): void {
  context.agenda.push({ do: "proposeAgain", slot });
  scheduleRetry(context, slotKey(slot), false);
}
