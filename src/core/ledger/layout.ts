/** Bytes that a client signs, in each layout (wire 3.1, 3.3, 3.4, 3.9). The received texts are what is hashed. */
import { required } from "../base/assert.ts";
import { bool, concatenated, encode, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Address, Hash } from "../base/ids.ts";
import {
  type CreateMultisig,
  LAYOUTS,
  type Layout,
  type List,
  type Memo,
  type Metadata,
  type Operation,
  type OperationKind,
  type Recent,
} from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { keccak } from "../crypto/hash.ts";
import { hexFault } from "./field-rules.ts";
import { legsItem } from "./legs.ts";
import { domainPathsOf, type Field, type FieldType } from "./operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "./operations/kinds.ts";

type Without<T> = T extends unknown ? Omit<T, "layout"> : never;
/** Fields of an operation, independent of its layout. */
export type UnsignedFields = Without<Operation>;

/** Text with which every signed list of version 2 begins, so that none is one of version 1 (wire 3.4). */
const DOMAIN = text("1money.native.transaction.v2");
/** Descriptors of a single signer and of a multisig account (wire 3.4). */
const SINGLE_SIGNER: Item = [uint(0)];
const ofAccount = (account: Address): Item => [uint(1), hex(account)];
/** Memo of an operation whose author gave none, in the layout that always has one. */
const EMPTY_MEMO: Memo = { type: "", format: "", data: "" };

/**
 * Returns the list that is signed, as an item: plain in `spec`, wrapped with its memo in `client`, and in `v2` the
 * domain, the number of the kind, the descriptor of the signer, and list and memo as bytes. The hash of a copy holds it
 * so in `client-flat` too.
 */
export function signedItem(operation: Operation): Item {
  return itemIn(operation.layout, operation);
}

/** Returns the RLP bytes of the signed list; in `client-flat` those of its items, one behind the other (wire 3.8, 1). */
export function signedBytes(operation: Operation): Uint8Array {
  const item = signedItem(operation);
  return operation.layout === "client-flat" ? concatenated((item as readonly Item[]).map(encode)) : encode(item);
}

/** Returns Keccak-256 of the signed bytes, which the signature covers. */
export function digestOf(operation: Operation): Hash {
  return keccak(signedBytes(operation));
}

/** Returns the canonical one of the layouts with identical bytes (protocol 3.0): `client` if its bytes are the same. */
export function canonicalLayout(operation: Operation): Layout {
  const { layout } = operation;
  if (layout === "client" || layout === "v2") return layout;
  return keccak(encode(itemIn("client", operation))) === digestOf(operation) ? "client" : layout;
}

/**
 * Returns the first field that prevents a layout from signing exactly these fields, `undefined` if it signs them
 * (wire 3.8, 3.9). A memo that a layout does not sign could be changed in transit.
 */
export function layoutFault(layout: Layout, fields: UnsignedFields): Refusal | undefined {
  const { kind, memo } = fields;
  const { hasPairs, isOfBridge, isOnlyV2, needs, lacks, raw } = SIGNED[kind];
  if (isForBridge(layout) && !isOfBridge) return unsigned("bridge_metadata", `a ${kind} has none`);
  if (isAsText(layout) && !hasPairs) return unsigned("additional_metadata", `a ${kind} has none`);
  if (layout === "client-0x" && hasAny(fields)) return unsigned("additional_metadata", "the text 0x stands for none");
  if (layout !== "v2" && isOnlyV2) return unsigned("layout", `version 1 has no ${kind}`);
  if (fields.account !== undefined && layout !== "v2")
    return unsigned("authorization", `the ${layout} layout names no multisig account`);
  if (layout === "v2" && memo === undefined) return unsigned("memo", "the v2 layout always signs it");
  if (memo !== undefined && !signsMemo(layout)) return unsigned("memo", `the ${layout} layout has none`);
  const recent = RECENT.find(({ name }) => fields[name] !== undefined);
  if (recent !== undefined && !signsRecent(layout)) return unsigned(recent.wire, `the ${layout} layout has none`);
  const missing = needs[layout].find(([name]) => fieldOf(fields, name) === undefined);
  if (missing !== undefined) return unsigned(missing[1], `the ${layout} layout always signs it`);
  const surplus = lacks[layout].find(([name]) => fieldOf(fields, name) !== undefined);
  if (surplus !== undefined) return unsigned(surplus[1], `the ${layout} layout has none`);
  const other = layout === "client-raw" && raw.find(([name, , bytes]) => !isHexOf(bytes, fieldOf(fields, name)));
  return other ? unsigned(other[1], `the ${layout} layout signs ${other[2]} bytes in its place`) : undefined;
}

