/**
 * Rules for the form of an operation, which no state changes: layout, memo, dates, account, and the fields of its kind
 * (specification 2.5, 5.1, 5.17, 5.18; wire 3.3, 3.4, 3.8, 3.9).
 */
import type { BridgeBurn, BridgeMint, Memo, Operation, SignedOperation } from "../../core/base/operation.ts";
import { fieldRefusals, isPrintable, isText, type LegsHashOf } from "./field-rules.ts";

const NONE: readonly string[] = [];
const WITH_MEMO: ReadonlySet<Operation["layout"]> = new Set(["client", "v2"]);
const MEMO = { type: 128, format: 64, data: 256 } as const;
const IN_URLS = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%");

/** Returns the codes for which its form forbids an operation in any state and for any vote; most have none. */
export function formRefusals(signed: SignedOperation, legsHashOf: LegsHashOf): readonly string[] {
  const { operation } = signed;
  const ofFields = fieldRefusals(operation, legsHashOf);
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
