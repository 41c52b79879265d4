/**
 * Rules for the form of an operation, which no state changes: layout, memo, dates and account (specification 2.5, 5.1,
 * 5.17, 5.18; wire 3.3, 3.4, 3.8, 3.9), and the fields of its kind: labels and other texts, spellings, counts, amounts,
 * batches and signer sets (specification 2.2, 5.5 to 5.18, 6.3, 14.1; wire 2.2).
 */
import { AMOUNT_MAX } from "../../core/base/amount.ts";
import type {
  Authority,
  BatchPayment,
  BridgeBurn,
  BridgeMint,
  CreateMultisig,
  Issue,
  Memo,
  Metadata,
  Operation,
  SignedOperation,
} from "../../core/base/operation.ts";
import { legsHash } from "./addresses.ts";
import { listOf, roleOf } from "./operation-meaning.ts";

const NONE: readonly string[] = [];
const WITH_MEMO: ReadonlySet<Operation["layout"]> = new Set(["client", "v2"]);
const MEMO = { type: 128, format: 64, data: 256 } as const;
const IN_URLS = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%");

/** Returns the codes for which its form forbids an operation in any state and for any vote; most have none. */
export function formRefusals(signed: SignedOperation): readonly string[] {
  const { operation } = signed;
  const ofFields = fieldRefusals(operation);
  const isSpelled = operation.memo === undefined || isWellSpelled(operation.memo);
  const isOfLayout = isLaidOut(signed);
  if (ofFields.length === 0 && isSpelled && isOfLayout) return NONE;
  return [...ofFields, ...(isSpelled ? [] : ["validation_text"]), ...(isOfLayout ? [] : ["validation_layout"])];
}

/** True if the layout is one of its kind and signs each field that it has, and no other. */
function isLaidOut({ operation, sender }: SignedOperation): boolean {
  const { layout, memo, account } = operation;
  const namesAccount = layout === "client" || layout === "v2";
  if (account !== undefined && (!namesAccount || account !== sender || operation.kind === "multisig")) return false;
  if (memo === undefined ? layout === "v2" : !WITH_MEMO.has(layout)) return false;
  if (!isWellDated(operation)) return false;
  switch (operation.kind) {
    case "bridgeMint":
    case "bridgeBurn":
      return isSignedForBridge(operation);
    case "metadata":
      return !isForBridge(layout) && (layout !== "client-0x" || operation.additional.length === 0);
    case "batch":
      return layout === "v2";
    case "multisig":
      return namesAccount;
    default:
      return !isForBridge(layout) && !isForMetadata(layout) && signsOptions(operation);
  }
}

function isForBridge(layout: Operation["layout"]): boolean {
  return layout === "client-flat" || layout === "client-raw";
}

function isForMetadata(layout: Operation["layout"]): boolean {
  return layout === "client-json" || layout === "client-0x";
}

/**
 * Most layouts sign all texts of a bridge, the flat one those that are there, and the raw one bytes of the other chain
 * and no text.
 */
function isSignedForBridge(operation: BridgeMint | BridgeBurn): boolean {
  const texts = [operation.bridgeMetadata, ...(operation.kind === "bridgeBurn" ? [operation.bridgeParam] : [])];
  if (isForMetadata(operation.layout)) return false;
  if (operation.layout === "client-flat") return true;
  if (operation.layout !== "client-raw") return texts.every((text) => text !== undefined);
  const isBytes =
    operation.kind === "bridgeMint"
      ? /^0x[0-9a-f]{64}$/.test(operation.sourceTxHash)
      : /^0x[0-9a-f]{40}$/.test(operation.destinationAddress);
  return isBytes && texts.every((text) => text === undefined);
}

/** An epoch and a checkpoint are whole numbers, of any age, and stand before the list in the layouts of clients; no epoch alone. */
function isWellDated({ layout, recentEpoch, recentCheckpoint }: Operation): boolean {
  if (recentCheckpoint === undefined) return recentEpoch === undefined;
  const isSigned = layout !== "spec" && layout !== "v2" && layout !== "client-raw";
  return (
    isSigned && [recentEpoch ?? 0, recentCheckpoint].every((number) => Number.isSafeInteger(number) && number >= 0)
  );
}

/**
 * Version 2 burns from the signer only, and signs every field of an issue and a grant; the clients of version 1 sign
 * whether a token is private, and the specification's layout no right to claw back.
 */
function signsOptions(operation: Operation): boolean {
  const { layout } = operation;
  switch (operation.kind) {
    case "burn":
      return layout !== "v2" || operation.recipient === undefined;
    case "issue": {
      const { isPrivate, clawbackEnabled } = operation;
      if (layout === "spec") return clawbackEnabled === undefined;
      return isPrivate !== undefined && (layout !== "v2" || clawbackEnabled !== undefined);
    }
    case "authority":
      return layout !== "v2" || operation.value !== undefined;
    default:
      return true;
  }
}

function isWellSpelled({ type, format, data }: Memo): boolean {
  return (
    [...type, ...format].every((letter) => IN_URLS.has(letter)) &&
    isPrintable(data) &&
    isText(type, MEMO.type) &&
    isText(format, MEMO.format) &&
    isText(data, MEMO.data)
  );
}

/** Bytes of UTF-8 (specification 14.1). */
const BYTES = { symbol: 32, name: 128, uri: 2_048, key: 64, value: 1_024, foreign: 128, bridge: 1_024, batch: 128 };
const PAIRS = 32;