/** Lower case only, so that one text stands for what is signed. */
function isHexOf(bytes: number, value: unknown): boolean {
  return typeof value === "string" && value.length === 2 + 2 * bytes && hexFault("", value, bytes) === undefined;
}

/** Returns true if a layout signs a memo. */
export function signsMemo(layout: Layout): boolean {
  return layout === "client" || layout === "v2";
}

/** Members that clients of two eras sign first, in this order, with their names in a body (wire 3.3, E2 and E3). */
export const RECENT: readonly { readonly name: keyof Recent; readonly wire: string }[] = [
  { name: "recentEpoch", wire: "recent_epoch" },
  { name: "recentCheckpoint", wire: "recent_checkpoint" },
];

function signsRecent(layout: Layout): boolean {
  return layout === "client" || layout === "client-flat" || isAsText(layout);
}

/** Returns true if a layout signs operations of a bridge only. */
function isForBridge(layout: Layout): boolean {
  return layout === "client-flat" || layout === "client-raw";
}

/** Returns true if a layout signs the pairs of a metadata update as one text. */
function isAsText(layout: Layout): boolean {
  return layout === "client-json" || layout === "client-0x";
}

function hasAny(fields: UnsignedFields): boolean {
  return fields.kind === "metadata" && fields.additional.length > 0;
}

/**
 * Returns the fields as a layout signs them: `v2` signs every field, so absent ones get the value that it gives them
 * (wire 3.4), and most layouts the texts of a bridge (wire 3.8).
 */
export function completed(layout: Layout, given: UnsignedFields): UnsignedFields {
  const fields = SIGNED[given.kind].isOfBridge ? withBridgeFields(layout, given) : given;
  if (layout !== "v2") return fields;
  const absent = SIGNED[fields.kind].absentInV2.filter(([name]) => fieldOf(fields, name) === undefined);
  return { memo: EMPTY_MEMO, ...fields, ...Object.fromEntries(absent) };
}

/** The members of the kind last and in their order, whichever were given. */
function withBridgeFields(layout: Layout, given: UnsignedFields): UnsignedFields {
  const { absentInV2, layouts, raw } = SIGNED[given.kind];
  const [absent, hex] = [new Map(absentInV2), new Set(raw.map(([name]) => name))];
  const fields = layouts[layout].flatMap(({ name }) => {
    const value = fieldOf(given, name) ?? (layout === "client-flat" ? undefined : absent.get(name));
    const isBytes = layout === "client-raw" && hex.has(name) && typeof value === "string";
    return value === undefined ? [] : [[name, isBytes ? value.toLowerCase() : value] as const];
  });
  const own = new Set(layouts.client.map(({ name }) => name));
  const head = Object.entries(given).filter(([name]) => !own.has(name));
  return Object.fromEntries([...head, ...fields]) as unknown as UnsignedFields;
}

/** Returns true if an author gave the memo: three empty texts stand for none in `v2`, which always signs one. */
export function hasMemo({ layout, memo }: Operation): boolean {
  if (memo === undefined) return false;
  return layout !== "v2" || memo.type !== "" || memo.format !== "" || memo.data !== "";
}

/** Returns the layout of an operation whose author names none. */
export function usualLayout(kind: OperationKind): Layout {
  return SIGNED[kind].isOnlyV2 ? "v2" : "client";
}

