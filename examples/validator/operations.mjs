// Operations: the lists that are signed, digests, ids and copies (wire 3.2 to 3.9, validator wire 2).
import { concat, H, keccak, raw, rlp } from "./bytes.mjs";

const V2_DOMAIN = "1money.native.transaction.v2";
const V2_TYPES = {
  payment: 1,
  issue: 2,
  mint: 3,
  authority: 4,
  blacklist: 5,
  whitelist: 6,
  pause: 7,
  burn: 8,
  clawback: 9,
  metadata: 10,
  bridgeMint: 11,
  bridgeBurn: 12,
  multisig: 13,
  batch: 14,
  cancellation: 255,
};

const optional = (part) => (part === undefined || part === null ? [] : [part]);
const amount = (text) => BigInt(text);

function legItems(legs) {
  return legs.map((leg) => [raw(leg.recipient), amount(leg.amount)]);
}

/** The hash that a batch may name of its legs (wire 3.2). */
export function legsHash(legs) {
  return keccak(rlp(legItems(legs)));
}

function batchTail(o) {
  if (o.batchId !== undefined && o.batchId !== null) {
    return [o.operationsHash ? raw(o.operationsHash) : "", o.batchId];
  }
  return o.operationsHash ? [raw(o.operationsHash)] : [];
}

function metadataPairs(o) {
  const pairs = o.additional ?? [];
  if (o.layout === "client-json") return JSON.stringify(pairs.map(([key, value]) => ({ key, value })));
  if (o.layout === "client-0x") return "0x";
  return pairs.map(([key, value]) => [key, value]);
}

function bridgeTexts(o, texts) {
  if (o.layout === "client-raw") return [];
  if (o.layout !== "client-flat") return texts.map((text) => text ?? "");
  return texts.flatMap((text) => (text === undefined || text === null ? [false] : [true, text]));
}

function otherChainText(o, text) {
  return o.layout === "client-raw" ? raw(text.startsWith("0x") ? text : `0x${text}`) : text;
}

/** Bytes of a hex text; another text stands for itself. */
function param(hex) {
  if (hex === undefined || hex === null) return undefined;
  return /^0x([0-9a-f]{2})*$/.test(hex) ? raw(hex) : hex;
}

/** Fields after chain id and nonce, in the order of the layout `client` (wire 3.2). */
const CLIENT_FIELDS = {
  payment: (o) => [raw(o.recipient), amount(o.value), raw(o.token)],
  mint: (o) => [raw(o.recipient), amount(o.value), raw(o.token)],
  cancellation: () => [],
  issue: (o) => [
    o.symbol,
    o.name,
    o.decimals,
    raw(o.masterAuthority),
    o.isPrivate === true,
    ...(o.layout === "v2" ? [o.clawbackEnabled !== false] : optional(o.clawbackEnabled)),
  ],
  burn: (o) => [...(o.recipient && o.layout !== "v2" ? [raw(o.recipient)] : []), amount(o.value), raw(o.token)],
  authority: (o) => [
    o.action,
    o.authorityType,
    raw(o.authorityAddress),
    raw(o.token),
    ...(o.value === undefined ? [] : [amount(o.value ?? "0")]),
  ],
  list: (o) => [o.action, raw(o.address), raw(o.token)],
  pause: (o) => [o.action, raw(o.token)],
  metadata: (o) => [o.name, o.uri, raw(o.token), metadataPairs(o)],
  clawback: (o) => [raw(o.token), raw(o.from), raw(o.recipient), amount(o.value)],
  bridgeMint: (o) => [
    raw(o.recipient),
    amount(o.value),
    raw(o.token),
    o.sourceChainId,
    otherChainText(o, o.sourceTxHash),
    ...bridgeTexts(o, [o.bridgeMetadata]),
  ],
  bridgeBurn: (o) => [
    raw(o.sender),
    amount(o.value),
    raw(o.token),
    o.destinationChainId,
    otherChainText(o, o.destinationAddress),
    amount(o.escrowFee),
    ...bridgeTexts(o, [o.bridgeMetadata, param(o.bridgeParam)]),
  ],
  batch: (o) => [raw(o.token), legItems(o.legs), amount(o.createdAt), ...batchTail(o)],
  multisig: (o) => [o.signers.map((s) => [Array.from(raw(s.key)), s.weight]), o.threshold],
};

/** The order of the layout `spec` where it differs (wire 3.9). */
const SPEC_FIELDS = {
  issue: (o) => [o.name, o.symbol, o.decimals, raw(o.masterAuthority), ...optional(o.isPrivate)],
  mint: (o) => [raw(o.token), raw(o.recipient), amount(o.value)],
  burn: (o) => [raw(o.token), amount(o.value), ...(o.recipient ? [raw(o.recipient)] : [])],
  metadata: (o) => [raw(o.token), o.name, o.uri, metadataPairs(o)],
  list: (o) => [raw(o.token), raw(o.address), o.action],
  authority: (o) => [raw(o.token), raw(o.authorityAddress), o.action, o.authorityType, amount(o.value ?? "0")],
  pause: (o) => [raw(o.token), o.action],
};

/** Layouts that sign the counts of older clients first (wire 3.3). */
const COUNTED_LAYOUTS = new Set(["client", "client-json", "client-0x", "client-flat"]);

