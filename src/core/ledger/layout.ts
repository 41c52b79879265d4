/** Bytes that a client signs, in each layout (wire 3.1, 3.3, 3.4, 3.9). The received texts are what is hashed. */
import { olderLayout } from "../../layouts/older-layouts.ts";
import { requireDefined } from "../base/assert.ts";
import { bool, encode, fromHex, hex, type Item, joinBytes, text, uint } from "../base/encoding.ts";
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
  type RecentPosition,
} from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { keccak } from "../crypto/hash.ts";
import { hexFault } from "./field-rules.ts";
import { legsItem } from "./legs.ts";
import type { Field, FieldType } from "./operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "./operations/kinds.ts";

type WithoutLayout<T> = T extends unknown ? Omit<T, "layout"> : never;
/** Fields of an operation, independent of its layout. */
export type UnsignedFields = WithoutLayout<Operation>;

/** Text with which every signed list of version 2 begins, so that none is one of version 1 (wire 3.4). */
const DOMAIN = text("1money.native.transaction.v2");
/** Descriptors of a single signer and of a multisig account (wire 3.4). */
const SINGLE_SIGNER: Item = [uint(0)];
const ofAccount = (account: Address): Item => [uint(1), hex(account)];
/** Memo of an operation whose author gave none, in the layout that always has one. */
const EMPTY_MEMO: Memo = { type: "", format: "", data: "" };

/**
 * Returns the list that is signed, as an item: plain in version 1, wrapped with its memo in `client`, and in `v2` the
 * domain, the number of the kind, the descriptor of the signer, and list and memo as bytes. The hash of a copy holds it
 * so in every layout.
 */
export function signedItem(operation: Operation): Item {
  return itemIn(operation.layout, operation);
}

/**
 * Returns the RLP bytes of the signed list, behind which a multisig account signs its address in `client` (wire 3.3); of
 * a flat layout those of its items, one behind the other (wire 3.8, 1).
 */
export function signedBytes(operation: Operation): Uint8Array {
  const item = signedItem(operation);
  const { account, layout } = operation;
  if (account !== undefined && layout === "client") return joinBytes([encode(item), fromHex(account)]);
  return olderLayout(operation.layout)?.isFlat === true
    ? joinBytes((item as readonly Item[]).map(encode))
    : encode(item);
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
  const { signed, lacked, lackedKind } = SIGNED[kind].layouts[layout];
  if (lackedKind !== undefined) return unsignedFieldRefusal(lackedKind, `a ${kind} has none`);
  const lackedBy = lackOf(layout, kind);
  if (lackedBy !== undefined) return unsignedFieldRefusal("layout", `${lackedBy} has no ${kind}`);
  if (fields.account !== undefined && layout !== "client" && layout !== "v2")
    return unsignedFieldRefusal("authorization", `the ${layout} layout names no multisig account`);
  if (layout === "v2" && memo === undefined) return unsignedFieldRefusal("memo", "the v2 layout always signs it");
  if (memo !== undefined && !signsMemo(layout)) return unsignedFieldRefusal("memo", `the ${layout} layout has none`);
  const recent = RECENT.find(({ name }) => fields[name] !== undefined);
  if (recent !== undefined && !signsRecent(layout))
    return unsignedFieldRefusal(recent.wire, `the ${layout} layout has none`);
  const missing = signed.find(({ name, isNeeded }) => isNeeded && fieldOf(fields, name) === undefined);
  if (missing !== undefined) return unsignedFieldRefusal(missing.wire, `the ${layout} layout always signs it`);
  const surplus = lacked.find(([name]) => fieldOf(fields, name) !== undefined);
  if (surplus !== undefined) return unsignedFieldRefusal(surplus[1], `the ${layout} layout has none`);
  return firstFault(layout, signed, fields);
}

/** Returns the version or the layout that lacks a kind, `undefined` if the layout has it. */
function lackOf(layout: Layout, kind: OperationKind): string | undefined {
  const { version1 } = KINDS[kind];
  if (version1 === undefined || layout === "v2") return undefined;
  if (version1 === "none") return "version 1";
  return layout === "client" ? undefined : `the ${layout} layout`;
}

/** Returns why an older layout cannot sign a value: lower case only, so that one text stands for what is signed. */
function firstFault(layout: Layout, signed: readonly SignedField[], fields: UnsignedFields): Refusal | undefined {
  for (const { name, wire, bytes, fault } of signed) {
    const value = fieldOf(fields, name);
    if (bytes !== undefined && !isHexOf(bytes, value))
      return unsignedFieldRefusal(wire, `the ${layout} layout signs ${bytes} bytes in its place`);
    const reason = fault?.(value as never);
    if (reason !== undefined) return unsignedFieldRefusal(wire, reason);
  }
  return undefined;
}

