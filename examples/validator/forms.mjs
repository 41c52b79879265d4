// The form of operations (specification 5.1 and 14.1). Each rule gives the code of the refusal, or null.
import { raw, utf8 } from "./bytes.mjs";
import { digestOf, idOf, legsHash } from "./operations.mjs";

export const MAX_AMOUNT = 2n ** 256n - 1n;
const MAX_COUNT = Number.MAX_SAFE_INTEGER;
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

const ROLE_NAMES = {
  MasterMintBurn: "MasterMintBurn",
  MasterMint: "MasterMintBurn",
  MintBurnTokens: "MintBurnTokens",
  MintTokens: "MintBurnTokens",
  Burn: "MintBurnTokens",
  Pause: "Pause",
  ManageList: "ManageList",
  Blacklist: "ManageList",
  Whitelist: "ManageList",
  UpdateMetadata: "UpdateMetadata",
  Clawback: "Clawback",
  Bridge: "Bridge",
};

/** The role that a spelling names (specification 6.3). */
export function roleOf(authorityType) {
  return Object.hasOwn(ROLE_NAMES, authorityType) ? ROLE_NAMES[authorityType] : null;
}

/** `add`, `remove` or null: what an action does to the list of its operation (specification 6.3). */
export function listAction(o) {
  if (o.action === "Add") return "add";
  if (o.action === "Remove") return "remove";
  if (o.list === "blacklist") return { Blacklist: "add", Whitelist: "remove" }[o.action] ?? null;
  return o.action === "Whitelist" ? "add" : null;
}

const isCount = (n) => Number.isSafeInteger(n) && n >= 0;
const isWellFormed = (text) => typeof text === "string" && text.isWellFormed();
const byteLength = (text) => utf8(text).length;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule forbids
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

function textFits(text, least, most, plain) {
  if (!isWellFormed(text)) return false;
  const length = byteLength(text);
  return length >= least && length <= most && !(plain && CONTROL.test(text));
}

function amountFits(text, least) {
  if (!/^(0|[1-9][0-9]*)$/.test(text)) return false;
  const value = BigInt(text);
  return value >= least && value <= MAX_AMOUNT;
}

const amountCode = (text, least = 1n) => (amountFits(text, least) ? null : "validation_amount");

function memoCode(memo) {
  const fits =
    textFits(memo.type, 0, 128, false) &&
    textFits(memo.format, 0, 64, false) &&
    textFits(memo.data, 0, 256, true) &&
    URL_CHARACTERS.test(memo.type) &&
    URL_CHARACTERS.test(memo.format);
  return fits ? null : "validation_text";
}

const BRIDGES = new Set(["bridgeMint", "bridgeBurn"]);
const LAYOUT_KINDS = {
  "client-json": (o) => o.kind === "metadata",
  "client-0x": (o) => o.kind === "metadata" && (o.additional ?? []).length === 0,
  "client-flat": (o) => BRIDGES.has(o.kind),
  "client-raw": (o) =>
    BRIDGES.has(o.kind) && (o.bridgeMetadata ?? null) === null && (o.bridgeParam ?? null) === null && rawTextFits(o),
};

function rawTextFits(o) {
  const digits = o.kind === "bridgeMint" ? 64 : 40;
  return new RegExp(`^0x[0-9a-f]{${digits}}$`).test(o.sourceTxHash ?? o.destinationAddress);
}

/** A member that the layout does not sign, or that it always signs and that is missing (specification 13.3). */
function layoutBroken(o) {
  const { layout, kind } = o;
  const modern = layout === "client" || layout === "v2";
  const counts = o.recentEpoch !== undefined || o.recentCheckpoint !== undefined;
  if (counts && ["client-raw", "spec", "v2"].includes(layout)) return true;
  if (o.recentEpoch !== undefined && o.recentCheckpoint === undefined) return true;
  if (LAYOUT_KINDS[layout] !== undefined && !LAYOUT_KINDS[layout](o)) return true;
  if (o.memo !== undefined && !modern) return true;
  if (layout === "v2" && o.memo === undefined) return true;
  if (kind === "batch" && layout !== "v2") return true;
  if (kind === "multisig" && (!modern || o.account !== undefined)) return true;
  if (o.account !== undefined && !modern) return true;
  return membersBroken(o);
}

function membersBroken(o) {
  const { layout, kind } = o;
  if (kind === "issue") {
    if (layout === "spec") return o.clawbackEnabled !== undefined;
    if (layout === "v2") return o.isPrivate === undefined || o.clawbackEnabled === undefined;
    return o.isPrivate === undefined;
  }
  if (layout !== "v2") return false;
  if (kind === "burn") return o.recipient !== undefined;
  return kind === "authority" && (o.value ?? null) === null;
}