const memoItem = (memo) => [memo?.type ?? "", memo?.format ?? "", memo?.data ?? ""];

/** Without its own name a list change is of one of two kinds (protocol 3.0). */
export function kindName(o) {
  return o.kind === "list" ? o.list : o.kind;
}

/** The list that is signed, memo included (wire 3.2, 3.3). */
function signedList(o) {
  const fields = (o.layout === "spec" && SPEC_FIELDS[o.kind]) || CLIENT_FIELDS[o.kind];
  const counts = COUNTED_LAYOUTS.has(o.layout) ? [...optional(o.recentEpoch), ...optional(o.recentCheckpoint)] : [];
  const inner = [...counts, o.chainId, o.nonce, ...fields(o)];
  return o.layout === "client" && o.memo ? [inner, memoItem(o.memo)] : inner;
}

/** Items that every `v2` digest and hash begin with (wire 3.4). */
function v2Items(o) {
  const descriptor = o.account ? [1, raw(o.account)] : [0];
  const payload = rlp([signedList(o), memoItem(o.memo)]);
  return [V2_DOMAIN, V2_TYPES[kindName(o)], descriptor, payload];
}

function digestBytes(o) {
  if (o.layout === "v2") return rlp(v2Items(o));
  const list = signedList(o);
  if (o.layout === "client-flat") return concat(...list.map(rlp));
  return o.account ? concat(rlp(list), raw(o.account)) : rlp(list);
}

const digests = new WeakMap();

export function digestOf(operation) {
  let digest = digests.get(operation);
  if (digest === undefined) {
    digest = keccak(digestBytes(operation));
    digests.set(operation, digest);
  }
  return digest;
}

/** The layout is `client` wherever the bytes are those of `client` (validator wire 2). */
function layoutName(o) {
  if (o.layout === "client" || o.layout === "v2") return o.layout;
  return digestOf(o) === digestOf({ ...o, layout: "client" }) ? "client" : o.layout;
}

const ids = new WeakMap();

export function idOf(signed) {
  let id = ids.get(signed);
  if (id === undefined) {
    const o = signed.operation;
    id = H("operation", kindName(o), layoutName(o), raw(signed.sender), raw(digestOf(o)));
    ids.set(signed, id);
  }
  return id;
}

export function recoveryId(chainId, account, nonce) {
  return H("recovery", chainId, raw(account), nonce);
}

/** Parts of the signature of a multisig account: its set, then a key and a signature each. */
export function multisigParts(signature) {
  const bytes = raw(signature);
  const count = bytes[0];
  const threshold = bytes[1] * 256 + bytes[2];
  const signers = [];
  let at = 3;
  for (let i = 0; i < count; i++, at += 34) {
    signers.push({ key: hexOf(bytes.subarray(at, at + 33)), weight: bytes[at + 33] });
  }
  const seals = [];
  for (; at + 98 <= bytes.length; at += 98) {
    seals.push({
      key: hexOf(bytes.subarray(at, at + 33)),
      signature: hexOf(bytes.subarray(at + 33, at + 98)),
    });
  }
  return at === bytes.length ? { signers, threshold, seals } : null;
}

function hexOf(bytes) {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const scalar = (hex) => BigInt(`0x${hex}`);

function proofOf(signature) {
  return [scalar(signature.slice(2, 66)), scalar(signature.slice(66, 130)), Number.parseInt(signature.slice(130), 16)];
}

/** Bytes of one signed copy, which its hash names and a checkpoint counts (wire 3.3, 3.4). */
export function copyBytes(signed) {
  const o = signed.operation;
  if (o.layout === "v2") return rlp([...v2Items(o), v2Proof(signed)]);
  if (o.account) {
    const seals = multisigParts(signed.signature)?.seals ?? [];
    return concat(rlp(signedList(o)), ...seals.map((seal) => raw(seal.signature)));
  }
  const [r, s, v] = proofOf(signed.signature);
  return rlp([signedList(o), v, r, s]);
}

function v2Proof(signed) {
  if (!signed.operation.account) return proofOf(signed.signature);
  const seals = multisigParts(signed.signature)?.seals ?? [];
  return seals.map((seal) => [raw(seal.key), ...proofOf(seal.signature)]);
}

const copies = new WeakMap();

/** Hash and size of a copy. */
export function copyOf(signed) {
  let copy = copies.get(signed);
  if (copy === undefined) {
    const bytes = copyBytes(signed);
    copy = { hash: keccak(bytes), size: bytes.length };
    copies.set(signed, copy);
  }
  return copy;
}

export function multisigAddress(set) {
  const signers = [...set.signers].sort((a, b) => (a.key < b.key ? -1 : 1));
  const bytes = signers.map((s) => concat(raw(s.key), Uint8Array.of(s.weight)));
  const threshold = Uint8Array.of(set.threshold >> 8, set.threshold & 255);
  return lastTwenty(concat(new TextEncoder().encode("MULTISIG_V1"), ...bytes, threshold));
}

export function issuedToken(masterAuthority, symbol) {
  return lastTwenty(concat(raw(masterAuthority), new TextEncoder().encode(symbol)));
}

function lastTwenty(bytes) {
  return `0x${keccak(bytes).slice(26)}`;
}
