/** Signed items of a body by signing layout (wire 1.3, 3.2, 3.3, 3.4, 3.8 items 1, 2 and 4, 3.9). Optional members by presence. */
import { flag, type Item, integer, raw, rlp, text } from "./rlp.ts";

/**
 * `client-json`: as `client`, but the pairs of a metadata update are signed as their JSON text (TS 1.1 and before).
 * `client-0x`: an empty list is signed as the text 0x (the same clients). `client-flat`: operations of a bridge without a
 * list around them, each optional text behind a flag (Rust); `client-raw`: hash and address of the other chain as bytes,
 * without the bridge's own texts (TS 1.1). `v2`: with domain and number of the kind.
 */
export type Layout = "client" | "client-json" | "client-0x" | "client-flat" | "client-raw" | "spec" | "v2";

/** The kinds of writes, each with its path: several paths may lead to one kind. A batch has no path of version 1. */
export const PATHS = {
  payment: "/v1/transactions/payment",
  cancellation: "/v1/transactions/cancellation",
  issue: "/v1/tokens/issue",
  mint: "/v1/tokens/mint",
  burn: "/v1/tokens/burn",
  authority: "/v1/tokens/grant_authority",
  pause: "/v1/tokens/pause",
  blacklist: "/v1/tokens/manage_blacklist",
  whitelist: "/v1/tokens/manage_whitelist",
  managelist: "/v1/tokens/managelist",
  oldBlacklist: "/v1/tokens/blacklist",
  metadata: "/v1/tokens/update_metadata",
  clawback: "/v1/tokens/clawback",
  bridgeMint: "/v1/tokens/bridge_and_mint",
  bridgeBurn: "/v1/tokens/burn_and_bridge",
  batch: "/v2/transactions/batch_payment",
} as const;

/** A kind of write: version 2 alone has `multisig`. */
export type Kind = keyof typeof PATHS | "multisig";

/** The kinds that version 2 has, a cancellation by a choice of the server, with their numbers and paths. */
export const V2: Readonly<Partial<Record<Kind, readonly [opType: number, path: string]>>> = {
  payment: [1, "/v2/transactions/payment"],
  issue: [2, "/v2/tokens/issue"],
  mint: [3, "/v2/tokens/mint"],
  authority: [4, "/v2/tokens/grant_authority"],
  blacklist: [5, "/v2/tokens/manage_blacklist"],
  whitelist: [6, "/v2/tokens/manage_whitelist"],
  pause: [7, "/v2/tokens/pause"],
  burn: [8, "/v2/tokens/burn"],
  clawback: [9, "/v2/tokens/clawback"],
  bridgeMint: [11, "/v2/tokens/bridge_and_mint"],
  bridgeBurn: [12, "/v2/tokens/burn_and_bridge"],
  batch: [14, "/v2/transactions/batch_payment"],
  metadata: [10, "/v2/tokens/update_metadata"],
  multisig: [13, "/v2/accounts/multisig"],
  cancellation: [255, "/v2/transactions/cancellation"],
};

/** The path of a kind in a layout. @throws RangeError where the version has no such kind. */
export function pathOf(kind: Kind, layout: Layout = "client"): string {
  if (layout === "v2") return numbered(kind)[1];
  if (kind === "multisig") throw new RangeError("version 1 has no multisig");
  return PATHS[kind];
}

function numbered(kind: Kind): readonly [opType: number, path: string] {
  const found = V2[kind];
  if (found === undefined) throw new RangeError(`version 2 has no ${kind}`);
  return found;
}

/** Decimal text, or a number that is written bare into the JSON (GO-HEAD). */
export type Value = string | bigint | number;

/** Absent members are signed as empty text. */
export interface MemoBody {
  readonly type?: string;
  readonly format?: string;
  readonly data?: string;
}

