import { hex, type Item, text, uint } from "./encoding.ts";
import type { Slot } from "./slot.ts";

/** Returns a slot as a canonical item: [kind, owner, number], and for a checkpoint or an epoch [kind, number]. */
export function slotItem(slot: Slot): Item {
  switch (slot.kind) {
    case "account":
      return [text("account"), hex(slot.address), uint(slot.sequence)];
    case "token":
      return [text("token"), hex(slot.token), uint(slot.version)];
    case "checkpoint":
      return [text("checkpoint"), uint(slot.number)];
    case "epoch":
      return [text("epoch"), uint(slot.epoch)];
  }
}
