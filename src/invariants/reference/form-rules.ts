/**
 * Rules for the form of an operation: labels of a token, memo, batch and version 2 (specification 2.5, 5.1, 5.17, 14.1;
 * wire 3.3, 3.4).
 */
import type { BatchPayment, CreateMultisig, Leg, Memo, Operation, SignedOperation } from "../../core/base/operation.ts";

const NONE: readonly string[] = [];
const WITH_MEMO: ReadonlySet<Operation["layout"]> = new Set(["client", "v2"]);
const BYTES = { type: 128, format: 64, data: 256 } as const;
const IN_URLS = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%");

/** Returns the hash of the legs of a batch. A parameter, since this model imports no hash. */
export type LegsHashOf = (legs: readonly Leg[]) => string;

/**
 * Returns the codes for which labels, memo, layout and what stands before the list forbid a vote; most operations have
 * none of them.
 */
export function layoutRefusals(signed: SignedOperation, legsHashOf: LegsHashOf): readonly string[] {
  const { operation } = signed;
  if (operation.kind !== "batch") return commonRefusals(signed);
  const isLaidOut = operation.layout === "v2";
  return [
    ...(isLaidOut ? [] : ["validation_layout"]),
    ...commonRefusals(signed),
    ...batchRefusals(operation, legsHashOf),
  ];
}

/** Somebody gets each payment, as many as fit, and a hash or a time that is there is a true one. */
function batchRefusals({ legs, createdAt, operationsHash, batchId }: BatchPayment, hashOf: LegsHashOf) {
  const found: string[] = [];
  const isToNobody = legs.some(({ recipient }) => BigInt(recipient) === 0n);
  const isTrue = operationsHash === undefined || operationsHash === hashOf(legs);
  if (legs.length < 1 || legs.length > 256 || isToNobody || !isTrue) found.push("validation_batch");
  if (createdAt >= 1n << 64n) found.push("validation_amount");
  if (batchId !== undefined && (sizeOf(batchId) > 128 || /\p{Surrogate}/u.test(batchId))) found.push("validation_text");
  return found;
}

function commonRefusals({ operation, sender }: SignedOperation): readonly string[] {
  const { layout, memo } = operation;
  if (operation.kind === "multisig") return creationRefusals(operation);
  const isMislabelled = !isWellLabelled(operation);
  const isOfOldBridge = layout === "client-flat" || layout === "client-raw";
  if (isOfOldBridge || operation.kind === "bridgeMint" || operation.kind === "bridgeBurn") {
    if (!isSignedForBridge(operation)) return ["validation_layout"];
  }
  const isDated = operation.recentEpoch !== undefined || operation.recentCheckpoint !== undefined;
  if (memo === undefined && layout !== "v2" && !isMislabelled && !isDated) return NONE;
  const found: string[] = isMislabelled ? ["validation_text"] : [];
  if (isDated && !isWellDated(operation)) found.push("validation_layout");
  if (operation.account !== undefined && (layout !== "v2" || operation.account !== sender))
    found.push("validation_layout");
  if (memo === undefined && layout !== "v2") return found;
  if (memo === undefined || !WITH_MEMO.has(layout) || lacksV2(operation)) found.push("validation_layout");
  if (memo !== undefined && !isWellSpelled(memo)) found.push("validation_text");
  return found;
}

/**
 * Most layouts sign all texts of a bridge, the flat one those that are there, and the raw one bytes of the other chain
 * and no text. The older two sign nothing else.
 */
function isSignedForBridge(operation: Operation): boolean {
  if (operation.kind !== "bridgeMint" && operation.kind !== "bridgeBurn") return false;
  const texts = [operation.bridgeMetadata, ...(operation.kind === "bridgeBurn" ? [operation.bridgeParam] : [])];
  if (operation.layout === "client-flat") return true;
  if (operation.layout !== "client-raw") return texts.every((text) => text !== undefined);
  const isBytes =
    operation.kind === "bridgeMint"
      ? /^0x[0-9a-f]{64}$/.test(operation.sourceTxHash)
      : /^0x[0-9a-f]{40}$/.test(operation.destinationAddress);
  return isBytes && texts.every((text) => text === undefined);
}

/** An epoch and a checkpoint are whole numbers, of any age, and stand before the list in the layouts of clients. */
function isWellDated({ layout, recentEpoch = 0, recentCheckpoint = 0 }: Operation): boolean {
  const isSigned = layout !== "spec" && layout !== "v2" && layout !== "client-raw";
  return isSigned && [recentEpoch, recentCheckpoint].every((number) => Number.isSafeInteger(number) && number >= 0);
}

/** One key creates it, in version 2: 1 to 20 keys once each, weights from 1 to 255, and a threshold that they reach. */
function creationRefusals({ layout, account, memo, signers, threshold }: CreateMultisig): readonly string[] {
  if (layout !== "v2" || account !== undefined || memo === undefined) return ["validation_layout"];
  const found = isWellSpelled(memo) ? [] : ["validation_text"];
  const keys = new Set(signers.map(({ key }) => key));
  const total = signers.reduce((sum, { weight }) => sum + weight, 0);
  const isWhole =
    keys.size === signers.length &&
    signers.length >= 1 &&
    signers.length <= 20 &&
    signers.every(({ key, weight }) => /^0x0[23][0-9a-f]{64}$/.test(key) && weight >= 1 && weight <= 255) &&
    [threshold, ...signers.map(({ weight }) => weight)].every(Number.isInteger) &&
    threshold >= 1 &&
    threshold <= total;
  return isWhole ? found : [...found, "validation_signers"];
}

/** Version 2 burns from the signer only, and signs every field of an issue and a grant. */
function lacksV2(operation: Operation): boolean {
  if (operation.layout !== "v2") return false;
  switch (operation.kind) {
    case "burn":
      return operation.recipient !== undefined;
    case "issue":
      return operation.isPrivate === undefined || operation.clawbackEnabled === undefined;
    case "authority":
      return operation.value === undefined;
    default:
      return false;
  }
}

/** A token has a printable symbol and name, a master that somebody is, and each key of its metadata once. */
function isWellLabelled(operation: Operation): boolean {
  switch (operation.kind) {
    case "issue":
      return isLabel(operation.symbol) && isLabel(operation.name) && BigInt(operation.masterAuthority) !== 0n;
    case "metadata": {
      const keys = operation.additional.map(([key]) => key);
      return isLabel(operation.name) && keys.every((key, place) => keys.indexOf(key) === place);
    }
    default:
      return true;
  }
}

function isLabel(text: string): boolean {
  return text !== "" && [...text].every((letter) => isPrintable(letter.codePointAt(0) ?? 0));
}

function isWellSpelled({ type, format, data }: Memo): boolean {
  return (
    [...type, ...format].every((letter) => IN_URLS.has(letter)) &&
    [...data].every((letter) => isPrintable(letter.codePointAt(0) ?? 0)) &&
    sizeOf(type) <= BYTES.type &&
    sizeOf(format) <= BYTES.format &&
    sizeOf(data) <= BYTES.data
  );
}

/** Control characters of ASCII and Latin-1, and halves of pairs, are not. */
function isPrintable(code: number): boolean {
  return code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff);
}

/** Bytes of UTF-8. */
function sizeOf(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
