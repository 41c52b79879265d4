/** Errors of the HTTP interface: codes of the edge, texts of refusals, and the body of every error (specification 13). */

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

/** Texts for people; clients read the code only. Amounts are in the token's smallest unit. */
const TEXTS: { readonly [C in RefusalCode]: (refusal: Extract<Refusal, { readonly code: C }>) => string } = {
  validation_chain_id: ({ expected, got }) => `the chain id of this network is ${expected}, got ${got}`,
  validation_signature: ({ reason }) => `invalid signature: ${reason}`,
  validation_nonce: ({ got }) => `a nonce is an integer from 0 to 2^53 - 2, got ${got}`,
  validation_decimals: ({ got }) => `decimals are an integer from 0 to 18, got ${got}`,
  validation_amount: ({ field, reason }) => `${field}: ${reason}`,
  validation_text: ({ field, reason }) => `${field}: ${reason}`,
  validation_layout: ({ field, reason }) => `${field}: ${reason}`,
  validation_action: ({ field, expected, got }) =>
    `${field}: expected one of ${expected.join(", ")}, got ${JSON.stringify(got)}`,
  validation_evidence: ({ reason }) => `evidence is not an equivocation proof: ${reason}`,
  validation_signature_ambiguous: ({ client, spec }) =>
    `ambiguous signature: it is valid for two operations, of ${client} in the client layout and of ${spec} in the spec layout; sign another one`,
  validation_proposal: ({ reason }) => `the proposed value breaks a rule of its slot: ${reason}`,
  resource_token_not_found: ({ token }) => `there is no token ${token}`,
  resource_authorisation_not_found: ({ id }) =>
    `operation ${id} is not among those that are authorised and not yet executed`,
  system_queue_full: ({ limit }) =>
    `this validator already holds ${limit} waiting operations: try again later, or another one`,
  business_nonce_too_low: ({ expected, got }) =>
    `the next nonce of this account is ${expected}, got ${got}, which is used`,
  business_nonce_gap: ({ expected, got }) => `the next nonce of this account is ${expected}, got ${got}`,
  business_nonce_pending: ({ pending, nonce }) =>
    `operation ${pending} with nonce ${nonce} is pending: wait for it, or cancel it`,
  business_insufficient_funds: ({ token, balance, need }) =>
    `the balance of token ${token} is ${balance}, expected at least ${need} with the fee`,
  business_token_exists: ({ token }) => `the master authority already has a token of this symbol: ${token}`,
  business_token_paused: ({ token }) => `token ${token} is paused`,
  business_pause_state: ({ token, paused }) => `token ${token} is ${paused ? "paused already" : "not paused"}`,
  business_blacklisted: ({ address, token }) => `${address} is on the blacklist of token ${token}`,
  business_not_whitelisted: ({ address, token }) => `${address} is not on the whitelist of the private token ${token}`,
  business_list_kind: ({ token, isPrivate }) =>
    `token ${token} is ${isPrivate ? "private, and has a whitelist only" : "public, and has a blacklist only"}`,
  business_list_state: ({ address, listed, token }) =>
    `${address} is ${listed ? "on the list already" : "not on the list"} of token ${token}`,
  business_missing_role: ({ signer, role, token }) =>
    `signer ${signer} lacks the role ${role}${token === undefined ? "" : ` of token ${token}`}`,
  business_role_full: ({ token, cap, role }) => `token ${token} has ${cap} in the role ${role}, the maximum`,
  business_role_not_held: ({ address, role, token }) => `${address} does not hold the role ${role} of token ${token}`,
  business_allowance_exceeded: ({ token, allowance, need }) =>
    `the allowance for token ${token} is ${allowance}, expected at least ${need}`,
  business_amount_overflow: ({ minted, token, value }) =>
    `${minted} of token ${token} was minted already, and ${value} more would pass 2^256 - 1`,
  business_burn_unfunded: ({ account, value, token }) =>
    `${account} had less than ${value} of token ${token} when its burn was decided`,
  business_burn_outcome: ({ id, expected, got }) => `burn ${id} must be decided as ${expected}, and not as ${got}`,
  business_signature_reused: ({ pending }) =>
    `this signature was admitted for operation ${pending}, and is valid for one kind of operation only`,
  business_nothing_to_cancel: ({ nonce }) => `no cancellable operation with nonce ${nonce} is pending`,
  business_superseded: ({ by }) => `its nonce was skipped by ${by}`,
  business_decided_otherwise: ({ by, nonce }) => `operation ${by} was decided for nonce ${nonce}`,
};

export function refusalText(refusal: Refusal): string {
  return (TEXTS[refusal.code] as (refusal: Refusal) => string)(refusal);
}

/** No other members: one called `code` would mislead clients (wire 2.3). */
export type RESTErrorData = Readonly<{ error_code: string; message: string }>;

export const restErrorData: Shape<RESTErrorData> = object("an error", {
  error_code: words("the code", undefined, ["business_nonce_too_low"]),
  message: words("what happened, for people", undefined, ["the next nonce of this account is 5, got 3"]),
});
