/** Responses to malformed connections. */
import type { Socket } from "node:net";
import { sendRawError } from "./raw-response.ts";

/** Responds with the error body to input that Node's HTTP parser rejects (specification 13.1). */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  switch (error.code) {
    // The client has closed the connection.
    case "ECONNRESET":
    case "EPIPE":
      socket.destroy();
      return;
    case "HPE_HEADER_OVERFLOW":
      // Not 431: errors of form are 400 (specification 13.2).
      sendRawError(socket, 400, "validation_header", "the request line and headers are too long");
      return;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      sendRawError(
        socket,
        408,
        "request_timeout",
        "the request did not arrive completely in time; nothing was admitted",
      );
      return;
    default:
      sendRawError(socket, 400, "validation_http", "not a well-formed HTTP request");
  }
}