/** Members of a body besides chain_id, nonce, memo and signature. */
export interface Fields {
  readonly payment: { readonly recipient: string; readonly value: Value; readonly token: string };
  readonly cancellation: Readonly<Record<never, never>>;
  readonly issue: {
    readonly symbol: string;
    readonly name: string;
    readonly decimals: number;
    readonly master_authority: string;
    readonly is_private?: boolean;
    readonly clawback_enabled?: boolean;
  };
  readonly mint: Fields["payment"];
  readonly burn: { readonly recipient?: string; readonly value: Value; readonly token: string };
  readonly authority: {
    readonly action: string;
    readonly authority_type: string;
    readonly authority_address: string;
    readonly token: string;
    readonly value?: Value | null;
  };
  readonly pause: { readonly action: string; readonly token: string };
  readonly blacklist: { readonly action: string; readonly address: string; readonly token: string };
  readonly whitelist: Fields["blacklist"];
  readonly managelist: Fields["blacklist"];
  readonly oldBlacklist: Fields["blacklist"];
  readonly metadata: {
    readonly name: string;
    readonly uri: string;
    readonly token: string;
    readonly additional_metadata: readonly { readonly key: string; readonly value: string }[];
  };
  readonly bridgeMint: Fields["payment"] & {
    readonly source_chain_id: number;
    readonly source_tx_hash: string;
    readonly bridge_metadata?: string | null;
  };
  readonly bridgeBurn: {
    readonly sender: string;
    readonly value: Value;
    readonly token: string;
    readonly destination_chain_id: number;
    readonly destination_address: string;
    readonly escrow_fee: Value;
    readonly bridge_metadata?: string | null;
    readonly bridge_param?: string | null;
  };
  readonly batch: {
    readonly token: string;
    readonly operations: readonly { readonly recipient: string; readonly amount: Value }[];
    readonly created_at: Value;
    readonly operations_hash?: string;
    readonly batch_id?: string;
  };
  readonly multisig: {
    readonly signers: readonly { readonly public_key: readonly number[]; readonly weight: number }[];
    readonly threshold: number;
  };
  readonly clawback: {
    readonly token: string;
    readonly from: string;
    readonly recipient: string;
    readonly value: Value;
  };
}

/** Members that every write has. */
export interface Head {
  /** The multisig account whose signers sign; not a member of a body itself. */
  readonly account?: string;
  readonly chain_id: number;
  readonly nonce: number;
  readonly memo?: MemoBody;
  /** Clients of two eras post these and sign them first, in this order. */
  readonly recent_epoch?: number;
  readonly recent_checkpoint?: number;
}

/** The list that is signed; clients of the layouts between `client` and `v2` know no memo. */
export function signedItem<K extends Kind>(kind: K, body: Head & Fields[K], layout: Layout): Item {
  const own = WRITERS[kind](body, layout);
  const isDated = layout !== "spec" && layout !== "v2" && layout !== "client-raw";
  const recent = [...present(body.recent_epoch, integer), ...present(body.recent_checkpoint, integer)];
  const inner = [...(isDated ? recent : []), integer(body.chain_id), integer(body.nonce), ...own];
  const { type = "", format = "", data = "" } = body.memo ?? {};
  const wrapped = [inner, [text(type), text(format), text(data)]];
  if (layout === "v2")
    return [text("1money.native.transaction.v2"), integer(numbered(kind)[0]), descriptor(body.account), rlp(wrapped)];
  return layout === "client" && body.memo !== undefined ? wrapped : inner;
}

/** One key, or a multisig account. */
function descriptor(account: string | undefined): Item {
  return account === undefined ? [integer(0)] : [integer(1), raw(account)];
}

type Writers = { readonly [K in Kind]: (body: Fields[K], layout: Layout) => readonly Item[] };

const payment: Writers["payment"] = ({ recipient, value, token }) => [raw(recipient), integer(value), raw(token)];

const list: Writers["blacklist"] = ({ action, address, token }, layout) =>
  layout === "spec" ? [raw(token), raw(address), text(action)] : [text(action), raw(address), raw(token)];

