/** Writes of a session: what is drawn of each, its fields, its signer and its layout. */
import fc from "fast-check";
import type { WriteMode } from "../../../src/server/wire/paths.ts";
import type { Fields, Kind, Layout } from "../client/layouts.ts";
import type { Json } from "../served/support.ts";
import { BOARD, CREATION } from "./board.ts";

export const NODES = ["v1", "v2", "v3", "v4"] as const;
export const PEOPLE = ["issuer", "alice", "bob", "carol", "dave"] as const;
const LAYOUTS: readonly Layout[] = ["client", "spec", "v2"];

/** One write: its kind, signer, recipient and layout, and the validator that is asked. */
export interface Write {
  /**
   * `recovery`: two payments of one nonce, which are posted if `flag`, and their proof. `board`: a payment or a batch of the multisig account, with
   * too little weight if `flag` is false. `again`: the bytes of an earlier write, as a new one only unless `flag`.
   * `rival`: a payment for the nonce of an earlier write of its signer.
   */
  readonly kind: keyof typeof KINDS | "recovery" | "board" | "again" | "rival";
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

const ROLES = ["MintBurnTokens", "Pause", "ManageList", "UpdateMetadata", "Clawback", "Bridge"] as const;

/** Fields of each kind of write. */
export const KINDS = {
  payment: ({ to, value }, { address, token }) => ["payment", { recipient: address(to), value: `${value}`, token }],
  mint: ({ to, value }, { address, token }) => ["mint", { recipient: address(to), value: `${value}`, token }],
  burn: ({ value }, { token }) => ["burn", { value: `${value}`, token }],
  forced: ({ to, value }, { address, token }) => ["burn", { recipient: address(to), value: `${value}`, token }],
  grant: ({ to, value, flag }, { address, token }) => [
    "authority",
    {
      ...{ action: flag ? "Grant" : "Revoke", authority_type: ROLES[value % ROLES.length] ?? "Pause" },
      ...{ authority_address: address(to), token, value: `${value}` },
    },
  ],
  bridge: ({ to, flag }, { address, token }) => [
    "authority",
    { action: flag ? "Grant" : "Revoke", authority_type: "Bridge", authority_address: address(to), token, value: "0" },
  ],
  bridgeMint: ({ to, value }, { address, token }) => [
    "bridgeMint",
    {
      ...{ recipient: address(to), value: `${value}`, token, source_chain_id: value % 3 },
      ...{ source_tx_hash: `0x${String(value % 5).repeat(64)}`, bridge_metadata: "from afar" },
    },
  ],
  bridgeBurn: ({ from, value }, { address, token }) => [
    "bridgeBurn",
    {
      ...{ sender: address(from), value: `${value}`, token, destination_chain_id: 7, escrow_fee: `${value % 4}` },
      ...{ destination_address: `0x${"ab".repeat(20)}`, bridge_metadata: "", bridge_param: "0x0102" },
    },
  ],
  clawback: ({ from, to, value }, { address, token }) => [
    "clawback",
    { token, from: address(from), recipient: address(to), value: `${value}` },
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
  kind: fc.constantFrom(
    "recovery",
    "board",
    "board",
    "again",
    "again",
    "rival",
    ...(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  ),
  from: fc.constantFrom(...PEOPLE),
  to: fc.constantFrom(...PEOPLE),
  value: fc.integer({ min: 1, max: 1_000 }),
  layout: fc.constantFrom(...LAYOUTS),
  node: fc.constantFrom(...NODES),
  flag: fc.boolean(),
});

/** Those who sign a kind when it is to succeed. */
export const SIGNERS: Readonly<Partial<Record<Write["kind"], string>>> = {
  ...{
    mint: "issuer",
    burn: "issuer",
    forced: "issuer",
    grant: "issuer",
    list: "issuer",
    metadata: "issuer",
    issue: "operator",
  },
  ...{ pause: "issuer", whitelist: "alice", endow: "issuer", bridge: "issuer", clawback: "issuer", bridgeMint: "bob" },
};

export function layoutIn(mode: WriteMode, layout: Layout, kind: Kind, fields: Json): Layout {
  if (kind === "batch" || kind === "multisig") return "v2";
  const hasV2 = kind !== "cancellation" && !(kind === "burn" && "recipient" in fields);
  if (layout === "v2" || mode === "v2-only") return mode !== "v1-only" && hasV2 ? "v2" : "client";
  return layout;
}
