/** Errors of the HTTP interface: codes of the edge, texts of refusals, and the body of every error (specification 13). */

import { unreachable } from "../../core/base/assert.ts";
import type { Refusal, RefusalCode } from "../../core/base/refusal.ts";
import { REFUSALS } from "../../core/ledger/refusals.ts";
import type { Shape } from "../../scenario/schema/shape.ts";
import { object, words } from "./schemas/schema-types.ts";
import type { WireFaultCode } from "./wire-error.ts";

/**
 * Statuses of errors (specification 13.2; wire 2.3). Never 401: clients read it as a login, or as success.
 */
export type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 410 | 413 | 415 | 422 | 429 | 500;

type EdgeError = Readonly<{ status: ErrorStatus; meaning: string }>;

/** Codes of the edge. Clients read `resource_transaction_not_found`, `rate_limit_exceeded` and `request_timeout`. */
export type EdgeCode =
  | Exclude<WireFaultCode, RefusalCode>
  | "validation_content_type"
  | "request_body_too_large"
  | "request_timeout"
  | "rate_limit_exceeded"
  | "method_not_allowed"
  | "resource_route_not_found"
  | "resource_transaction_not_found"
  | "resource_checkpoint_not_found"
  | "resource_epoch_not_found"
  | "DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE"
  | "LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED"
  | "RAW_TRANSACTION_ENDPOINT_REMOVED"
  | "system_service_unavailable"
  | "system_internal_error";

export const EDGE_ERRORS: Readonly<Record<EdgeCode, EdgeError>> = {
  validation_json: edge(400, "the body is not valid JSON in the accepted subset"),
  validation_body: edge(400, "a member of the body is missing or malformed"),
  validation_query: edge(400, "a value of the query is missing or malformed"),
  validation_address: edge(400, "an address is malformed, or its checksum is wrong"),
  validation_hash: edge(400, "a hash is malformed"),
  validation_content_type: edge(415, "a body is application/json"),
  request_body_too_large: edge(413, "the body is larger than any operation needs"),
  request_timeout: edge(408, "no response in time: whether the operation was admitted is unknown"),
  rate_limit_exceeded: edge(429, "more requests from one address than allowed"),
  method_not_allowed: edge(405, "the path is served for another method"),
  resource_route_not_found: edge(404, "unknown path"),
  resource_transaction_not_found: edge(404, "no operation with this hash is known, or there is no receipt yet"),
  resource_checkpoint_not_found: edge(404, "there is no such checkpoint yet"),
  resource_epoch_not_found: edge(404, "there is no such epoch yet"),
  DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE: edge(403, "v2 writes are switched off: sign anew for the v1 path"),
  DOMAIN_SEPARATED_SIGNATURE_REQUIRED: edge(400, "a v2 body has an authorization, and no member signature"),
  UNSUPPORTED_AUTHORIZATION_TYPE: edge(400, "an authorization of this type is not served"),
  LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED: edge(410, "v1 writes are switched off: sign anew for the v2 path"),
  RAW_TRANSACTION_ENDPOINT_REMOVED: edge(410, "raw transactions are no longer accepted"),
  system_service_unavailable: edge(500, "the entry validator is down: nothing was admitted"),
  system_internal_error: edge(500, "an internal error of the server"),
};

/** Error response before it is sent. */
export type Fault = Readonly<{ status: ErrorStatus; code: EdgeCode | RefusalCode; message: string }>;

/** Returns the error of a refusal of the core, with its status and its reason. */
export function faultOf(refusal: Refusal): Fault {
  const { code } = refusal;
  return { status: REFUSALS[code].status, code, message: refusalText(refusal) };
}

/** Returns an error of the edge; the default message is the meaning of the code. */
export function edgeFault(code: EdgeCode, message?: string): Fault {
  const { status, meaning } = EDGE_ERRORS[code];
  return { status, code, message: message ?? meaning };
}

/** Returns the body of an error, of every interface (specification 13.1). */
export function restErrorOf({ code, message }: { readonly code: string; readonly message: string }): RESTErrorData {
  return { error_code: code, message };
}

function edge(status: ErrorStatus, meaning: string): EdgeError {
  return { status, meaning };
}

/** Returns a text for people; clients read the code only. Amounts are in the token's smallest unit. */
export function refusalText(refusal: Refusal): string {
  return refusal.code.startsWith("business_")
    ? businessRefusalText(refusal as Extract<Refusal, { readonly code: `business_${string}` }>)
    : otherRefusalText(refusal as Exclude<Refusal, { readonly code: `business_${string}` }>);
}

