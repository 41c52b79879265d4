/** Second readings of signed lists: version 1 signs no kind, so lists of one form are of several kinds (specification 4.3). */
import { type Item, text, toHex } from "../base/encoding.ts";
import { LAYOUTS, type Operation, type OperationKind } from "../base/operation.ts";
import { RECENT, signedFieldsOf, signedItem } from "./layout.ts";
import type { Field } from "./operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "./operations/kinds.ts";

/** Bytes of an amount, and of a count, which is at most 2^53 - 1. */
const AMOUNT_BYTES = 32;
const COUNT_BYTES = 7;

const COUNT: Field = { type: "count", wire: "", description: "" };
/** Chain id and nonce, behind what some clients sign before them. */
const HEAD: readonly Field[] = [...RECENT.map((): Field => ({ ...COUNT, optional: true })), COUNT, COUNT];

/**
 * Returns the first other kind that the signed list of an operation can be read as, by its form alone; `undefined` in
 * version 2, whose lists begin with a text that is no number of a chain. Cost: O(kinds and layouts).
 */
export function otherKindOf(operation: Operation): OperationKind | undefined {
  const item = signedItem(operation) as readonly Item[];
  const [first] = item;
  // With a memo the list stands beside it.
  const items = Array.isArray(first) ? (first as readonly Item[]) : item;
  return OPERATION_KINDS.find((kind) => kind !== operation.kind && isReadableAs(kind, items));
}

function isReadableAs(kind: OperationKind, items: readonly Item[]): boolean {
  if (KINDS[kind].version1 === "none") return false;
  const fields: Readonly<Record<string, Field>> = KINDS[kind].fields;
  return LAYOUTS.filter((layout) => layout !== "v2").some((layout) => {
    const names = signedFieldsOf(kind, layout).map(({ name }) => fields[name] as Field);
    return hasForm(items, [...HEAD, ...names]);
  });
}

function hasForm(items: readonly Item[], [field, ...rest]: readonly Field[]): boolean {
  if (field === undefined) return items.length === 0;
  const [item, ...others] = items;
  const isHere = item !== undefined && hasFormOf(field, item) && hasForm(others, rest);
  return isHere || (field.optional === true && hasForm(items, rest));
}

function hasFormOf({ type, spellings }: Field, item: Item): boolean {
  if (type === "legs" || type === "pairs" || type === "signers") return Array.isArray(item);
  if (!(item instanceof Uint8Array)) return false;
  switch (type) {
    case "address":
      return item.length === 20;
    case "amount":
      return isNumber(item, AMOUNT_BYTES);
    case "chain":
    case "count":
    case "time":
      return isNumber(item, COUNT_BYTES);
    case "flag":
      return item.length === 0 || (item.length === 1 && item[0] === 1);
    default:
      return spellings === undefined || spellings.some((word) => toHex(item) === toHex(text(word) as Uint8Array));
  }
}

function isNumber(item: Uint8Array, most: number): boolean {
  return item.length <= most && item[0] !== 0;
}
