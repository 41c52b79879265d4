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
import type { Host } from "../host/host.ts";
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
    for (const frames of framesOf(notification, host.network, answers)) publish(frames, sessions.values());
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

function publish(frames: Frames, sessions: Iterable<Session>): void {
  for (const session of sessions) {
    const subscription = session.subscriptionTo(frames.name);
    if (subscription === undefined) continue;
    const frame = frames.frameFor(subscription);
    if (frame !== undefined) session.send(frame);
  }
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
  /** `undefined` if the subscription's filter does not match. */
  frameFor(subscription: Subscription): OutgoingFrame | undefined;
}

/** Returns the frames of one notification, by stream. */
function framesOf(notification: Notification, network: ServedNetwork, answers: Answers): readonly Frames[] {
  if (notification.type === "checkpoint") return [checkpointFrames(notification, network, answers)];
  const certified = certifiedFrames(notification, network, answers);
  const transactions = transactionFrames(notification, network, answers);
  return [certified, transactions].flatMap((frames) => frames ?? []);
}

type CheckpointNews = Extract<Notification, { readonly type: "checkpoint" }>;

function checkpointFrames(notification: CheckpointNews, { archive }: ServedNetwork, answers: Answers): Frames {
  const copyOf: CopyOf = (id) => requireDefined(archive.copyOf(id), `copy of operation ${id}`);
  return framesByFullness("CHECKPOINTS", (full) => answers.eventCheckpoint(notification.link, full, copyOf));
}

/** Of an operation that took effect, when it is final; `undefined` for all else, and for recoveries, which nobody signs. */
function certifiedFrames(
  notification: Exclude<Notification, CheckpointNews>,
  { archive }: ServedNetwork,
  answers: Answers,
): Frames | undefined {
  if (notification.type !== "final" || !notification.final.receipt.success) return undefined;
  const copy = archive.copyOf(notification.id);
  if (copy === undefined || isRecovery(copy.submission)) return undefined;
  return framesByFullness("CERTIFIED_TRANSACTIONS", (full) =>
    certifiedTransaction(answers.transaction(copy, undefined), full),
  );
}

function framesByFullness(name: "CHECKPOINTS" | "CERTIFIED_TRANSACTIONS", event: (full: boolean) => object): Frames {
  const kinds = new Map<boolean, EventFrames>();
  const framesOfKind = (full: boolean): EventFrames =>
    entryOf(kinds, full, () => new EventFrames(name, JSON.stringify(event(full))));
  return {
    name,
    frameFor: ({ id, stream }) => (stream.name === name ? framesOfKind(stream.full).of(id) : undefined),
  };
}

/** `undefined` for notifications of no operation, and for ids that no client submitted. */
function transactionFrames(
  notification: Exclude<Notification, CheckpointNews>,
  { archive }: ServedNetwork,
  answers: Answers,
): Frames | undefined {
  if (notification.type === "violation") return undefined;
  const copy = notification.type === "submitted" ? notification.copy : archive.copyOf(notification.id);
  if (copy === undefined) return undefined;
  const about = answers.affectedBy(copy.submission);
  const hashOf = (id: OperationId): Hash | null => {
    const found = archive.copyOf(id);
    return found === undefined ? null : answers.hashOf(found);
  };
  const frames = new EventFrames("TRANSACTIONS", JSON.stringify(answers.transactionEvent(notification, copy, hashOf)));
  return {
    name: "TRANSACTIONS",
    frameFor: ({ id, stream }) =>
      stream.name === "TRANSACTIONS" && matchesFilter(about, stream) ? frames.of(id) : undefined,
  };
}

/** Frames `{subscription, stream, result}` of one event, one for each subscription id. */
class EventFrames {
  readonly #frames = new Map<string, OutgoingFrame>();
  readonly #stream: StreamName;
  readonly #result: string;

  /** `result`: JSON text. */
  constructor(stream: StreamName, result: string) {
    this.#stream = stream;
    this.#result = result;
  }

  of(subscription: string): OutgoingFrame {
    return entryOf(this.#frames, subscription, () => {
      const id = JSON.stringify(subscription);
      return new OutgoingFrame(`{"subscription":${id},"stream":"${this.#stream}","result":${this.#result}}`);
    });
  }
}

/** Returns true if an operation matches a filter; an empty filter matches everything. */
function matchesFilter(
  { addresses, tokens }: AffectedParties,
  filter: { readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> },
): boolean {
  const byAddress = filter.addresses.size === 0 || addresses.some((address) => filter.addresses.has(address));
  return byAddress && (filter.tokens.size === 0 || tokens.some((token) => filter.tokens.has(token)));
}