/**
 * Returns the layout of a cancellation by the single key that signed an operation in some layout: published clients sign
 * none in version 2 (wire 1.3), and none in a layout of a bridge (wire 3.8).
 */
export function layoutOfCancellation(layout: Layout): Layout {
  return layout === "v2" || isForBridge(layout) ? "client" : layout;
}

/** Returns the operation of these fields as a multisig account signs it: in version 2, with it (specification 5.18). */
export function ofMultisig(fields: UnsignedFields, account: Address): Operation {
  return { ...completed("v2", fields), layout: "v2", account } as Operation;
}

function unsigned(field: string, reason: string): Refusal {
  return { code: "validation_layout", field, reason };
}

function fieldOf(fields: UnsignedFields, name: string): unknown {
  return (fields as UnsignedFields & Readonly<Record<string, unknown>>)[name];
}

function itemIn(layout: Layout, operation: Operation): Item {
  const recent = signsRecent(layout) ? recentItems(operation) : [];
  const inner: Item[] = [...recent, uint(operation.chainId), uint(operation.nonce)];
  const gaps: Item[] = [];
  for (const { name, item, absent, gap, mark } of SIGNED[operation.kind].layouts[layout]) {
    const value = fieldOf(operation, name);
    if (value !== undefined) inner.push(...gaps.splice(0), ...mark, item(value as never));
    else if (absent !== undefined) inner.push(absent);
    else if (gap !== undefined) gaps.push(gap);
  }
  const { memo } = operation;
  if (layout === "v2") return domainItem(operation, [inner, memoItem(memo ?? EMPTY_MEMO)]);
  return layout === "client" && memo !== undefined ? [inner, memoItem(memo)] : inner;
}

function recentItems(operation: Recent): readonly Item[] {
  return RECENT.flatMap(({ name }) => {
    const number = operation[name];
    return number === undefined ? [] : [uint(number)];
  });
}

function domainItem(operation: Operation, payload: Item): Item {
  const opType = SIGNED[operation.kind].opTypes.get(operation.kind === "list" ? operation.list : undefined);
  const { account } = operation;
  const descriptor = account === undefined ? SINGLE_SIGNER : ofAccount(account);
  return [DOMAIN, uint(required(opType, `number of ${operation.kind}`)), descriptor, encode(payload)];
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
  /** Item of an operation without a value that has one of a later field. */
  readonly gap: Item | undefined;
  /** Items before a value. */
  readonly mark: readonly Item[];
}

const ITEMS: Readonly<Record<FieldType, (value: never) => Item>> = {
  address: hex,
  amount: uint,
  chain: uint,
  count: uint,
  flag: bool,
  hex: hexOrText,
  legs: legsItem,
  signers: (signers: CreateMultisig["signers"]) => signers.map(({ key, weight }) => [byteItems(key), uint(weight)]),
  pairs: (pairs: Metadata["additional"]) => pairs.map(([key, value]) => [text(key), text(value)]),
  text,
  time: uint,
};

/** A text that is no hex is refused for its form, after it was hashed. */
export function hexOrText(value: string): Item {
  return hexFault("", value, value.length) === undefined ? hex(value) : text(value);
}

/** Clients sign the bytes of a key as a list of integers (wire 3.2). */
function byteItems(key: string): Item {
  const item = hexOrText(key);
  return item instanceof Uint8Array ? [...item].map(uint) : item;
}

/** Text of the pairs in `client-json` (wire 3.8, 4): `[{"key":"k","value":"v"}]`. */
function jsonMetadata(pairs: Metadata["additional"]): Item {
  return text(JSON.stringify(pairs.map(([key, value]) => ({ key, value }))));
}

/** Text of no pairs in `client-0x`: what older clients make of an empty list (wire 3.8, 4). */
const NO_PAIRS: Item = text("0x");

/** Item of the pairs in the layouts that differ. */
const PAIRS: Readonly<Partial<Record<Layout, (pairs: never) => Item>>> = {
  "client-json": jsonMetadata,
  "client-0x": () => NO_PAIRS,
};

