/** Writes of a session: what is drawn of each, its fields, its signer and its layout. */
import fc from "fast-check";
import type { WriteMode } from "../../../src/server/wire/write-mode.ts";
import type { Fields, Kind, Layout } from "../client/layouts.ts";
import type { Json } from "../served/support.ts";
import { BOARD, CREATION } from "./board.ts";

export const NODES = ["v1", "v2", "v3", "v4"] as const;
export const PEOPLE = ["issuer", "alice", "bob", "carol", "dave"] as const;
const LAYOUTS: readonly Layout[] = ["client", "spec", "v2"];

/** One write: its kind, signer, recipient and layout, and the validator that is asked. */
export interface Write {
  /**
   * `recovery`: two payments of one nonce, and their proof. `board`: a payment or a batch of the multisig account, with
   * too little weight if `flag` is false.
   */
  readonly kind: keyof typeof KINDS | "recovery" | "board";
  readonly from: (typeof PEOPLE)[number];
  readonly to: (typeof PEOPLE)[number];
  readonly value: number;
  readonly layout: Layout;
  readonly node: (typeof NODES)[number];
  readonly flag: boolean;
}

type Made = { readonly [K in Kind]: readonly [K, Fields[K]] }[Kind];

export interface Surroundings {
  readonly address: (name: string) => string;
  readonly token: string;
  readonly issued: string;
}

/** Fields of each kind of write. */
export const KINDS = {
  payment: ({ to, value }, { address, token }) => ["payment", { recipient: address(to), value: `${value}`, token }],
  mint: ({ to, value }, { address, token }) => ["mint", { recipient: address(to), value: `${value}`, token }],
  burn: ({ value }, { token }) => ["burn", { value: `${value}`, token }],
  forced: ({ to, value }, { address, token }) => ["burn", { recipient: address(to), value: `${value}`, token }],
  grant: ({ to, value, flag }, { address, token }) => [
    "authority",
    {
      ...{ action: flag ? "Grant" : "Revoke", authority_type: value % 2 === 0 ? "MintBurnTokens" : "Pause" },
      ...{ authority_address: address(to), token, value: `${value}` },
    },
  ],
  pause: ({ flag }, { token }) => ["pause", { action: flag ? "Pause" : "Unpause", token }],
  list: ({ to, flag }, { address, token }) => [
    "blacklist",
    { action: flag ? "Add" : "Remove", address: address(to), token },
  ],
  whitelist: ({ to, flag }, { address, issued: token }) => [
    "whitelist",
    { action: flag ? "Add" : "Remove", address: address(to), token },
  ],
  metadata: ({ value }, { token }) => [
    "metadata",
    { name: `Dollar ${value}`, uri: "", token, additional_metadata: [{ key: "k", value: `${value}` }] },
  ],
  issue: ({ to, value }, { address }) => [
    "issue",
    {
      ...{ symbol: value % 2 === 0 ? "NEW" : `N${value}`, name: "New", decimals: 2, is_private: true },
      master_authority: address(value % 2 === 0 ? "alice" : to),
    },
  ],
  batch: ({ from, to, value, flag }, { address, token }) => [
    "batch",
    {
      ...{ token, created_at: value, ...(flag ? { batch_id: `b${value}` } : {}) },
      operations: [to, from, to].map((name, at) => ({ recipient: address(name), amount: `${value + at}` })),
    },
  ],
  cancellation: () => ["cancellation", {}],
  create: () => ["multisig", CREATION],
  endow: ({ value }, { token }) => ["mint", { recipient: BOARD, value: `${value}00000`, token }],
} as const satisfies Record<string, (write: Write, known: Surroundings) => Made>;

export const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom("recovery", "board", "board", ...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  from: fc.constantFrom(...PEOPLE),
  to: fc.constantFrom(...PEOPLE),
  value: fc.integer({ min: 1, max: 1_000 }),
  layout: fc.constantFrom(...LAYOUTS),
  node: fc.constantFrom(...NODES),
  flag: fc.boolean(),
});

/** Those who sign a kind when it is to succeed. */
export const SIGNERS: Readonly<Partial<Record<Write["kind"], string>>> = {
  ...{ mint: "issuer", forced: "issuer", grant: "issuer", list: "issuer", metadata: "issuer", issue: "operator" },
  ...{ pause: "issuer", whitelist: "alice", endow: "issuer" },
};

export function layoutIn(mode: WriteMode, layout: Layout, kind: Kind, fields: Json): Layout {
  if (kind === "batch" || kind === "multisig") return "v2";
  const hasV2 = kind !== "cancellation" && !(kind === "burn" && "recipient" in fields);
  if (layout === "v2" || mode === "v2-only") return mode !== "v1-only" && hasV2 ? "v2" : "client";
  return layout;
}
