/** How requests are refused (specification 13): the codes of the wire layer, and those that only a server has. */
import type { FastifyReply } from "fastify";
import { type ErrorStatus, restErrorOf, type Fault as WireError } from "../wire/errors.ts";

/** Codes of connections, URLs and of the asked validator: nothing that a body or query could cause. */
export type ServerCode =
  | "validation_http"
  | "validation_header"
  | "validation_url"
  | "validation_handshake"
  | "business_validator_down"
  | "business_epoch_closed"
  | "business_faucet_refused";

/** Becomes the body RESTErrorData. Never 401, which clients take for a login (wire 2.3). */
export interface Fault {
  readonly status: ErrorStatus;
  readonly code: WireError["code"] | ServerCode;
  readonly message: string;
}

/** Carries a fault through the framework, which knows thrown errors only. */
export class FaultError extends Error {
  override readonly name = "FaultError";
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Sends a fault. */
export function sendFault(reply: FastifyReply, { status, code, message }: Fault): FastifyReply {
  if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
  return reply.code(status).type("application/json; charset=utf-8").send(restErrorOf({ code, message }));
}
