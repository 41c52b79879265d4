/** Bytes that a client signs, in each layout (wire 3.1, 3.3, 3.9). The received texts are what is hashed. */
import { bool, encode, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import type { Layout, Memo, Metadata, Operation, OperationKind } from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { keccak } from "../crypto/hash.ts";
import type { Field, FieldType } from "./operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "./operations/kinds.ts";

type Without<T> = T extends unknown ? Omit<T, "layout"> : never;
/** Fields of an operation, independent of its layout. */
export type UnsignedFields = Without<Operation>;

/**
 * Returns the list that is signed, as an item: wrapped with its memo in `client`, plain in `spec`, which has no memo.
 */
export function signedItem(operation: Operation): Item {
  return itemIn(operation.layout, operation);
}

/** Returns the RLP bytes of the signed list. */
export function signedBytes(operation: Operation): Uint8Array {
  return encode(signedItem(operation));
}

/** Returns Keccak-256 of the signed bytes, which the signature covers. */
export function digestOf(operation: Operation): Hash {
  return keccak(signedBytes(operation));
}

/** Returns the canonical one of the layouts with identical bytes (protocol 3.0): `client` if its bytes are the same. */
export function canonicalLayout(operation: Operation): Layout {
  const { layout } = operation;
  if (layout === "client") return layout;
  return keccak(encode(itemIn("client", operation))) === digestOf(operation) ? "client" : layout;
}

/**
 * Returns the first field that prevents a layout from signing exactly these fields, `undefined` if it signs them
 * (wire 3.8, 3.9). A memo that a layout does not sign could be changed in transit.
 */
export function layoutFault(layout: Layout, fields: UnsignedFields): Refusal | undefined {
  const { kind, memo } = fields;
  const { hasPairs, clientNeeds, notInSpec } = SIGNED[kind];
  if (layout === "client-json" && !hasPairs) return unsigned("additional_metadata", `a ${kind} has none`);
  if (memo !== undefined && layout !== "client") return unsigned("memo", `the ${layout} layout has none`);
  if (layout === "client-json") return undefined;
  for (const [name, wire] of layout === "client" ? clientNeeds : notInSpec) {
    const isGiven = fieldOf(fields, name) !== undefined;
    if (layout === "client" && !isGiven) return unsigned(wire, "the client layout always signs it");
    if (layout === "spec" && isGiven) return unsigned(wire, "the spec layout has none");
  }
  return undefined;
}

function unsigned(field: string, reason: string): Refusal {
  return { code: "validation_layout", field, reason };
}

function fieldOf(fields: UnsignedFields, name: string): unknown {
  return (fields as UnsignedFields & Readonly<Record<string, unknown>>)[name];
}

function itemIn(layout: Layout, operation: Operation): Item {
  const inner: Item[] = [uint(operation.chainId), uint(operation.nonce)];
  for (const { name, item, absent } of SIGNED[operation.kind].layouts[layout]) {
    const value = fieldOf(operation, name);
    if (value !== undefined) inner.push(item(value as never));
    else if (absent !== undefined) inner.push(absent);
  }
  return layout === "client" && operation.memo !== undefined ? [inner, memoItem(operation.memo)] : inner;
}

function memoItem(memo: Memo): Item {
  return [text(memo.type), text(memo.format), text(memo.data)];
}

/** Field with its encoder, looked up once per kind and layout. */
interface SignedField {
  readonly name: string;
  readonly item: (value: never) => Item;
  /** Item of an operation without a value; `undefined` if the item is left out. */
  readonly absent: Item | undefined;
}

const ITEMS: Readonly<Record<FieldType, (value: never) => Item>> = {
  address: hex,
  amount: uint,
  count: uint,
  flag: bool,
  pairs: (pairs: Metadata["additional"]) => pairs.map(([key, value]) => [text(key), text(value)]),
  text,
};

/** Text of the pairs in `client-json` (wire 3.8, 4): `[{"key":"k","value":"v"}]`. */
function jsonMetadata(pairs: Metadata["additional"]): Item {
  return text(JSON.stringify(pairs.map(([key, value]) => ({ key, value }))));
}

/** Signed fields of a kind, prepared once. */
interface SignedKind {
  readonly layouts: Readonly<Record<Layout, readonly SignedField[]>>;
  readonly hasPairs: boolean;
  /** Fields without which `client` cannot sign, and fields that `spec` does not sign. */
  readonly clientNeeds: readonly NamedField[];
  readonly notInSpec: readonly NamedField[];
}

type NamedField = readonly [name: string, wire: string];

function signedKind(kind: OperationKind): SignedKind {
  const { fields, spec } = KINDS[kind] as {
    readonly fields: Readonly<Record<string, Field>>;
    readonly spec: readonly string[];
  };
  const all = Object.entries(fields);
  const signed = (layout: Layout): SignedField[] => all.map(([name, field]) => signedField(name, field, layout));
  const named = ([name, { wire }]: readonly [string, Field]): NamedField => [name, wire];
  return {
    layouts: {
      client: signed("client"),
      "client-json": signed("client-json"),
      spec: signed("spec")
        .filter(({ name }) => spec.includes(name))
        .sort((a, b) => spec.indexOf(a.name) - spec.indexOf(b.name)),
    },
    hasPairs: all.some(([, { type }]) => type === "pairs"),
    clientNeeds: all.filter(([, { clientNeeds }]) => clientNeeds === true).map(named),
    notInSpec: all.filter(([name]) => !spec.includes(name)).map(named),
  };
}

function signedField(name: string, { type, absent }: Field, layout: Layout): SignedField {
  const item = layout === "client-json" && type === "pairs" ? jsonMetadata : ITEMS[type];
  return { name, item, absent: layout === "spec" ? absent?.spec : absent?.client };
}

const SIGNED = Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, signedKind(kind)])) as Readonly<
  Record<OperationKind, SignedKind>
>;
