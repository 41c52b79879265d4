/** Errors of the HTTP interface: codes of the edge, refusals, and the body of every error (specification 13). */

import { REFUSALS, type Refusal, type RefusalCode, refusalText } from "../../core/base/refusal.ts";
import type { Shape } from "../../schema/shape.ts";
import { namedObject, words } from "./schemas/schema-types.ts";
import type { WireFaultCode } from "./wire-error.ts";

/**
 * Statuses of errors (specification 13.2; wire 2.3). Never 401: clients read it as a login, or as success.
 */
export type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 410 | 413 | 415 | 422 | 429 | 500;

type EdgeError = readonly [status: ErrorStatus, meaning: string];

/** Clients read `resource_transaction_not_found`, `rate_limit_exceeded` and `request_timeout`. */
export const EDGE_ERRORS = {
  validation_json: [400, "the body is not valid JSON in the accepted subset"],
  validation_body: [400, "a member of the body is missing or malformed"],
  validation_query: [400, "a value of the query is missing or malformed"],
  validation_address: [400, "an address is malformed"],
  validation_hash: [400, "a hash is malformed"],
  validation_content_type: [415, "a body is application/json"],
  validation_content_encoding: [415, "a body has no content encoding"],
  validation_http: [400, "a request is one of HTTP/1.1 or 1.0"],
  validation_header: [400, "the request line and headers are bounded"],
  validation_url: [400, "the path is malformed or too long"],
  validation_host: [403, "a header names a host that the server does not answer to"],
  validation_handshake: [400, "the websocket's path takes well-formed upgrades only"],
  request_body_too_large: [413, "the body is larger than any operation needs"],
  request_timeout: [408, "no response in time: whether the operation was admitted is unknown"],
  rate_limit_exceeded: [429, "more requests from one address than allowed"],
  method_not_allowed: [405, "the path is served for another method"],
  resource_route_not_found: [404, "unknown path"],
  resource_transaction_not_found: [404, "no operation with this hash is known, or there is no receipt yet"],
  resource_checkpoint_not_found: [404, "there is no such checkpoint yet"],
  resource_epoch_not_found: [404, "there is no such epoch yet"],
  resource_plan_not_found: [404, "there is no such pricing plan"],
  business_transaction_failed: [422, "the list of the token stops a batch"],
  business_validator_down: [422, "the entry validator is down: nothing was admitted"],
  business_epoch_closed: [422, "the epoch closed without the operation"],
  business_faucet_refused: [422, "the faucet does not give it"],
  DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE: [403, "v2 writes are switched off: sign anew for the v1 path"],
  DOMAIN_SEPARATED_SIGNATURE_REQUIRED: [400, "a v2 body has an authorization, and no member signature"],
  UNSUPPORTED_AUTHORIZATION_TYPE: [400, "an authorization of this type is not served"],
  LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED: [410, "v1 writes are switched off: sign anew for the v2 path"],
  RAW_TRANSACTION_ENDPOINT_REMOVED: [410, "raw transactions are no longer accepted"],
  system_service_unavailable: [500, "the entry validator is down: nothing was admitted"],
  system_internal_error: [500, "an internal error of the server"],
} satisfies Readonly<Record<Exclude<WireFaultCode, RefusalCode>, EdgeError>> & Readonly<Record<string, EdgeError>>;

/** Codes of the edge. */
export type EdgeCode = keyof typeof EDGE_ERRORS;

/** Error response before it is sent. */
export type ErrorAnswer = Readonly<{ status: ErrorStatus; code: EdgeCode | RefusalCode; message: string }>;

/** Returns the error of a refusal of the core, with its status and its reason. */
export function faultOf(refusal: Refusal): ErrorAnswer {
  const { code } = refusal;
  return { status: REFUSALS[code].status, code, message: refusalText(refusal) };
}

/** Returns an error of the edge; the default message is the meaning of the code. */
export function edgeFault(code: EdgeCode, message?: string): ErrorAnswer {
  const [status, meaning] = EDGE_ERRORS[code];
  return { status, code, message: message ?? meaning };
}

/** Returns the body of an error, of every interface (specification 13.1). */
export function restErrorOf({ code, message }: { readonly code: string; readonly message: string }): RESTErrorData {
  return { error_code: code, message };
}

/** No other members: one called `code` would mislead clients (wire 2.3). */
export type RESTErrorData = Readonly<{ error_code: string; message: string }>;

export const restErrorData: Shape<RESTErrorData> = namedObject("RESTErrorData", "an error", {
  error_code: words("the code", undefined, ["business_nonce_too_low"]),
  message: words("what happened, for people", undefined, ["the next nonce of this account is 5, got 3"]),
});