function metadataCode(o) {
  const pairs = o.additional ?? [];
  const keys = pairs.map(([key]) => key);
  if (pairs.length > 32 || new Set(keys).size !== keys.length) return "validation_text";
  const fits = pairs.every(([key, value]) => textFits(key, 0, 64, false) && textFits(value, 0, 1024, false));
  return textFits(o.name, 1, 128, true) && textFits(o.uri, 0, 2048, false) && fits ? null : "validation_text";
}

function issueCode(o) {
  if (!textFits(o.symbol, 1, 32, true) || !textFits(o.name, 1, 128, true)) return "validation_text";
  if (!isCount(o.decimals) || o.decimals > 18) return "validation_decimals";
  return o.masterAuthority === ZERO_ADDRESS ? "validation_text" : null;
}

function batchCode(o) {
  if (o.legs.length < 1 || o.legs.length > 256) return "validation_batch";
  let total = 0n;
  for (const leg of o.legs) {
    if (leg.recipient === ZERO_ADDRESS) return "validation_batch";
    if (!amountFits(leg.amount, 1n)) return "validation_amount";
    total += BigInt(leg.amount);
  }
  if (total > MAX_AMOUNT || !amountFits(o.createdAt, 0n) || BigInt(o.createdAt) >= 2n ** 64n)
    return "validation_amount";
  if (o.operationsHash && o.operationsHash !== legsHash(o.legs)) return "validation_batch";
  return (o.batchId ?? null) !== null && !textFits(o.batchId, 0, 128, false) ? "validation_text" : null;
}

function signersCode(o) {
  const { signers, threshold } = o;
  const keys = signers.map((s) => s.key);
  const sum = signers.reduce((total, s) => total + s.weight, 0);
  const weights = signers.every((s) => Number.isInteger(s.weight) && s.weight >= 1 && s.weight <= 255);
  const shaped = keys.every((key) => /^0x[0-9a-f]{66}$/.test(key)) && new Set(keys).size === keys.length;
  const counted = signers.length >= 1 && signers.length <= 20 && Number.isInteger(threshold);
  return weights && shaped && counted && threshold >= 1 && threshold <= sum ? null : "validation_signers";
}

function paramFits(hex) {
  return /^0x([0-9a-f]{2})*$/.test(hex) && raw(hex).length <= 1024;
}

function bridgeCode(o, text, chain) {
  const value = amountCode(o.value);
  if (value !== null) return value;
  if (!Number.isSafeInteger(chain) || chain < 1) return "validation_text";
  if (!textFits(text, 1, 128, true)) return "validation_text";
  if (o.kind === "bridgeBurn" && !amountFits(o.escrowFee, 0n)) return "validation_amount";
  if ((o.bridgeMetadata ?? null) !== null && !textFits(o.bridgeMetadata, 0, 1024, false)) return "validation_text";
  return (o.bridgeParam ?? null) === null || paramFits(o.bridgeParam) ? null : "validation_text";
}

const FIELD_CODES = {
  payment: (o) => amountCode(o.value),
  cancellation: () => null,
  issue: issueCode,
  mint: (o) => amountCode(o.value),
  burn: (o) => amountCode(o.value),
  authority: (o) => {
    if (!["Grant", "Revoke"].includes(o.action) || roleOf(o.authorityType) === null) return "validation_action";
    return (o.value ?? null) === null ? null : amountCode(o.value, 0n);
  },
  list: (o) => (listAction(o) === null ? "validation_action" : null),
  pause: (o) => (["Pause", "Unpause"].includes(o.action) ? null : "validation_action"),
  metadata: metadataCode,
  clawback: (o) => amountCode(o.value),
  bridgeMint: (o) => bridgeCode(o, o.sourceTxHash, o.sourceChainId),
  bridgeBurn: (o) => bridgeCode(o, o.destinationAddress, o.destinationChainId),
  batch: batchCode,
  multisig: signersCode,
};

/** The first fault of an operation's form (specification 5.1). */
export function formCode(o, chainId) {
  if (o.chainId !== chainId) return "validation_chain_id";
  if (!isCount(o.nonce) || o.nonce > MAX_COUNT - 1) return "validation_nonce";
  if (layoutBroken(o)) return "validation_layout";
  if (o.memo !== undefined && memoCode(o.memo) !== null) return "validation_text";
  return FIELD_CODES[o.kind](o);
}

/** Protocol 3.0: two operations of one sender, chain and nonce with two signed digests, neither a cancellation. */
export function isEquivocation(first, second) {
  const [a, b] = [first.operation, second.operation];
  if (a.kind === "cancellation" || b.kind === "cancellation") return false;
  if (first.sender !== second.sender || a.nonce !== b.nonce || a.chainId !== b.chainId) return false;
  return digestOf(a) !== digestOf(b);
}

/** The proof of two operations, the lower id first. */
export function proofOf(a, b) {
  return idOf(a) < idOf(b) ? { first: a, second: b } : { first: b, second: a };
}
