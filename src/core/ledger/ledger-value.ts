/** Canonical items of the values that a ledger applies (protocol 3.0). */
import { unreachable } from "../base/assert.ts";
import { hex, type Item, text } from "../base/encoding.ts";
import type { FeeStep, LedgerValue, ListValue } from "../base/slot.ts";
import { malformed, optional, readAddress, readHash, readList, readOptional, readWord } from "./items.ts";

const VALUE_TYPES: readonly LedgerValue["type"][] = ["operation", "burn", "skip", "list"];
const OUTCOMES: readonly ("burned" | "failed")[] = ["burned", "failed"];
const SKIP_WAYS: readonly ("cancellation" | "recovery")[] = ["cancellation", "recovery"];
const FEE_STEPS: readonly FeeStep[] = ["full", "payment", "zero"];

/** Returns a value as an RLP item, for use inside a message or a checkpoint. */
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

/** Returns the value of an item inside a message. @throws Error, naming the field, on anything not canonical. */
export function readLedgerValue(item: Item | undefined): LedgerValue {
  const list = readList(item, "value");
  const type = readWord(list[0], "value type", VALUE_TYPES);
  switch (type) {
    case "operation":
      readList(item, "operation value", 2);
      return { type, id: readHash(list[1], "id") };
    case "burn":
      readList(item, "burn value", 3);
      return { type, id: readHash(list[1], "id"), outcome: readWord(list[2], "outcome", OUTCOMES) };
    case "skip":
      return readSkip(readList(item, "skip value", 5));
    case "list":
      readList(item, "list value", 2);
      return readListValue(list[1]);
    default:
      return unreachable(type);
  }
}

function readSkip(list: readonly Item[]): LedgerValue {
  const feeToken = readOptional(list[3], "fee token", readAddress);
  const feeStep = readWord(list[4], "fee step", FEE_STEPS);
  // Without a token there is only one encoding of an unpaid skip.
  if (feeToken === undefined && feeStep !== "zero") return malformed("fee step", "zero where no fee token is named");
  return { type: "skip", by: readWord(list[1], "by", SKIP_WAYS), id: readHash(list[2], "id"), feeToken, feeStep };
}

function readListValue(item: Item | undefined): ListValue {
  return { type: "list", ids: readList(item, "ids").map((id) => readHash(id, "id")) };
}
