/** Canonical items of the values that a ledger applies (protocol 3.0). */
import { unreachable } from "../base/assert.ts";
import { hex, type Item, optional, text } from "../base/encoding.ts";
import type { LedgerValue } from "../base/slot.ts";

/** A value as an RLP item, to stand inside a message or a checkpoint. */
export function ledgerValueItem(value: LedgerValue): Item {
  switch (value.type) {
    case "operation":
      return [text("operation"), hex(value.id)];
    case "burn":
      return [text("burn"), hex(value.id), text(value.outcome)];
    case "skip":
      return [text("skip"), text(value.by), hex(value.id), optional(value.feeToken, hex), text(value.feeStep)];
    case "list":
      return [text("list"), value.ids.map((id) => hex(id))];
    default:
      return unreachable(value);
  }
}
