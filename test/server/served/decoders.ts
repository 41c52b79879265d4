/** Decoders of answers, and of the shapes that all published clients read: each returns why a value does not decode. */
import type { Json } from "./support.ts";

/** Returns why a value does not decode, `undefined` if it does. */
export type Decoder = (value: unknown) => string | undefined;

export const matching =
  (what: string, is: (value: unknown) => boolean): Decoder =>
  (value) =>
    is(value) ? undefined : `no ${what}: ${JSON.stringify(value)}`;
export const str = matching("text", (value) => typeof value === "string");
export const num = matching("unsigned integer", (value) => Number.isSafeInteger(value) && (value as number) >= 0);
export const byte = matching(
  "u8",
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256,
);
export const bool = matching("flag", (value) => typeof value === "boolean");
export const dec = matching("decimal text", (value) => typeof value === "string" && /^\d+$/.test(value));
export const hex = matching("hex", (value) => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value));
export const addr = matching("address", (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value));
export const hash = matching("hash", (value) => typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value));
export const none = matching("null", (value) => value === null);
export const any: Decoder = () => undefined;
/** Null or absent, or a value. */
export const opt =
  (decoder: Decoder): Decoder =>
  (value) =>
    value === undefined || value === null ? undefined : decoder(value);
export const all =
  (decoder: Decoder): Decoder =>
  (value) =>
    Array.isArray(value)
      ? first(value.map((each, at) => [String(at), decoder(each)]))
      : `no list: ${JSON.stringify(value)}`;
export const has =
  (members: Readonly<Record<string, Decoder>>): Decoder =>
  (value) => {
    if (typeof value !== "object" || value === null) return `no object: ${JSON.stringify(value)}`;
    return first(Object.entries(members).map(([name, one]) => [name, one((value as Json)[name])]));
  };
/** Exactly these members, and those that may be absent. */
export const only =
  (members: Readonly<Record<string, Decoder>>, optional: Readonly<Record<string, Decoder>> = {}): Decoder =>
  (value) => {
    if (typeof value !== "object" || value === null) return `no object: ${JSON.stringify(value)}`;
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name) && !Object.hasOwn(optional, name));
    if (unknown !== undefined) return `unknown member ${unknown}`;
    const missing = Object.keys(members).find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `no member ${missing}`;
    const given = Object.entries(optional).filter(([name]) => Object.hasOwn(value, name));
    return has({ ...members, ...Object.fromEntries(given) })(value);
  };
/** Null, or a value. */
export const nullOr =
  (decoder: Decoder): Decoder =>
  (value) =>
    value === null ? undefined : decoder(value);
export const both =
  (decoder: Decoder, other: Decoder): Decoder =>
  (value) =>
    decoder(value) ?? other(value);

function first(faults: readonly (readonly [string, string | undefined])[]): string | undefined {
  const [found] = faults.filter(([, fault]) => fault !== undefined);
  return found && `${found[0]}: ${found[1]}`;
}

/** A fixed number of hex digits. */
export const digits = (count: number): Decoder =>
  matching(`${count} hex digits`, (value) => new RegExp(`^0x[0-9a-f]{${count}}$`).test(String(value)));

export const place = {
  ...{ checkpoint_hash: nullOr(hash), checkpoint_number: nullOr(num), transaction_index: nullOr(num) },
};
export const receiptMembers = {
  ...{ success: bool, transaction_hash: hash, ...place, fee_used: dec, from: addr },
  ...{ recipient: nullOr(addr), token_address: nullOr(addr) },
};
export const checkpointMembers = {
  ...{ hash, parent_hash: hash, state_root: hash, transactions_root: hash, receipts_root: hash },
  ...{ number: num, timestamp: num, extra_data: str, size: num },
};
const facts = { batch_id: nullOr(str), operations_count: num, total_amount: dec, operations_hash: nullOr(hash) };
const moved = { recipient: addr, token: addr, value: dec };

/** Shapes with other members (`has`), or without any (`only`). */
export function shapesBy(of: (members: Readonly<Record<string, Decoder>>) => Decoder) {
  const meta = of({ name: str, uri: str, additional_metadata: all(of({ key: str, value: str })) });
  const granted = of({ authority_type: str, authority_address: addr, value: nullOr(dec), token: addr });
  const listed = of({ address: addr, token: addr });
  /** By the type of a transaction. */
  const data: Readonly<Record<string, Decoder>> = {
    TokenCreate: of({
      ...{ symbol: str, name: str, decimals: byte, master_authority: addr },
      ...{ is_private: bool, clawback_enabled: bool },
    }),
    TokenTransfer: of(moved),
    TokenMint: of(moved),
    TokenBurn: of(moved),
    TokenGrantAuthority: granted,
    TokenRevokeAuthority: granted,
    TokenBlacklistAccount: listed,
    TokenWhitelistAccount: listed,
    TokenPause: of({ token: addr }),
    TokenUnpause: of({ token: addr }),
    TokenUpdateMetadata: of({ metadata: meta, token: addr }),
    TokenBridgeAndMint: of({ ...moved, source_chain_id: num, source_tx_hash: str, bridge_metadata: str }),
    TokenBurnAndBridge: of({
      ...{ sender: addr, value: dec, token: addr, destination_chain_id: num, destination_address: str },
      ...{ escrow_fee: dec, bridge_metadata: str, bridge_param: hex },
    }),
    TokenClawback: of({ ...moved, from: addr }),
    BatchPayment: of({
      ...{ token: addr, operations: all(of({ recipient: addr, amount: dec })), created_at: num },
      ...{ operations_hash: nullOr(hash), batch_id: nullOr(str) },
    }),
    CreateMultiSig: of({
      ...{ signers: all(of({ public_key: digits(66), weight: num })), threshold: num, multisig_address: addr },
    }),
  };
  const bridge = { bbnonce: num, destination_chain_id: num, destination_address: str, bridge_param: hex };
  const batchEvent: Decoder = (value) =>
    (value as Json)["event_type"] === "PaymentExecuted"
      ? of({ event_type: str, operation_index: num, recipient: addr, amount: dec })(value)
      : of({ event_type: str, ...facts })(value);
  return {
    ...{ meta, data, batchEvent },
    signature: of({ r: digits(64), s: digits(64), v: num }),
    memo: of({ type: str, format: str, data: str }),
    batchInfo: of({ ...facts, failure: none }),
    info: of({
      ...{ sender: addr, receiver: addr, is_private: bool, message: str },
      bridge_info: nullOr(of(bridge)),
    }),
  };
}