/** Returns the codes for which the fields of its kind forbid an operation in any state; most operations have none. */
function fieldRefusals(operation: Operation): readonly string[] {
  switch (operation.kind) {
    case "payment":
    case "mint":
    case "burn":
    case "clawback":
      return isAmount(operation.value, 1n) ? NONE : ["validation_amount"];
    case "issue":
      return issueRefusals(operation);
    case "metadata":
      return isWellDescribed(operation) ? NONE : ["validation_text"];
    case "list":
      return listOf(operation.list, operation.action) === undefined ? ["validation_action"] : NONE;
    case "authority":
      return authorityRefusals(operation);
    case "pause":
      return operation.action === "Pause" || operation.action === "Unpause" ? NONE : ["validation_action"];
    case "bridgeMint":
      return mintRefusals(operation);
    case "bridgeBurn":
      return burnRefusals(operation);
    case "batch":
      return batchRefusals(operation);
    case "multisig":
      return isSignerSet(operation) ? NONE : ["validation_signers"];
    case "cancellation":
      return NONE;
  }
}

/** A token has a printable symbol and name, a master that somebody is, and up to 18 decimals. */
function issueRefusals({ symbol, name, decimals, masterAuthority }: Issue): readonly string[] {
  const isLabelled = isLabel(symbol, BYTES.symbol) && isLabel(name, BYTES.name) && BigInt(masterAuthority) !== 0n;
  const isCounted = Number.isInteger(decimals) && decimals >= 0 && decimals <= 18;
  return [...(isLabelled ? [] : ["validation_text"]), ...(isCounted ? [] : ["validation_decimals"])];
}

/** A token has a printable name, and each key of its metadata once. */
function isWellDescribed({ name, uri, additional }: Metadata): boolean {
  const keys = new Set(additional.map(([key]) => key));
  const areShort = additional.every(([key, value]) => isText(key, BYTES.key) && isText(value, BYTES.value));
  return (
    isLabel(name, BYTES.name) &&
    isText(uri, BYTES.uri) &&
    areShort &&
    keys.size === additional.length &&
    keys.size <= PAIRS
  );
}

function authorityRefusals({ action, authorityType, value }: Authority): readonly string[] {
  const isSpelled = (action === "Grant" || action === "Revoke") && roleOf(authorityType) !== undefined;
  return [...(isSpelled ? [] : ["validation_action"]), ...(isAmount(value ?? 0n, 0n) ? [] : ["validation_amount"])];
}

function mintRefusals({ value, sourceChainId, sourceTxHash, bridgeMetadata = "" }: BridgeMint): readonly string[] {
  const isTold = isChain(sourceChainId) && isLabel(sourceTxHash, BYTES.foreign) && isText(bridgeMetadata, BYTES.bridge);
  return [...(isAmount(value, 1n) ? [] : ["validation_amount"]), ...(isTold ? [] : ["validation_text"])];
}

function burnRefusals(operation: BridgeBurn): readonly string[] {
  const { value, escrowFee, destinationChainId, destinationAddress } = operation;
  const { bridgeMetadata = "", bridgeParam = "0x" } = operation;
  const isTold =
    isChain(destinationChainId) &&
    isLabel(destinationAddress, BYTES.foreign) &&
    isText(bridgeMetadata, BYTES.bridge) &&
    /^0x([0-9a-f]{2})*$/.test(bridgeParam) &&
    bridgeParam.length <= 2 + 2 * BYTES.bridge;
  const isPaid = isAmount(value, 1n) && isAmount(escrowFee, 0n);
  return [...(isPaid ? [] : ["validation_amount"]), ...(isTold ? [] : ["validation_text"])];
}

/** Somebody gets each payment, as many as fit, and a hash or a time that is there is a true one. */
function batchRefusals({ legs, createdAt, operationsHash, batchId = "" }: BatchPayment) {
  const found: string[] = [];
  const isToNobody = legs.some(({ recipient }) => BigInt(recipient) === 0n);
  const areAmounts = legs.every(({ amount }) => isAmount(amount, 1n));
  const isTrue = operationsHash === undefined || (areAmounts && operationsHash === legsHash(legs));
  if (legs.length < 1 || legs.length > 256 || isToNobody || !isTrue) found.push("validation_batch");
  const total = legs.reduce((sum, { amount }) => sum + amount, 0n);
  if (!areAmounts || total > AMOUNT_MAX || createdAt < 0n || createdAt >= 1n << 64n) found.push("validation_amount");
  if (!isText(batchId, BYTES.batch)) found.push("validation_text");
  return found;
}

/** 1 to 20 keys once each, weights from 1 to 255, and a threshold that they reach. */
function isSignerSet({ signers, threshold }: CreateMultisig): boolean {
  const keys = new Set(signers.map(({ key }) => key));
  const total = signers.reduce((sum, { weight }) => sum + weight, 0);
  return (
    keys.size === signers.length &&
    signers.length >= 1 &&
    signers.length <= 20 &&
    signers.every(({ key, weight }) => /^0x0[23][0-9a-f]{64}$/.test(key) && weight >= 1 && weight <= 255) &&
    [threshold, ...signers.map(({ weight }) => weight)].every(Number.isInteger) &&
    threshold >= 1 &&
    threshold <= total
  );
}

function isAmount(value: bigint, least: bigint): boolean {
  return value >= least && value <= AMOUNT_MAX;
}

/** The number of another chain. */
function isChain(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 1;
}

function isLabel(text: string, bytes: number): boolean {
  return text !== "" && isText(text, bytes) && isPrintable(text);
}

/** True unless it is too long, or has halves of pairs, which UTF-8 does not have. */
function isText(text: string, bytes: number): boolean {
  let size = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) return false;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return size <= bytes;
}

/** True unless it has control characters of ASCII or Latin-1. */
function isPrintable(text: string): boolean {
  return [...text].every((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code >= 0x20 && (code < 0x7f || code > 0x9f);
  });
}