const WRITERS: Writers = {
  payment,
  cancellation: () => [],
  issue: (body, layout) => {
    const { symbol, name, decimals, master_authority, is_private, clawback_enabled } = body;
    if (layout === "spec")
      return [text(name), text(symbol), integer(decimals), raw(master_authority), ...present(is_private, flag)];
    const head = [text(symbol), text(name), integer(decimals), raw(master_authority), flag(is_private ?? false)];
    return [...head, ...present(clawback_enabled ?? (layout === "v2" ? true : undefined), flag)];
  },
  mint: (body, layout) =>
    layout === "spec" ? [raw(body.token), raw(body.recipient), integer(body.value)] : payment(body, layout),
  burn: ({ recipient, value, token }, layout) =>
    layout === "spec"
      ? [raw(token), integer(value), ...present(recipient, raw)]
      : [...present(recipient, raw), integer(value), raw(token)],
  authority: ({ action, authority_type, authority_address, token, value }, layout) =>
    layout === "spec"
      ? [raw(token), raw(authority_address), text(action), text(authority_type), integer(value ?? 0)]
      : [
          ...[text(action), text(authority_type), raw(authority_address), raw(token)],
          ...(value === undefined && layout !== "v2" ? [] : [integer(value ?? 0)]),
        ],
  pause: ({ action, token }, layout) => (layout === "spec" ? [raw(token), text(action)] : [text(action), raw(token)]),
  blacklist: list,
  whitelist: list,
  managelist: list,
  oldBlacklist: list,
  bridgeMint: (body, layout) => [
    ...[...payment(body, layout), integer(body.source_chain_id), there(body.source_tx_hash, layout)],
    ...forBridge(body.bridge_metadata, layout, text, ""),
  ],
  bridgeBurn: (body, layout) => [
    ...[raw(body.sender), integer(body.value), raw(body.token), integer(body.destination_chain_id)],
    ...[there(body.destination_address, layout), integer(body.escrow_fee)],
    ...forBridge(body.bridge_metadata, layout, text, ""),
    ...forBridge(body.bridge_param, layout, raw, "0x"),
  ],
  batch: ({ token, operations, created_at, operations_hash, batch_id }) => {
    const hash = operations_hash ?? (batch_id === undefined ? undefined : "0x");
    const tail = [...present(hash, raw), ...present(batch_id, text)];
    return [raw(token), paymentsItem(operations), integer(created_at), ...tail];
  },
  multisig: ({ signers, threshold }) => [
    signers.map(({ public_key, weight }) => [public_key.map(integer), integer(weight)]),
    integer(threshold),
  ],
  clawback: ({ token, from, recipient, value }) => [raw(token), raw(from), raw(recipient), integer(value)],
  metadata: ({ name, uri, token, additional_metadata }, layout) => {
    const pairs = pairsIn(additional_metadata, layout);
    return layout === "spec" ? [raw(token), text(name), text(uri), pairs] : [text(name), text(uri), raw(token), pairs];
  },
};

/** Item of the payments of a batch, over which their hash goes. */
export function paymentsItem(operations: Fields["batch"]["operations"]): Item {
  return operations.map(({ recipient, amount }) => [raw(recipient), integer(amount)]);
}

function pairsIn(pairs: Fields["metadata"]["additional_metadata"], layout: Layout): Item {
  if (layout === "client-0x") return text("0x");
  if (layout === "client-json") return text(JSON.stringify(pairs.map(({ key, value }) => ({ key, value }))));
  return pairs.map(({ key, value }) => [text(key), text(value)]);
}

/** Name of an account or a transaction of the other chain. */
function there(name: string, layout: Layout): Item {
  return layout === "client-raw" ? raw(name) : text(name);
}

/** A text that a body may leave out: `otherwise` stands for none. */
function forBridge(
  value: string | null | undefined,
  layout: Layout,
  write: (value: string) => Item,
  otherwise: string,
): readonly Item[] {
  if (layout === "client-raw") return [];
  if (layout !== "client-flat") return [write(value ?? otherwise)];
  return typeof value === "string" ? [flag(true), write(value)] : [flag(false)];
}

function present<T>(value: T | undefined, write: (value: T) => Item): readonly Item[] {
  return value === undefined ? [] : [write(value)];
}
