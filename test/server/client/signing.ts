/** Digests, signatures and hashes as clients make them (wire 3.3, 3.5, 3.6), with the curve's library alone. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Fields, type Head, type Kind, type Layout, signedItem } from "./layouts.ts";
import { hexOf, type Item, integer, raw, rlp, text } from "./rlp.ts";

/**
 * How a signature's members are spelled. `ts` (and Go): 64 hex digits each. `rust`: as few hex digits as it takes.
 * `decimal`: texts of digits, as in samples; `ethereum`: those with v as 27 or 28. `boolean`: v as true or false.
 */
export type Spelling = "ts" | "rust" | "decimal" | "ethereum" | "boolean";

/** A signature as numbers. */
export interface Signed {
  readonly r: bigint;
  readonly s: bigint;
  /** 0 or 1. */
  readonly v: number;
}

/** A body that is ready to be posted, and what its client knows of it. */
export interface SignedBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly hash: string;
}

/** Keccak-256 of the RLP bytes of an item. */
export function hashOf(item: Item): string {
  return hexOf(keccak_256(rlp(item)));
}

/** Keccak-256 of what is signed: in one layout the items one behind the other, without a list around them (wire 3.8, 1). */
function digestIn(item: Item, layout: Layout): string {
  if (layout !== "client-flat") return hashOf(item);
  return hexOf(keccak_256(Uint8Array.from((item as readonly Item[]).flatMap((one) => [...rlp(one)]))));
}

/** The account of a private key. */
export function addressOf(key: string): string {
  return hexOf(keccak_256(secp256k1.getPublicKey(raw(key), false).slice(1)).slice(12));
}

/** Deterministic, with low s. */
export function sign(key: string, digest: string): Signed {
  const bytes = secp256k1.sign(raw(digest), raw(key), { prehash: false, format: "recovered" });
  const part = (from: number, to: number) => BigInt(hexOf(bytes.slice(from, to)));
  return { r: part(1, 33), s: part(33, 65), v: Number(part(0, 1)) };
}

/** The transaction hash of a signed list: v, r and s as minimal integers, in version 2 as its last item. */
export function transactionHash(item: Item, { r, s, v }: Signed, layout: Layout = "client"): string {
  if (layout === "v2") return hashOf([...(item as readonly Item[]), [integer(r), integer(s), integer(v)]]);
  return hashOf([item, integer(v), integer(r), integer(s)]);
}

/** The hash that TypeScript clients make of a list of version 1: r and s as 32 bytes each. */
export function paddedHash(item: Item, { r, s, v }: Signed): string {
  const word = (value: bigint) => raw(`0x${value.toString(16).padStart(64, "0")}`);
  return hashOf([item, integer(v), word(r), word(s)]);
}

/** The hash of a recovery, which nobody signs. */
export function recoveryHash(chainId: number, account: string, nonce: number): string {
  return hashOf([text("recovery"), integer(chainId), raw(account), integer(nonce)]);
}

/** A signature as it stands in a body. */
export function spelled({ r, s, v }: Signed, spelling: Spelling): Readonly<Record<"r" | "s" | "v", unknown>> {
  const padded = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
  switch (spelling) {
    case "ts":
      return { r: padded(r), s: padded(s), v };
    case "boolean":
      return { r: padded(r), s: padded(s), v: v === 1 };
    case "rust":
      return { r: `0x${r.toString(16)}`, s: `0x${s.toString(16)}`, v };
    case "decimal":
      return { r: String(r), s: String(s), v: String(v) };
    case "ethereum":
      return { r: String(r), s: String(s), v: v + 27 };
  }
}

/** A body with its signature. */
export function signedBody<K extends Kind>(
  kind: K,
  body: Head & Fields[K],
  key: string,
  { layout = "client", spelling = "ts" }: { readonly layout?: Layout; readonly spelling?: Spelling } = {},
): SignedBody {
  const item = signedItem(kind, body, layout);
  const digest = digestIn(item, layout);
  const signed = sign(key, digest);
  const signature = spelled(signed, spelling);
  const hash = transactionHash(item, signed, layout);
  if (layout !== "v2") return { body: { ...body, signature }, digest, hash };
  const memo = { type: "", format: "", data: "", ...body.memo };
  return { body: { ...body, memo, authorization: { type: "single_secp256k1", signature } }, digest, hash };
}

/** A signer of a multisig account, with its private key. */
export interface Member {
  readonly key: string;
  readonly weight: number;
}

/** The compressed public key of a private one. */
export function publicKeyOf(key: string): string {
  return hexOf(secp256k1.getPublicKey(raw(key), true));
}

/** The address of a multisig account (wire 3.6). */
export function multisigAddressOf(members: readonly Member[], threshold: number): string {
  const parts = members
    .map(({ key, weight }) => publicKeyOf(key).slice(2) + weight.toString(16).padStart(2, "0"))
    .sort();
  const tag = hexOf(new TextEncoder().encode("MULTISIG_V1"));
  return hexOf(keccak_256(raw(tag + parts.join("") + threshold.toString(16).padStart(4, "0"))).slice(12));
}

/** A body of version 2 of a multisig account, signed by these private keys (wire 1.3, 3.4). */
export function multisigBody<K extends Kind>(
  kind: K,
  body: Head & Fields[K],
  account: string,
  keys: readonly string[],
): SignedBody {
  const item = signedItem(kind, { ...body, account }, "v2");
  const digest = hashOf(item);
  const proofs = keys
    .map((key) => ({ signer_pubkey: publicKeyOf(key), signed: sign(key, digest) }))
    .sort((a, b) => (a.signer_pubkey < b.signer_pubkey ? -1 : 1));
  const items = proofs.map(({ signer_pubkey, signed: { r, s, v } }) => [
    raw(signer_pubkey),
    ...[integer(r), integer(s), integer(v)],
  ]);
  const signatures = proofs.map(({ signer_pubkey, signed }) => ({ signer_pubkey, signature: spelled(signed, "ts") }));
  const memo = { type: "", format: "", data: "", ...body.memo };
  const authorization = { type: "multisig_secp256k1", account, signatures };
  return { body: { ...body, memo, authorization }, digest, hash: hashOf([...(item as readonly Item[]), items]) };
}

/** JSON in which big integers stand bare, as GO-HEAD writes amounts. */
export function jsonText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(",")}}`;
}
