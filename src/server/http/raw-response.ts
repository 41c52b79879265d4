/** Responses on bare sockets, for input that is not HTTP, too long, too slow, or not a websocket. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { restErrorOf } from "../wire/errors.ts";

/** Writes a complete response with the error body (specification 13.1), and ends the connection. */
export function sendRawError(socket: Duplex, status: number, code: string, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
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
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
