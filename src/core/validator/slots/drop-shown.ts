/** Dropping of what a peer has shown, once its budget needs the room (protocol 9.2). */
import { isNamed, isSigned } from "../mempool/budget.ts";
import { removePending } from "../mempool/pending.ts";
import type { StepContext } from "../step-context.ts";
import type { ShownItem } from "../sub-states.ts";
import { dropWaitingValue } from "./relay.ts";

/** Drops an item, unless it is gone or something else needs it by now: its slot is decided, or a client submitted it. */
export function dropShown(context: StepContext, item: ShownItem): void {
  const { state } = context;
  const { slots, mempool } = state;
  const record = "slot" in item ? slots.records.get(item.slot) : undefined;
  switch (item.of) {
    case "pending":
      if (mempool.pending.get(item.id)?.isEntry === false) removePending(context, item.id);
      return;
    case "content":
      if (record === undefined || !isNamed(record, item.value)) slots.contents.delete(item.value);
      return;
    case "reason":
      if (record === undefined || (record.decided === undefined && record.round === 0)) slots.reasons.delete(item.slot);
      return;
    case "record":
      if (record !== undefined && record.decided === undefined && !isSigned(record)) slots.records.delete(item.slot);
      return;
    case "waiting":
      dropWaitingValue(context, item.key);
      return;
  }
}
