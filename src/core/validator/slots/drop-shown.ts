/** Dropping of what a peer has shown, once its budget needs the room (protocol 9.2). */

import type { SlotKey } from "../../base/slot.ts";
import { enter, isHeld, isNamed, isSigned, pruneBudgets } from "../mempool/budget.ts";
import { removePending } from "../mempool/pending.ts";
import type { Peer } from "../message.ts";
import type { ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import type { ChargedItem } from "../sub-states.ts";
import { evidenceKey } from "./reason-check.ts";
import { dropWaitingValue } from "./relay.ts";

/**
 * Drops an item, unless it is gone or something else needs it by now: its slot is decided, or a client submitted it. What
 * the same step made its slot depend on returns to the budget.
 */
export function dropShown(context: StepContext, peer: Peer, charged: ChargedItem): void {
  const { state } = context;
  const { item } = charged;
  if (isHeld(state, item)) {
    enter(state, peer, charged);
    return;
  }
  const { slots, mempool } = state;
  const record = "slot" in item ? slots.records.get(item.slot) : undefined;
  switch (item.of) {
    case "pending":
      if (mempool.pending.get(item.id)?.isEntry === false) removePending(context, item.id);
      return;
    case "content":
      if (!slots.pinned.has(item.value) && (record === undefined || !isNamed(record, item.value)))
        slots.contents.delete(item.value);
      return;
    case "reason":
      if (record === undefined || (record.decided === undefined && record.round === 0)) dropReasons(state, item.slot);
      return;
    case "record":
      if (record !== undefined && record.decided === undefined && !isSigned(record)) slots.records.delete(item.slot);
      return;
    case "waiting":
      dropWaitingValue(context, item.key);
      return;
  }
}

/** Gives the room of what is gone, decided or submitted by a client by now back to the peers that showed it. */
export function pruneShown(state: ValidatorState): void {
  const { slots, mempool } = state;
  pruneBudgets(state, (item) => {
    switch (item.of) {
      case "pending":
        return mempool.pending.get(item.id)?.isEntry !== false;
      case "content":
        return !slots.contents.has(item.value);
      case "reason":
        return !slots.reasons.has(item.slot);
      case "record": {
        const record = slots.records.get(item.slot);
        return record === undefined || record.decided !== undefined;
      }
      case "waiting":
        return !slots.waiting.has(item.key);
    }
  });
}

/** Drops a slot's reasons with the time since which a proof among them is known. */
function dropReasons({ slots: { reasons, evidence } }: ValidatorState, slot: SlotKey): void {
  for (const reason of reasons.get(slot) ?? []) {
    if (reason.kind !== "equivocation") continue;
    const { sender, operation } = reason.proof.first;
    evidence.delete(evidenceKey(sender, operation.nonce));
  }
  reasons.delete(slot);
}
