/** Error responses (specification 13): the codes of the wire layer, and those of a server. */
import type { FastifyReply } from "fastify";
import { type ErrorStatus, restErrorOf, type Fault as WireError } from "../wire/errors.ts";

/** Codes for connections, URLs and the entry validator, which no body or query causes. */
export type ServerCode =
  | "validation_http"
  | "validation_header"
  | "validation_url"
  | "validation_handshake"
  | "business_validator_down"
  | "business_epoch_closed"
  | "business_faucet_refused";

/** Sent as the body RESTErrorData. Never 401, which clients read as a login (wire 2.3). */
export interface HttpError {
  readonly status: ErrorStatus;
  readonly code: WireError["code"] | ServerCode;
  readonly message: string;
}

/** Exception that carries an error response through the framework. */
export class HttpErrorException extends Error {
  override readonly name = "FaultError";
  readonly error: HttpError;

  constructor(error: HttpError) {
    super(error.message);
    this.error = error;
  }
}

/** Sends an error response. */
export function sendError(reply: FastifyReply, { status, code, message }: HttpError): FastifyReply {
  if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
  return reply.code(status).type("application/json; charset=utf-8").send(restErrorOf({ code, message }));
}
