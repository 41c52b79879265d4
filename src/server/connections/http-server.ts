/**
 * The HTTP/1 server of every interface. It carries out the requests of one connection one at a time, in their order (RFC
 * 9112, 9.3.2), upgrades and refusals included, so that no client has more than one answer in progress on a connection.
 */
import { createServer, type IncomingMessage, METHODS, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { entryOf } from "../../core/base/entry.ts";
import { declineUpgrade, type HttpError, refuseConnection, refuseRequest, sendRawError } from "../http/errors.ts";
import { HTTP_LIMITS, type HttpLimits, VALUE_CHARACTERS } from "../limits.ts";
import { edgeFault } from "../wire/errors.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ServerParts {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly hosts: AllowedHosts;
  readonly limits?: HttpLimits;
  /** Pages of other origins may ask. Default: a request that names its origin is of an allowed host. */
  readonly isPublic?: boolean;
  /** Takes upgrades to websockets. Default: every upgrade is declined. */
  readonly upgrade?: UpgradeHandler;
  /** Shares the time of this process between reads and all other work; calls its argument once. Default: at once. */
  readonly queueRead?: (read: () => void) => void;
}

/** Returns a server, not yet listening. */
export function createHttpServer(parts: ServerParts): Server {
  const { limits = HTTP_LIMITS } = parts;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    // Node's own refusal has no body.
    requireHostHeader: false,
  });
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxConnections = limits.connections;
  const unread = new Set<Socket>();
  const connectionOf = (socket: Duplex): Connection =>
    // Node types the socket of an upgrade as any stream.
    entryOf(CONNECTIONS, socket, () => new Connection(socket as Socket, limits, unread));
  // Connections outlive the listening, by which the server loses its address.
  let bound = "";
  server.on("listening", () => {
    bound = (server.address() as AddressInfo).address;
  });
  const fault = (request: IncomingMessage): HttpError | undefined => faultOf(request, bound, parts);

  const answer = (request: IncomingMessage, response: ServerResponse): ServerResponse => {
    const error = fault(request);
    if (error !== undefined) refuseRequest(response, error);
    else if (parts.queueRead === undefined || !READS.has(request.method ?? "")) parts.handle(request, response);
    else
      parts.queueRead(() => {
        if (!response.closed) parts.handle(request, response);
      });
    return response;
  };
  const enqueue = (request: IncomingMessage, response: ServerResponse): void =>
    connectionOf(request.socket).add({ request, begin: () => answer(request, response) });
  server.on("request", enqueue);
  // Node answers an unknown expectation itself, outside the order.
  server.on("checkExpectation", enqueue);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    connectionOf(socket).end(() => {
      const error = fault(request);
      if (error !== undefined) return sendRawError(socket, error);
      if (parts.upgrade === undefined || request.headers.upgrade?.toLowerCase() !== "websocket")
        return declineUpgrade(request, socket, answer);
      parts.upgrade(request, socket, head);
      return undefined;
    }),
  );
  server.on("connect", (_request, socket: Duplex) =>
    connectionOf(socket).end(() => sendRawError(socket, edgeFault("validation_http", "this server is no proxy"))),
  );
  server.on("clientError", (error: Error & { readonly code?: string }, socket: Duplex) => {
    const refuse = (): void => connectionOf(socket).fail(() => refuseConnection(error, socket as Socket));
    // Node begins to count when it accepts a connection, and anew with the first byte.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && (socket as Socket).bytesRead === 0)
      unlessRead(socket as Socket, refuse);
    else refuse();
  });
  server.on("timeout", (socket: Socket) => unlessRead(socket, () => socket.destroy()));
  return server;
}

/**
 * Ends a connection that timed out, unless bytes wait to be read: timers run before reads, so that after long work of this
 * thread the request of a client in time would be reset.
 */
function unlessRead(socket: Socket, end: () => void): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) end();
  });
}

/** Requests without an effect. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** By socket: a server that listens on several addresses is several servers of Node. */
const CONNECTIONS = new WeakMap<Duplex, Connection>();

/** Begins what the connection does next; returns the response if there is one. */
type Task = () => ServerResponse | undefined;

interface WaitingRequest {
  readonly request: IncomingMessage;
  readonly begin: Task;
}

