/** Canonical bytes and hashes of the values that slots decide (protocol 3.0). */
import { decode, encode, type Item, text } from "../base/encoding.ts";
import type { Slot, Value, ValueHash } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import {
  checkpointHash,
  checkpointItem,
  closingHash,
  closingItem,
  listedRootOf,
  readCheckpoint,
  readClosing,
} from "./checkpoint-item.ts";
import { readList, readText } from "./items.ts";
import { ledgerValueItem, readLedgerValue } from "./ledger-value.ts";

/**
 * Returns the hash that votes and commits name: tagged by slot kind, so that no value of one kind is read as one of
 * another.
 */
export function valueHash(value: Value): ValueHash {
  if (value.type === "checkpoint") return checkpointHash(value.header, listedRootOf(value.listed));
  if (value.type === "closing") return closingHash(value, listedRootOf(value.listed));
  return taggedHash("value", text(slotKindOf(value)), ledgerValueItem(value));
}

/** Returns the kind of slot that decides such a value. */
export function slotKindOf({ type }: Value): Slot["kind"] {
  if (type === "checkpoint") return "checkpoint";
  if (type === "closing") return "epoch";
  return type === "list" ? "token" : "account";
}

/** Returns the canonical RLP bytes of a value. */
export function encodeValue(value: Value): Uint8Array {
  return encode(valueItem(value));
}

/** Returns the value that exactly these bytes encode. @throws Error, naming the field, on anything not canonical. */
export function decodeValue(bytes: Uint8Array): Value {
  const item = decode(bytes);
  const list = readList(item, "value");
  switch (readText(list[0], "value type")) {
    case "checkpoint":
      return readCheckpoint(list);
    case "closing":
      return readClosing(list);
    default:
      return readLedgerValue(item);
  }
}

function valueItem(value: Value): Item {
  if (value.type === "checkpoint") return checkpointItem(value);
  return value.type === "closing" ? closingItem(value) : ledgerValueItem(value);
}