function otherRefusalText(refusal: Exclude<Refusal, { readonly code: `business_${string}` }>): string {
  switch (refusal.code) {
    case "validation_chain_id":
      return `the chain id of this network is ${refusal.expected}, got ${refusal.got}`;
    case "validation_signature":
      return `invalid signature: ${refusal.reason}`;
    case "validation_nonce":
      return `a nonce is an integer from 0 to 2^53 - 2, got ${refusal.got}`;
    case "validation_decimals":
      return `decimals are an integer from 0 to 18, got ${refusal.got}`;
    case "validation_amount":
    case "validation_text":
    case "validation_layout":
      return `${refusal.field}: ${refusal.reason}`;
    case "validation_action":
      return `${refusal.field}: expected one of ${refusal.expected.join(", ")}, got ${JSON.stringify(refusal.got)}`;
    case "validation_evidence":
      return `evidence is not an equivocation proof: ${refusal.reason}`;
    case "validation_signature_ambiguous":
      return `ambiguous signature: it is valid for two operations, of ${refusal.client} in the client layout and of ${refusal.spec} in the spec layout; sign another one`;
    case "validation_proposal":
      return `the proposed value breaks a rule of its slot: ${refusal.reason}`;
    case "resource_token_not_found":
      return `there is no token ${refusal.token}`;
    case "resource_authorisation_not_found":
      return `operation ${refusal.id} is not among those that are authorised and not yet executed`;
    case "system_queue_full":
      return `this validator already holds ${refusal.limit} waiting operations: try again later, or another one`;
    default:
      return unreachable(refusal);
  }
}

function businessRefusalText(refusal: Extract<Refusal, { readonly code: `business_${string}` }>): string {
  switch (refusal.code) {
    case "business_nonce_too_low":
      return `the next nonce of this account is ${refusal.expected}, got ${refusal.got}, which is used`;
    case "business_nonce_gap":
      return `the next nonce of this account is ${refusal.expected}, got ${refusal.got}`;
    case "business_nonce_pending":
      return `operation ${refusal.pending} with nonce ${refusal.nonce} is pending: wait for it, or cancel it`;
    case "business_insufficient_funds":
      return `the balance of token ${refusal.token} is ${refusal.balance}, expected at least ${refusal.need} with the fee`;
    case "business_token_exists":
      return `the master authority already has a token of this symbol: ${refusal.token}`;
    case "business_token_paused":
      return `token ${refusal.token} is paused`;
    case "business_pause_state":
      return `token ${refusal.token} is ${refusal.paused ? "paused already" : "not paused"}`;
    case "business_blacklisted":
      return `${refusal.address} is on the blacklist of token ${refusal.token}`;
    case "business_not_whitelisted":
      return `${refusal.address} is not on the whitelist of the private token ${refusal.token}`;
    case "business_list_kind":
      return `token ${refusal.token} is ${refusal.isPrivate ? "private, and has a whitelist only" : "public, and has a blacklist only"}`;
    case "business_list_state":
      return `${refusal.address} is ${refusal.listed ? "on the list already" : "not on the list"} of token ${refusal.token}`;
    case "business_missing_role":
      return `signer ${refusal.signer} lacks the role ${refusal.role}${refusal.token === undefined ? "" : ` of token ${refusal.token}`}`;
    case "business_role_full":
      return `token ${refusal.token} has ${refusal.cap} in the role ${refusal.role}, the maximum`;
    case "business_role_not_held":
      return `${refusal.address} does not hold the role ${refusal.role} of token ${refusal.token}`;
    case "business_allowance_exceeded":
      return `the allowance for token ${refusal.token} is ${refusal.allowance}, expected at least ${refusal.need}`;
    case "business_amount_overflow":
      return `${refusal.minted} of token ${refusal.token} was minted already, and ${refusal.value} more would pass 2^256 - 1`;
    case "business_burn_unfunded":
      return `${refusal.account} had less than ${refusal.value} of token ${refusal.token} when its burn was decided`;
    case "business_burn_outcome":
      return `burn ${refusal.id} must be decided as ${refusal.expected}, and not as ${refusal.got}`;
    case "business_signature_reused":
      return `this signature was admitted for operation ${refusal.pending}, and is valid for one kind of operation only`;
    case "business_nothing_to_cancel":
      return `no cancellable operation with nonce ${refusal.nonce} is pending`;
    case "business_superseded":
      return `its nonce was skipped by ${refusal.by}`;
    case "business_decided_otherwise":
      return `operation ${refusal.by} was decided for nonce ${refusal.nonce}`;
    default:
      return unreachable(refusal);
  }
}

/** No other members: one called `code` would mislead clients (wire 2.3). */
export type RESTErrorData = Readonly<{ error_code: string; message: string }>;

export const restErrorData: Shape<RESTErrorData> = object("an error", {
  error_code: words("the code", undefined, ["business_nonce_too_low"]),
  message: words("what happened, for people", undefined, ["the next nonce of this account is 5, got 3"]),
});
