/** Hashes of the values that slots decide (protocol 3.0). */
import { text } from "../base/encoding.ts";
import type { Slot, Value, ValueHash } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import { checkpointHash, closingHash, listedRootOf } from "./checkpoint-item.ts";
import { ledgerValueItem } from "./ledger-value.ts";

/** Returns the hash that votes and commits name: tagged by slot kind, so no value of one kind is read as another kind. */
export function valueHash(value: Value): ValueHash {
  if (value.type === "checkpoint") return checkpointHash(value.header, listedRootOf(value.listed));
  if (value.type === "closing") return closingHash(value, listedRootOf(value.listed));
  return taggedHash("value", text(slotKindOf(value)), ledgerValueItem(value));
}

/** The kind of slot that decides such a value. */
export function slotKindOf({ type }: Value): Slot["kind"] {
  if (type === "checkpoint") return "checkpoint";
  if (type === "closing") return "epoch";
  return type === "list" ? "token" : "account";
}
