/** Bodies of the published clients of each era (wire 3.2, 3.3, 6.2), and bodies in the spec layout (wire 3.9). */
import type { Fields, Kind, Layout, MemoBody } from "../client/layouts.ts";
import type { SigningOptions } from "../client/reference-client.ts";
import type { Spelling } from "../client/signing.ts";

export interface Era {
  readonly name: string;
  readonly layout: Layout;
  /** Where the pairs of a metadata update are signed in another way. */
  readonly metadataLayout?: Layout;
  /** Where an empty list of pairs is. */
  readonly emptyLayout?: Layout;
  /** Where operations of a bridge are signed in another way. */
  readonly bridgeLayout?: Layout;
  readonly spelling: Spelling;
  /** Clawback member of issues; absent if the era has none. */
  readonly clawback?: boolean;
  /** True if a burn names the debited account, the signer's own included. */
  readonly burnNamesAccount: boolean;
  /** `older`: one path whose action names the list to which it adds; `Whitelist` also removes from the blacklist. */
  readonly lists: "older" | "newer";
  readonly memo?: MemoBody;
  /** Numbers that stand first in the body and in the signed list. */
  readonly recent?: NonNullable<SigningOptions["recent"]>;
  /** True if amounts are bare JSON numbers. */
  readonly areAmountsBare?: true;
  /** Older spelling of the role MasterMintBurn, where the era has it. */
  readonly masterRole?: "MasterMint";
}

const MEMO: MemoBody = { type: "purpose/SALA", format: "text/plain", data: "Zahlung №7 – 谢谢" };

export const ERAS: readonly Era[] = [
  {
    ...{ name: "E1", layout: "client", metadataLayout: "client-json", emptyLayout: "client-0x", spelling: "ts" },
    ...{ burnNamesAccount: true, lists: "older" },
    masterRole: "MasterMint",
  },
  {
    ...{ name: "E2", layout: "client", metadataLayout: "client-json", spelling: "ts", burnNamesAccount: true },
    lists: "newer",
    recent: { recent_epoch: 0, recent_checkpoint: 1_000_000 },
    masterRole: "MasterMint",
  },
  {
    ...{ name: "E3", layout: "client", spelling: "ts", burnNamesAccount: true, lists: "newer" },
    recent: { recent_checkpoint: 7 },
    bridgeLayout: "client-flat",
    areAmountsBare: true,
  },
  {
    ...{ name: "E4", layout: "client", bridgeLayout: "client-flat", spelling: "rust", burnNamesAccount: true },
    lists: "newer",
  },
  { name: "E5", layout: "client", spelling: "boolean", clawback: true, burnNamesAccount: false, lists: "newer" },
  { name: "E6", layout: "client", spelling: "ts", clawback: true, burnNamesAccount: false, lists: "newer", memo: MEMO },
  { name: "V2", layout: "v2", spelling: "ts", clawback: true, burnNamesAccount: false, lists: "newer", memo: MEMO },
  { name: "V2BARE", layout: "v2", spelling: "boolean", burnNamesAccount: false, lists: "newer" },
  { name: "SPEC", layout: "spec", spelling: "decimal", burnNamesAccount: false, lists: "newer" },
  {
    name: "JSON",
    layout: "client",
    metadataLayout: "client-json",
    bridgeLayout: "client-raw",
    spelling: "ethereum",
    burnNamesAccount: true,
    lists: "newer",
    areAmountsBare: true,
  },
];

/** Returns a write of this kind as the era's clients make it. */
export function signingOptionsIn(era: Era, kind: Kind): SigningOptions {
  const { layout, metadataLayout, bridgeLayout, spelling, memo, recent } = era;
  const others = { metadata: metadataLayout, bridgeMint: bridgeLayout, bridgeBurn: bridgeLayout };
  const own = others[kind as keyof typeof others] ?? layout;
  return { layout: own, spelling, ...(memo && { memo }), ...(recent && { recent }) };
}

/** The path and body by which the era adds to a list. */
export function listing(
  { lists }: Era,
  list: "blacklist" | "whitelist",
  address: string,
  token: string,
): readonly ["blacklist" | "whitelist" | "managelist", Fields["blacklist"]] {
  if (lists === "newer") return [list, { action: "Add", address, token }];
  return ["managelist", { action: list === "blacklist" ? "Blacklist" : "Whitelist", address, token }];
}

/** The path and body by which the era removes an address from the blacklist. */
export function unlisting({ lists }: Era, address: string, token: string): ReturnType<typeof listing> {
  if (lists === "newer") return ["blacklist", { action: "Remove", address, token }];
  return ["managelist", { action: "Whitelist", address, token }];
}