/** Requests of one connection that wait for their turn, and the answer in progress. */
class Connection {
  readonly #socket: Socket;
  readonly #limits: HttpLimits;
  /** Connections of the server with an answer that the client has not read. */
  readonly #unread: Set<Socket>;
  readonly #waiting: WaitingRequest[] = [];
  #current: ServerResponse | undefined;
  /** Task after the last request. */
  #last: Task | undefined;
  #isEnding = false;

  constructor(socket: Socket, limits: HttpLimits, unread: Set<Socket>) {
    this.#socket = socket;
    this.#limits = limits;
    this.#unread = unread;
  }

  /** Carries out a request after those before it. */
  add(request: WaitingRequest): void {
    if (this.#isEnding) return;
    // Node parses all that one read of the socket brought, so it cannot be told to stop in time.
    if (this.#waiting.length >= this.#limits.pipelined) this.#socket.destroy();
    else this.#waiting.push(request);
    this.#next();
  }

  /** Carries out the last task of the connection, as HTTP, after the requests before it. */
  end(task: Task): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#last = task;
    // Node no longer tells the answer in progress, nor its own timer, what happens to the socket.
    this.#socket.on("drain", () => this.#current?.emit("drain"));
    this.#socket.once("timeout", () => this.#socket.destroy());
    this.#socket.once("error", () => this.#socket.destroy());
    this.#next();
  }

  /** Ends the connection with the refusal of the request that could not be read. */
  fail(refuse: Task): void {
    if (this.#isEnding) return;
    this.#socket.pause();
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop();
    else if (this.#current?.req.complete === false) {
      this.#isEnding = true;
      if (this.#current.headersSent) this.#socket.destroy();
      else refuse();
    }
    this.end(refuse);
  }

  #next(): void {
    const socket = this.#socket;
    if (this.#current !== undefined || socket.destroyed) return;
    const begin = this.#waiting.shift()?.begin ?? this.#last;
    if (begin === this.#last) this.#last = undefined;
    const response = begin?.();
    if (response === undefined) return;
    this.#current = response;
    response.once("prefinish", () => {
      if (socket.writableLength === 0) return;
      socket.setTimeout(this.#limits.unreadMs);
      this.#unread.add(socket);
      closeLargest(this.#unread, this.#limits.unreadBytes);
    });
    response.once("close", () => {
      this.#unread.delete(socket);
      this.#current = undefined;
      if (this.#waiting.length > 0) socket.setTimeout(0);
      this.#next();
    });
  }
}

/** Closes connections, those with the most unread bytes of answers first, down to `most` bytes in all together. */
function closeLargest(unread: Set<Socket>, most: number): void {
  let sum = 0;
  for (const { writableLength } of unread) sum += writableLength;
  for (const largest of [...unread].sort((a, b) => b.writableLength - a.writableLength)) {
    if (sum <= most) return;
    sum -= largest.writableLength;
    unread.delete(largest);
    largest.destroy();
  }
}

function faultOf(request: IncomingMessage, bound: string, { hosts, isPublic }: ServerParts): HttpError | undefined {
  const { method = "", httpVersion, headers } = request;
  // Node's parser takes methods of RTSP, and other versions.
  if (!METHODS.includes(method) || !/^1\.[01]$/.test(httpVersion)) return NO_HTTP;
  const { host, origin } = headers;
  if (host === undefined && httpVersion === "1.1") return NO_HOST;
  if (host !== undefined && !hosts.allows(host, bound)) return forbidden("Host", host);
  if (isPublic !== true && origin !== undefined && !hosts.allowsOrigin(origin, bound))
    return forbidden("Origin", origin);
  return undefined;
}

const NO_HTTP = edgeFault("validation_http", "expected a request of HTTP/1.1 or 1.0");

const NO_HOST = edgeFault("validation_http", "a request of HTTP/1.1 names its host: expected a header Host");

function forbidden(header: string, value: string): HttpError {
  const hosts = "localhost, the address that the server listens on, or a name of --allowed-hosts";
  return edgeFault("validation_host", `header ${header}: expected ${hosts}; got ${value.slice(0, VALUE_CHARACTERS)}`);
}
