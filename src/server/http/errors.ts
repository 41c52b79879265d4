/** Error responses (specification 13): their forms over the framework and on bare sockets. */

import { type IncomingMessage, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyReply } from "fastify";
import { ZERO } from "../../core/base/amount.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import type { OperationStatus } from "../../live/archive.ts";
import { LINGER_MS } from "../limits.ts";
import { type ErrorAnswer, edgeFault, restErrorOf } from "../wire/errors.ts";

/** Sent as the body RESTErrorData. Never 401, which clients read as a login (wire 2.3). */
export interface HttpError extends ErrorAnswer {
  /** Status of the operation that was asked for, as the header `x-transaction-status` (wire 1.4). */
  readonly transaction?: OperationStatus["status"] | "unknown";
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
export function sendError(reply: FastifyReply, { status, code, message, transaction }: HttpError): FastifyReply {
  if (transaction !== undefined) reply.header("x-transaction-status", transaction);
  if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
  return reply.code(status).type("application/json; charset=utf-8").send(restErrorOf({ code, message }));
}

/** Sends an error response before any framework has seen the request. */
export function refuseRequest(response: ServerResponse, { status, code, message }: HttpError): void {
  const body = JSON.stringify(restErrorOf({ code, message }));
  const type = { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" };
  // The rest of the request is not read.
  response.writeHead(status, { ...type, "content-length": Buffer.byteLength(body), connection: "close" }).end(body);
}

/** Writes a complete response with the error body (specification 13.1), and ends the connection. */
export function sendRawError(socket: Duplex, { status, code, message }: HttpError): undefined {
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const body = JSON.stringify(restErrorOf({ code, message }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Access-Control-Allow-Origin: *",
    "Connection: close",
  ];
  // The client may reset the connection now; there is no further response to send.
  socket.once("error", () => socket.destroy());
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  endSocket(socket);
  return undefined;
}

/** Ends a connection after its last answer. What the client still sends is read, or the system would take the answer back. */
function endSocket(socket: Duplex): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Responds as if no upgrade had been offered (RFC 9110, 7.8), and ends the connection. Node reads no body after such an
 * offer, so only requests without a body get a response.
 */
export function declineUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): ServerResponse | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const message = "the only upgrade is to websocket: send the request without Upgrade";
    return sendRawError(socket, edgeFault("validation_http", message));
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // Node types the socket of an upgrade as any stream; it is the socket of the request.
  response.assignSocket(socket as Socket);
  response.once("finish", () => endSocket(socket));
  answer(request, response);
  return response;
}

/** Responds with the error body to input that Node's HTTP parser rejects (specification 13.1). */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): undefined {
  switch (error.code) {
    // The client has closed the connection.
    case "ECONNRESET":
    case "EPIPE":
      socket.destroy();
      return undefined;
    case "HPE_HEADER_OVERFLOW":
      // Not 431: errors of form are 400 (specification 13.2).
      return sendRawError(socket, edgeFault("validation_header", "the request line and headers are too long"));
    case "ERR_HTTP_REQUEST_TIMEOUT": {
      const message = "the request did not arrive completely in time; nothing was admitted";
      return sendRawError(socket, edgeFault("request_timeout", message));
    }
    default:
      return sendRawError(socket, edgeFault("validation_http", "not a well-formed HTTP request"));
  }
}

/** Returns the error of a refusal with what an issuer that mints at once can do, where it is that. */
export function withHint(error: HttpError, refusal: Refusal, ledger: LedgerState): HttpError {
  if (refusal.code !== "business_token_paused" || ledger.policies.issuedTokens === "open") return error;
  // Nothing was ever minted of a token that is still as it was issued.
  if (tokenOf(ledger, refusal.token)?.minted !== ZERO) return error;
  return { ...error, message: `${error.message}; ${WAYS_OUT}` };
}

const WAYS_OUT =
  "an issued token starts paused: its master unpauses it (POST /v1/tokens/pause), or serve --open-tokens issues open ones";
