/** Websocket endpoint at `/ws` of the HTTP interface, and at its root, where a published client connects (specification 15.2; wire 4). */
import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { requireDefined } from "../../core/base/assert.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import type { ServedNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import type { UpgradeHandler } from "../connections/http-server.ts";
import type { Host } from "../host/real-host.ts";
import { type HttpError, sendRawError } from "../http/errors.ts";
import type { SocketLimits } from "../limits.ts";
import type { Answers } from "../wire/answers.ts";
import { edgeFault } from "../wire/errors.ts";
import type { CopyOf } from "../wire/shapes/network.ts";
import type { AffectedParties } from "../wire/shapes/receipt.ts";
import { certifiedTransaction } from "../wire/shapes/transaction.ts";
import { OutgoingFrame, WaitingBytes } from "./outbox.ts";
import { CLOSE, openSession, type Session, type StreamName, type Subscription } from "./session.ts";

export const WEBSOCKET_PATH = "/ws";

/** Serves websockets until `close`. */
export function openEndpoint(host: Host, limits: SocketLimits, answers: Answers) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false });
  const sessions = new Map<WebSocket, Session>();
  const waiting = new WaitingBytes();

  sockets.on("connection", (socket) => {
    sessions.set(socket, openSession(socket, limits, waiting));
    socket.once("close", () => sessions.delete(socket));
    // The library closes the socket with the right code itself, for frames that are too long or malformed.
    socket.on("error", () => undefined);
  });
  sockets.on("wsClientError", (error, socket) =>
    sendRawError(socket, edgeFault("validation_handshake", error.message)),
  );

  let closing = false;
  /** Opens a websocket, or refuses it. */
  const upgrade: UpgradeHandler = (request, socket, head) => {
    const refusal = closing ? STOPPING : refusalOf(request, sessions.size, limits);
    if (refusal !== undefined) sendRawError(socket, refusal);
    else sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit("connection", opened, request));
  };

  const unwatch = host.subscribe((notification: Notification) => {
    if (sessions.size === 0) return;
    for (const { name, frameFor } of framesOf(notification, host.network, answers))
      for (const session of sessions.values()) {
        const subscription = session.subscriptionTo(name);
        const frame = subscription && frameFor(subscription);
        if (frame !== undefined) session.send(frame);
      }
    if (waiting.total > limits.waitingBytes) dropSlowest(sessions.values(), () => waiting.total > limits.waitingBytes);
  });
  return {
    upgrade,
    /** Number of open sockets. */
    get sockets(): number {
      return sessions.size;
    },
    /** Sends Close frames, waits a bounded time for the replies, and terminates the remaining sockets. */
    async close(): Promise<void> {
      closing = true;
      unwatch();
      await closeAll(sessions, limits.shutdownMs);
    },
  };
}

const STOPPING = edgeFault("system_service_unavailable", "the server is stopping; connect again later");

function refusalOf(request: IncomingMessage, open: number, { sockets }: SocketLimits): HttpError | undefined {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  if (path !== WEBSOCKET_PATH && path !== "/")
    return edgeFault("resource_route_not_found", `websockets are at ${WEBSOCKET_PATH} and at /`);
  if (open < sockets) return undefined;
  return edgeFault("rate_limit_exceeded", `${sockets} websockets are open, the limit; close one first`);
}

/** Drops readers, the slowest first, while there is too much unread. */
function dropSlowest(sessions: Iterable<Session>, isTooMuch: () => boolean): void {
  for (const session of [...sessions].sort((a, b) => b.unread - a.unread)) {
    if (!isTooMuch()) return;
    session.drop(CLOSE.tryAgainLater, "slow reader: all readers together leave too much unread");
  }
}

async function closeAll(sessions: ReadonlyMap<WebSocket, Session>, shutdownMs: number): Promise<void> {
  const closings = [...sessions].map(
    ([socket, session]) =>
      new Promise<void>((resolve) => {
        const end = setTimeout(() => socket.terminate(), shutdownMs);
        socket.once("close", () => {
          clearTimeout(end);
          resolve();
        });
        session.drop(CLOSE.goingAway, "the server stops");
      }),
  );
  await Promise.all(closings);
}

interface Frames {
  readonly name: StreamName;
  /** Returns `undefined` if the subscription's filter does not match. */
  readonly frameFor: (subscription: Subscription) => OutgoingFrame | undefined;
}

/** Yields the frames of one notification, by stream: none for an id that no client submitted. */
function* framesOf(notification: Notification, { archive }: ServedNetwork, answers: Answers): Iterable<Frames> {
  if (notification.type === "violation") return;
  if (notification.type === "checkpoint") {
    const { link } = notification;
    const copyOf: CopyOf = (id) => requireDefined(archive.copyOf(id), `copy of operation ${id}`);
    yield framesByFullness("CHECKPOINTS", (full) => answers.eventCheckpoint(link, full, copyOf));
    return;
  }
  const copy = notification.type === "submitted" ? notification.copy : archive.copyOf(notification.id);
  if (copy === undefined) return;
  // Nobody signs a recovery.
  if (notification.type === "final" && notification.final.receipt.success && !isRecovery(copy.submission))
    yield framesByFullness("CERTIFIED_TRANSACTIONS", (full) =>
      certifiedTransaction(answers.transaction(copy, undefined), full),
    );
  const about = answers.affectedBy(copy.submission);
  const hashOf = (id: OperationId): Hash | null => {
    const otherCopy = archive.copyOf(id);
    return otherCopy === undefined ? null : answers.hashOf(otherCopy);
  };
  const name = "TRANSACTIONS";
  const frameOf = eventFrames(name, JSON.stringify(answers.transactionEvent(notification, copy, hashOf)));
  yield {
    name,
    frameFor: ({ id, stream }) => (stream.name === name && matchesFilter(about, stream) ? frameOf(id) : undefined),
  };
}

function framesByFullness(name: "CHECKPOINTS" | "CERTIFIED_TRANSACTIONS", event: (full: boolean) => object): Frames {
  const kinds = new Map<boolean, ReturnType<typeof eventFrames>>();
  const framesOfKind = (full: boolean): ReturnType<typeof eventFrames> =>
    entryOf(kinds, full, () => eventFrames(name, JSON.stringify(event(full))));
  return {
    name,
    frameFor: ({ id, stream }) => (stream.name === name ? framesOfKind(stream.full)(id) : undefined),
  };
}

/** Returns the frames `{subscription, stream, result}` of one event, one for each subscription id. `result`: JSON text. */
function eventFrames(stream: StreamName, result: string): (subscription: string) => OutgoingFrame {
  const frames = new Map<string, OutgoingFrame>();
  return (subscription) =>
    entryOf(frames, subscription, () => {
      const id = JSON.stringify(subscription);
      return new OutgoingFrame(`{"subscription":${id},"stream":"${stream}","result":${result}}`);
    });
}

/** Returns true if an operation matches a filter; an empty filter matches everything. */
function matchesFilter(
  { addresses, tokens }: AffectedParties,
  filter: { readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> },
): boolean {
  const byAddress = filter.addresses.size === 0 || addresses.some((address) => filter.addresses.has(address));
  return byAddress && (filter.tokens.size === 0 || tokens.some((token) => filter.tokens.has(token)));
}