function isHexOf(bytes: number, value: unknown): boolean {
  return typeof value === "string" && value.length === 2 + 2 * bytes && hexFault("", value, bytes) === undefined;
}

/** Returns true if a layout signs a memo. */
export function signsMemo(layout: Layout): boolean {
  return layout === "client" || layout === "v2";
}

/** Members that clients of two eras sign first, in this order, with their names in a body (wire 3.3, E2 and E3). */
export const RECENT: readonly { readonly name: keyof RecentPosition; readonly wire: string }[] = [
  { name: "recentEpoch", wire: "recent_epoch" },
  { name: "recentCheckpoint", wire: "recent_checkpoint" },
];

function signsRecent(layout: Layout): boolean {
  return layout === "client" || olderLayout(layout)?.signsRecent === true;
}

/**
 * Returns the fields as a layout signs them: `v2` signs every field, so absent ones get the value that it gives them
 * (wire 3.4), and so do the texts of a bridge in each layout that needs them (wire 3.8).
 */
export function completeFields(layout: Layout, unsignedFields: UnsignedFields): UnsignedFields {
  const fields = SIGNED[unsignedFields.kind].isOfBridge ? withBridgeFields(layout, unsignedFields) : unsignedFields;
  if (layout !== "v2") return fields;
  const absent = [...SIGNED[fields.kind].absentInV2].filter(([name]) => fieldOf(fields, name) === undefined);
  return { memo: EMPTY_MEMO, ...fields, ...Object.fromEntries(absent) };
}

/** The members of the kind last and in their order, whichever were given. */
function withBridgeFields(layout: Layout, unsignedFields: UnsignedFields): UnsignedFields {
  const { absentInV2, layouts } = SIGNED[unsignedFields.kind];
  const fields = layouts[layout].signed.flatMap(({ name, bytes, isNeeded }) => {
    const value = fieldOf(unsignedFields, name) ?? (isNeeded ? absentInV2.get(name) : undefined);
    const isBytes = bytes !== undefined && typeof value === "string";
    return value === undefined ? [] : [[name, isBytes ? value.toLowerCase() : value] as const];
  });
  const fieldNames = new Set(layouts.client.signed.map(({ name }) => name));
  const head = Object.entries(unsignedFields).filter(([name]) => !fieldNames.has(name));
  return Object.fromEntries([...head, ...fields]) as unknown as UnsignedFields;
}

/** Returns true if an author gave the memo: three empty texts stand for none in `v2`, which always signs one. */
export function hasMemo({ layout, memo }: Operation): boolean {
  if (memo === undefined) return false;
  return layout !== "v2" || memo.type !== "" || memo.format !== "" || memo.data !== "";
}

/** Returns the layout of an operation whose author names none. */
export function usualLayout(kind: OperationKind): Layout {
  return KINDS[kind].version1 === undefined ? "client" : "v2";
}

/**
 * Returns the layout of a cancellation by the single key that signed an operation in some layout: published clients sign
 * none in version 2 (wire 1.3), and none in a layout of a bridge (wire 3.8).
 */
export function layoutOfCancellation(layout: Layout): Layout {
  return layout === "v2" || olderLayout(layout)?.only === "bridgeMetadata" ? "client" : layout;
}

/** Returns the operation of these fields as a multisig account signs it, with its address (specification 5.18). */
export function multisigOperation(fields: UnsignedFields, account: Address, layout: "client" | "v2" = "v2"): Operation {
  return { ...completeFields(layout, fields), layout, account } as Operation;
}

function unsignedFieldRefusal(field: string, reason: string): Refusal {
  return { code: "validation_layout", field, reason };
}

function fieldOf(fields: UnsignedFields, name: string): unknown {
  return (fields as UnsignedFields & Readonly<Record<string, unknown>>)[name];
}

function itemIn(layout: Layout, operation: Operation): Item {
  const recent = signsRecent(layout) ? recentItems(operation) : [];
  const inner: Item[] = [...recent, uint(operation.chainId), uint(operation.nonce)];
  const gaps: Item[] = [];
  for (const { name, item, absent, gap, mark } of SIGNED[operation.kind].layouts[layout].signed) {
    const value = fieldOf(operation, name);
    if (value !== undefined) inner.push(...gaps.splice(0), ...mark, item(value as never));
    else if (absent !== undefined) inner.push(absent);
    else if (gap !== undefined) gaps.push(gap);
  }
  const { memo } = operation;
  if (layout === "v2") return domainItem(operation, [inner, memoItem(memo ?? EMPTY_MEMO)]);
  return layout === "client" && memo !== undefined ? [inner, memoItem(memo)] : inner;
}