/** Signed fields of a kind, prepared once. */
interface SignedKind {
  readonly layouts: Readonly<Record<Layout, readonly SignedField[]>>;
  readonly hasPairs: boolean;
  readonly isOfBridge: boolean;
  /** Fields of which `client-raw` signs this number of bytes. */
  readonly raw: readonly (readonly [name: string, wire: string, bytes: number])[];
  readonly isOnlyV2: boolean;
  /** Numbers of the kind in version 2, by list: one, or one for each list. */
  readonly opTypes: ReadonlyMap<List["list"] | undefined, number>;
  /** Fields without which a layout cannot sign, and fields that it does not sign. */
  readonly needs: Readonly<Record<Layout, readonly NamedField[]>>;
  readonly lacks: Readonly<Record<Layout, readonly NamedField[]>>;
  readonly absentInV2: readonly (readonly [name: string, value: unknown])[];
}

type NamedField = readonly [name: string, wire: string];

function signedKind(kind: OperationKind): SignedKind {
  const spec: readonly string[] = KINDS[kind].spec;
  const fields: Readonly<Record<string, Field>> = KINDS[kind].fields;
  const all = Object.entries(fields);
  const signed = (layout: Layout): SignedField[] => all.map(([name, field]) => signedField(name, field, layout));
  const named = (from: readonly (readonly [string, Field])[]): NamedField[] =>
    from.map(([name, { wire }]) => [name, wire]);
  const marked = all.filter(([, { isMarked }]) => isMarked === true);
  const isInV2 = ([, { v2 }]: readonly [string, Field]): boolean => v2 !== "none";
  const isAlwaysInV2 = ([, { v2 }]: readonly [string, Field]): boolean => v2 !== "none" && v2 !== "tail";
  return {
    layouts: {
      ...byLayout(signed),
      "client-raw": signed("client-raw").filter(({ name }) => fields[name]?.isMarked !== true),
      spec: signed("spec")
        .filter(({ name }) => spec.includes(name))
        .sort((a, b) => spec.indexOf(a.name) - spec.indexOf(b.name)),
      v2: all.filter(isInV2).map(([name, field]) => signedField(name, field, "v2")),
    },
    isOnlyV2: KINDS[kind].isOnlyV2 === true,
    hasPairs: all.some(([, { type }]) => type === "pairs"),
    isOfBridge: marked.length > 0,
    raw: all.flatMap(([name, { wire, rawBytes }]) => (rawBytes === undefined ? [] : [[name, wire, rawBytes] as const])),
    opTypes: new Map(domainPathsOf(KINDS[kind]).map(([, { list, opType }]) => [list, opType])),
    needs: {
      ...byLayout(() => []),
      client: named(all.filter(([, { clientNeeds, isMarked }]) => clientNeeds === true || isMarked === true)),
      spec: named(marked),
      v2: named(all.filter(isAlwaysInV2)),
    },
    lacks: {
      ...byLayout(() => []),
      "client-raw": named(marked),
      spec: named(all.filter(([name]) => !spec.includes(name))),
      v2: named(all.filter((field) => !isInV2(field))),
    },
    absentInV2: all.flatMap(([name, { v2 }]) => (typeof v2 === "object" ? [[name, v2.absent] as const] : [])),
  };
}

function byLayout<T>(make: (layout: Layout) => T): Record<Layout, T> {
  return Object.fromEntries(LAYOUTS.map((layout) => [layout, make(layout)])) as Record<Layout, T>;
}

function signedField(name: string, { type, absent, gap, isMarked, rawBytes }: Field, layout: Layout): SignedField {
  const other = type === "pairs" ? PAIRS[layout] : layout === "client-raw" && rawBytes !== undefined && hexOrText;
  const field = { name, item: other || ITEMS[type], gap };
  if (layout === "client-flat" && isMarked === true) return { ...field, absent: bool(false), mark: [bool(true)] };
  return { ...field, absent: layout === "spec" ? absent?.spec : absent?.client, mark: [] };
}

const SIGNED = Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, signedKind(kind)])) as Readonly<
  Record<OperationKind, SignedKind>
>;
