/** Responses to upgrades other than websocket: some clients offer HTTP/2 with every request. */
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { sendRawError } from "../http/raw-response.ts";

/**
 * Responds as if no upgrade had been offered (RFC 9110, 7.8), and ends the connection. Node reads no body after such an
 * offer, so only requests without a body get a response.
 */
export function declineUpgrade(server: Server, request: IncomingMessage, socket: Duplex): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    sendRawError(socket, 400, "validation_http", "the only upgrade is to websocket: send the request without Upgrade");
    return;
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // Node types the socket of an upgrade as any stream; it is the socket of the request.
  response.assignSocket(socket as Socket);
  response.once("finish", () => socket.end());
  socket.once("error", () => socket.destroy());
  server.emit("request", request, response);
}