function recentItems(operation: RecentPosition): readonly Item[] {
  return RECENT.flatMap(({ name }) => {
    const number = operation[name];
    return number === undefined ? [] : [uint(number)];
  });
}

function domainItem(operation: Operation, payload: Item): Item {
  const { opType } = KINDS[operation.kind];
  const number = typeof opType === "number" ? opType : opType[(operation as List).list];
  const { account } = operation;
  const descriptor = account === undefined ? SINGLE_SIGNER : ofAccount(account);
  return [DOMAIN, uint(number), descriptor, encode(payload)];
}

function memoItem(memo: Memo): Item {
  return [text(memo.type), text(memo.format), text(memo.data)];
}

/** Field with its encoder, looked up once per kind and layout. */
interface SignedField {
  readonly name: string;
  /** Name of its member in a body. */
  readonly wire: string;
  readonly item: (value: never) => Item;
  /** True if the layout cannot sign an operation without a value. */
  readonly isNeeded: boolean;
  /** Item of an operation without a value; `undefined` if the item is left out. */
  readonly absent: Item | undefined;
  /** Item of an operation without a value that has one of a later field. */
  readonly gap: Item | undefined;
  /** Items before a value. */
  readonly mark: readonly Item[];
  /** Number of bytes that are signed in place of the text. */
  readonly bytes: number | undefined;
  readonly fault: ((value: never) => string | undefined) | undefined;
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

/** Fields of a kind in a layout. */
interface KindLayout {
  /** Fields in the order in which they are signed. */
  readonly signed: readonly SignedField[];
  readonly lacked: readonly (readonly [name: string, wire: string])[];
  /** Member of a body that every kind of the layout has, and this kind does not. */
  readonly lackedKind: string | undefined;
}

/** Returns the fields that a layout signs, in its order. */
export function signedFieldsOf(kind: OperationKind, layout: Layout): readonly Pick<SignedField, "name">[] {
  return SIGNED[kind].layouts[layout].signed;
}

/** Signed fields of a kind, prepared once. */
interface SignedKind {
  readonly layouts: Readonly<Record<Layout, KindLayout>>;
  /** True if clients may leave texts out that are signed as empty ones. */
  readonly isOfBridge: boolean;
  readonly absentInV2: ReadonlyMap<string, unknown>;
}

function signedKind(kind: OperationKind): SignedKind {
  const fields: Readonly<Record<string, Field>> = KINDS[kind].fields;
  const all = Object.entries(fields);
  return {
    layouts: Object.fromEntries(LAYOUTS.map((layout) => [layout, kindLayout(kind, fields, layout)])) as Record<
      Layout,
      KindLayout
    >,
    isOfBridge: all.some(([, { clientNeeds, v2 }]) => clientNeeds === true && typeof v2 === "object"),
    absentInV2: new Map(all.flatMap(([name, { v2 }]) => (typeof v2 === "object" ? [[name, v2.absent] as const] : []))),
  };
}

function kindLayout(kind: OperationKind, fields: Readonly<Record<string, Field>>, layout: Layout): KindLayout {
  const older = olderLayout(layout);
  const names = older?.order?.[kind] ?? Object.keys(fields);
  const isSigned = (name: string): boolean =>
    older === undefined
      ? layout !== "v2" || fields[name]?.v2 !== "none"
      : names.includes(name) && older.fields[name]?.isUnsigned !== true;
  const lacked = Object.entries(fields).filter(([name]) => !isSigned(name));
  const only = older?.only;
  return {
    signed: names.filter(isSigned).map((name) => signedField(name, requireDefined(fields[name], name), layout)),
    lacked: lacked.map(([name, { wire }]) => [name, wire]),
    lackedKind: only === undefined || only in fields ? undefined : WIRE_NAMES.get(only),
  };
}

function signedField(name: string, field: Field, layout: Layout): SignedField {
  const { type, wire, gap, v2, clientNeeds } = field;
  const older = olderLayout(layout)?.fields[name];
  const { bytes, mark, fault } = older ?? {};
  return {
    name,
    wire,
    item: older?.item ?? (bytes === undefined ? ITEMS[type] : hexOrText),
    isNeeded: layout === "v2" ? v2 !== "tail" : clientNeeds === true && older?.isOptional !== true,
    absent: older === undefined ? field.absent : older.absent,
    gap,
    mark: mark === undefined ? [] : [mark],
    bytes,
    fault,
  };
}

/** Names of fields in bodies. */
const WIRE_NAMES: ReadonlyMap<string, string> = new Map(
  OPERATION_KINDS.flatMap((kind) => Object.entries<Field>(KINDS[kind].fields).map(([name, { wire }]) => [name, wire])),
);

const SIGNED = Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, signedKind(kind)])) as Readonly<
  Record<OperationKind, SignedKind>
>;
