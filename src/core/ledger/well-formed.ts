/** Stateless checks of an operation (protocol 4.2; specification 5.1, 14.1). */
import { AMOUNT_MAX } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { Authority, Issue, List, Metadata, Operation, Pause } from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import * as limits from "./limits.ts";
import { grantActionOf, listActionOf, listOf, pauseActionOf, roleOf, SPELLINGS } from "./spelling.ts";
import { memoFault, textTooLong } from "./text-rules.ts";

/** Returns the first fault of an operation's form for a chain, `undefined` if there is none. Code order: outside in. */
export function wellFormed(operation: Operation, chainId: number): Refusal | undefined {
  if (operation.chainId !== chainId) {
    return { code: "validation_chain_id", expected: chainId, got: operation.chainId };
  }
  const { nonce } = operation;
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > limits.NONCE_MAX)
    return { code: "validation_nonce", got: nonce };
  return memoLayout(operation) ?? fieldFault(operation);
}

function fieldFault(operation: Operation): Refusal | undefined {
  switch (operation.kind) {
    case "payment":
    case "mint":
    case "burn":
      return amountFault("value", operation.value, 1n);
    case "cancellation":
      return undefined;
    case "issue":
      return issueFault(operation);
    case "metadata":
      return metadataFault(operation);
    case "list":
      return listFault(operation);
    case "authority":
      return authorityFault(operation);
    case "pause":
      return pauseFault(operation);
    default:
      return unreachable(operation);
  }
}

function memoLayout(operation: Operation): Refusal | undefined {
  const { layout, kind } = operation;
  if (layout === "client-json" && kind !== "metadata") return layoutFault("additional_metadata", `a ${kind} has none`);
  if (operation.memo === undefined) return undefined;
  // Other layouts do not sign a memo, so a relay could change it in transit (wire 3.9).
  if (layout !== "client") return layoutFault("memo", `the ${layout} layout has none`);
  return memoFault(operation.memo);
}

function issueFault(issue: Issue): Refusal | undefined {
  if (issue.layout === "client" && issue.isPrivate === undefined) {
    return layoutFault("is_private", "the client layout always signs it");
  }
  if (issue.layout === "spec" && issue.clawbackEnabled !== undefined) {
    return layoutFault("clawback_enabled", "the spec layout has none");
  }
  if (!Number.isInteger(issue.decimals) || issue.decimals < 0 || issue.decimals > limits.DECIMALS_MAX) {
    return { code: "validation_decimals", got: issue.decimals };
  }
  if (issue.symbol === "") return { code: "validation_text", field: "symbol", reason: "is empty" };
  return textTooLong("symbol", issue.symbol, limits.SYMBOL_BYTES) ?? textTooLong("name", issue.name, limits.NAME_BYTES);
}

function metadataFault(metadata: Metadata): Refusal | undefined {
  const { name, uri, additional } = metadata;
  if (additional.length > limits.ADDITIONAL_PAIRS) {
    const reason = `has ${additional.length} pairs, at most ${limits.ADDITIONAL_PAIRS} are allowed`;
    return { code: "validation_text", field: "additional_metadata", reason };
  }
  const fault = textTooLong("name", name, limits.NAME_BYTES) ?? textTooLong("uri", uri, limits.URI_BYTES);
  if (fault !== undefined) return fault;
  for (const [key, value] of additional) {
    const pairFault =
      textTooLong("additional_metadata.key", key, limits.ADDITIONAL_KEY_BYTES) ??
      textTooLong("additional_metadata.value", value, limits.ADDITIONAL_VALUE_BYTES);
    if (pairFault !== undefined) return pairFault;
  }
  return undefined;
}

function listFault(list: List): Refusal | undefined {
  const named = listOf(list.action);
  const isKnown = listActionOf(list.action) !== undefined && (named === undefined || named === list.list);
  return isKnown ? undefined : actionFault("action", list.action, SPELLINGS.list);
}

function authorityFault(authority: Authority): Refusal | undefined {
  if (grantActionOf(authority.action) === undefined) return actionFault("action", authority.action, SPELLINGS.grant);
  if (roleOf(authority.authorityType) === undefined) {
    return actionFault("authority_type", authority.authorityType, SPELLINGS.role);
  }
  return authority.value === undefined ? undefined : amountFault("value", authority.value, 0n);
}

function pauseFault(pause: Pause): Refusal | undefined {
  return pauseActionOf(pause.action) === undefined ? actionFault("action", pause.action, SPELLINGS.pause) : undefined;
}

function actionFault(field: string, got: string, expected: readonly string[]): Refusal {
  return { code: "validation_action", field, got: got.slice(0, limits.SPELLING_BYTES), expected };
}

function amountFault(field: string, value: bigint, least: bigint): Refusal | undefined {
  if (value >= least && value <= AMOUNT_MAX) return undefined;
  return { code: "validation_amount", field, reason: `expected ${least} to 2^256 - 1` };
}

function layoutFault(field: string, reason: string): Refusal {
  return { code: "validation_layout", field, reason };
}
