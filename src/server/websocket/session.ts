/** Websocket session: subscriptions, heartbeat and closing (wire 4). */
import type { WebSocket } from "ws";
import { unreachable } from "../../core/base/assert.ts";
import type { SocketLimits } from "../limits.ts";
import { type Frame, type FrameFault, readFrame, type Stream, type StreamName } from "./frame.ts";

/** Close codes of RFC 6455 and of its registry. */
export const CLOSE = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

export interface Subscription {
  /** Decimal text. */
  readonly id: string;
  readonly stream: Stream;
}

export interface Session {
  subscriptionTo(name: StreamName): Subscription | undefined;
  /** Sends one frame, or drops a reader with too many unread bytes. Does not block. */
  send(frame: string): void;
  /** Sends a Close frame, and terminates the socket if it stays unread. */
  drop(code: number, reason: string): void;
}

/** Serves a socket until it closes. `nextId` names a new subscription. */
export function openSession(socket: WebSocket, limits: SocketLimits, nextId: () => string): Session {
  const subscriptions = new Map<StreamName, Subscription>();
  const drop = (code: number, reason: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    subscriptions.clear();
    socket.close(code, reason);
    // The Close frame follows all unread frames, so the time to read it is limited.
    const end = setTimeout(() => socket.terminate(), limits.dropMs);
    socket.once("close", () => clearTimeout(end));
  };
  const send = (frame: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    const waiting = socket.bufferedAmount;
    if (waiting > limits.bufferedBytes) {
      drop(CLOSE.tryAgainLater, `slow reader: ${waiting} bytes unread, at most ${limits.bufferedBytes} allowed`);
      return;
    }
    socket.send(frame);
  };
  socket.on("message", (data, isBinary) => {
    const read = isBinary ? NOT_TEXT : readFrame(String(data), limits.filterEntries);
    send(read.ok ? answerFrame(subscriptions, read.value, nextId) : faultFrame(read.error));
  });
  keepAlive(socket, limits, drop);
  return { subscriptionTo: (name) => subscriptions.get(name), send, drop };
}

const NOT_TEXT: { readonly ok: false; readonly error: FrameFault } = {
  ok: false,
  error: { id: null, code: "validation_frame", message: "frame: expected text, got bytes" },
};

/** Sends Pings, and closes the socket after too long without a Pong. */
function keepAlive(socket: WebSocket, { pingMs, pongMs }: SocketLimits, drop: Session["drop"]): void {
  const pings = setInterval(() => socket.ping(), pingMs);
  const pongTimer = setTimeout(() => {
    clearInterval(pings);
    drop(CLOSE.policy, `no Pong for ${pongMs} ms`);
  }, pongMs);
  socket.on("pong", () => pongTimer.refresh());
  socket.once("close", () => {
    clearInterval(pings);
    clearTimeout(pongTimer);
  });
}

function answerFrame(subscriptions: Map<StreamName, Subscription>, frame: Frame, nextId: () => string): string {
  const { id, method } = frame;
  switch (method) {
    case "SUBSCRIBE": {
      const { stream } = frame;
      if (subscriptions.has(stream.name)) {
        const message = `stream ${stream.name} is subscribed on this socket already; unsubscribe first`;
        return faultFrame({ id, code: "business_subscribed", message });
      }
      const subscription = { id: nextId(), stream };
      subscriptions.set(stream.name, subscription);
      return JSON.stringify({ id, result: subscription.id });
    }
    case "UNSUBSCRIBE": {
      const { stream } = frame;
      if (subscriptions.delete(stream)) return JSON.stringify({ id, result: true });
      const message = `stream ${stream} is not subscribed on this socket`;
      return faultFrame({ id, code: "business_not_subscribed", message });
    }
    default:
      return unreachable(frame);
  }
}

function faultFrame({ id, code, message }: FrameFault): string {
  return JSON.stringify({ id, error: { error_code: code, message } });
}
