/** Error codes of the HTTP interface: those of the edge; the core has a table of its own. */
import type { Refusal, RefusalCode } from "../../core/base/refusal.ts";
import { REFUSALS } from "../../core/ledger/refusals.ts";
import { refusalText } from "./refusal-text.ts";
import type { RESTErrorData } from "./schemas/errors.ts";
import type { WireFaultCode } from "./wire-error.ts";

/**
 * Statuses of errors (specification 13.2; wire 2.3). Never 401: clients read it as a login, or as success.
 */
export type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 410 | 413 | 415 | 422 | 429 | 500;

interface EdgeError {
  readonly status: ErrorStatus;
  readonly meaning: string;
}

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
  DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE: edge(403, "v2 writes are not served: post to the v1 path"),
  RAW_TRANSACTION_ENDPOINT_REMOVED: edge(410, "raw transactions are no longer accepted"),
  system_service_unavailable: edge(500, "the entry validator is down: nothing was admitted"),
  system_internal_error: edge(500, "an internal error of the server"),
};

/** Error response before it is sent. */
export interface Fault {
  readonly status: ErrorStatus;
  readonly code: EdgeCode | RefusalCode;
  readonly message: string;
}

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
