/**
 * Layouts in which released clients once signed version 1, and the layout of the published specification: the table of
 * their differences from the layout `client` (wire 3.8, 3.9). `core/ledger/layout.ts` signs and checks by it.
 */
import { bool, type Item, text, uint } from "../core/base/encoding.ts";
import type { Layout, Metadata, OperationKind } from "../core/base/operation.ts";

/** Layouts besides those that the clients of today sign. */
export type OlderLayoutName = Exclude<Layout, "client" | "v2">;

/** Difference of one field. */
export interface FieldDifference {
  /** True if the layout has no such field. */
  readonly isUnsigned?: true;
  /** True if the layout signs an operation without the field, which `client` does not. */
  readonly isOptional?: true;
  /** Item in place of the usual one. */
  readonly item?: (value: never) => Item;
  /** Item before a value. */
  readonly mark?: Item;
  /** Item of an operation without a value. */
  readonly absent?: Item;
  /** Number of bytes that are signed in place of the text, which is 0x and their hex digits in lower case. */
  readonly bytes?: number;
  /** Returns why the layout cannot sign a value, `undefined` if it can. */
  readonly fault?: (value: never) => string | undefined;
}

/** Difference of a layout. None of them signs a memo. */
export interface OlderLayout {
  /** Noun phrase for error messages. */
  readonly name: string;
  /** Sentence for the schema of scenarios. */
  readonly about: string;
  /** Field that the kinds of the layout have; absent: the layout signs every kind of version 1. */
  readonly only?: string;
  /** True if `recent_epoch` and `recent_checkpoint` are signed first (wire 3.3). */
  readonly signsRecent?: true;
  /** True if the items are signed one behind the other, without a list around them. */
  readonly isFlat?: true;
  /** By name. */
  readonly fields: Readonly<Record<string, FieldDifference>>;
  /** Fields in their order, of kinds that differ in it. */
  readonly order?: Readonly<Partial<Record<OperationKind, readonly string[]>>>;
}

type Pairs = Metadata["additional"];

const MARKED: FieldDifference = { isOptional: true, mark: bool(true), absent: bool(false) };
const UNSIGNED: FieldDifference = { isUnsigned: true };

export const OLDER_LAYOUTS: Readonly<Record<OlderLayoutName, OlderLayout>> = {
  /** TypeScript up to 1.1 (wire 3.8, 4). */
  "client-json": {
    name: "client layout, metadata as text",
    about: "The same, with metadata pairs as one JSON text, as older clients sign them.",
    only: "additional",
    signsRecent: true,
    fields: { additional: { item: jsonMetadata } },
  },
  /** TypeScript 1.0.10 and 1.0.11 (wire 3.8, 4). */
  "client-0x": {
    name: "client layout, no metadata as the text 0x",
    about: "The same, with the text 0x for no metadata pairs, as older clients sign them.",
    only: "additional",
    signsRecent: true,
    fields: {
      additional: {
        item: () => text("0x"),
        fault: (pairs: Pairs) => (pairs.length > 0 ? "the text 0x stands for none" : undefined),
      },
    },
  },
  /** Rust 0.12 to 0.15 (wire 3.8, 1). */
  "client-flat": {
    name: "client layout, items without a list",
    about: "The same, of operations of a bridge, without a list around the fields, as older clients sign them.",
    only: "bridgeMetadata",
    signsRecent: true,
    isFlat: true,
    fields: { bridgeMetadata: MARKED, bridgeParam: MARKED },
  },
  /** TypeScript 1.1 (wire 3.8, 2). */
  "client-raw": {
    name: "client layout, bytes for texts",
    about:
      "The same, of operations of a bridge, with bytes in place of the other chain's texts and without a text for the bridge, as older clients sign them.",
    only: "bridgeMetadata",
    fields: {
      sourceTxHash: { bytes: 32 },
      destinationAddress: { bytes: 20 },
      bridgeMetadata: UNSIGNED,
      bridgeParam: UNSIGNED,
    },
  },
  /** No released client: the order of the published specification (wire 3.9). */
  spec: {
    name: "spec layout",
    about: "The order that the specification states.",
    fields: { isPrivate: { isOptional: true }, value: { absent: uint(0n) } },
    order: {
      issue: ["name", "symbol", "decimals", "masterAuthority", "isPrivate"],
      mint: ["token", "recipient", "value"],
      burn: ["token", "value", "recipient"],
      metadata: ["token", "name", "uri", "additional"],
      list: ["token", "address", "action"],
      authority: ["token", "authorityAddress", "action", "authorityType", "value"],
      pause: ["token", "action"],
    },
  },
};

/** Returns the differences of a layout, `undefined` for a layout of today's clients. */
export function olderLayout(layout: Layout): OlderLayout | undefined {
  return layout === "client" || layout === "v2" ? undefined : OLDER_LAYOUTS[layout];
}

/** Text of the pairs: `[{"key":"k","value":"v"}]`. */
function jsonMetadata(pairs: Pairs): Item {
  return text(JSON.stringify(pairs.map(([key, value]) => ({ key, value }))));
}
