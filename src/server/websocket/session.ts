/** Websocket session: frames of the client, subscriptions, heartbeat and closing (wire 4). */
import type { WebSocket } from "ws";
import { unreachable } from "../../core/base/assert.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { SocketLimits } from "../limits.ts";
import { parseJson } from "../wire/json.ts";
import { quoteValue } from "../wire/wire-error.ts";
import { Outbox, OutgoingFrame, type WaitingBytes } from "./outbox.ts";

/** Close codes of RFC 6455 and of its registry. */
export const CLOSE = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

export interface Subscription {
  /** Decimal text. */
  readonly id: string;
  readonly stream: Stream;
}

export type Session = ReturnType<typeof openSession>;

type Drop = (code: number, reason: string) => void;

/** Serves a socket until it closes. `waiting` counts its frames with those of all sockets. */
export function openSession(socket: WebSocket, limits: SocketLimits, waiting: WaitingBytes) {
  const subscriptions = new Map<StreamName, Subscription>();
  const outbox = new Outbox(socket, waiting);
  // The same on most sockets, which so share their frames.
  let subscribed = 0n;
  const nextId = (): string => String(++subscribed);
  /** Sends a Close frame, and terminates the socket if it stays unread. */
  const drop: Drop = (code, reason) => {
    if (socket.readyState !== socket.OPEN) return;
    subscriptions.clear();
    outbox.clear();
    socket.close(code, reason);
    // The Close frame follows the unread frames in the socket, so the time to read it is limited.
    const end = setTimeout(() => socket.terminate(), limits.dropMs);
    socket.once("close", () => clearTimeout(end));
  };
  const dropIfSlow = (): void => {
    const { backlog } = outbox;
    if (backlog > limits.bufferedBytes)
      drop(CLOSE.tryAgainLater, `slow reader: ${backlog} bytes unread, at most ${limits.bufferedBytes} allowed`);
  };
  /** Sends one frame, or drops a reader with too many unread bytes. Does not block. */
  const send = (frame: OutgoingFrame): void => {
    dropIfSlow();
    if (socket.readyState === socket.OPEN) outbox.push(frame);
  };
  socket.on("message", (data, isBinary) => {
    const read = isBinary ? NOT_TEXT : readFrame(String(data), limits.filterEntries);
    send(new OutgoingFrame(read.ok ? answerFrame(subscriptions, read.value, nextId) : faultFrame(read.error)));
  });
  // The library has answered with a Pong.
  socket.on("ping", dropIfSlow);
  socket.once("close", () => outbox.clear());
  keepAlive(socket, limits, drop);
  return {
    /** Unread bytes. */
    get unread(): number {
      return outbox.bytes;
    },
    ...{ subscriptionTo: (name: StreamName) => subscriptions.get(name), send, drop },
  };
}

const NOT_TEXT = err(frameFault(null, "frame: expected text, got bytes"));

/** Sends Pings, and closes the socket after too long without a Pong. */
function keepAlive(socket: WebSocket, { pingMs, pongMs }: SocketLimits, drop: Drop): void {
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

/** `TRANSACTIONS` is an addition of this server. */
const STREAM_NAMES = ["CHECKPOINTS", "CERTIFIED_TRANSACTIONS", "TRANSACTIONS"] as const;

export type StreamName = (typeof STREAM_NAMES)[number];

/** Stream and filter of a subscription. An empty filter matches everything. */
export type Stream =
  | { readonly name: "CHECKPOINTS" | "CERTIFIED_TRANSACTIONS"; readonly full: boolean }
  | { readonly name: "TRANSACTIONS"; readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> };

type Frame =
  | { readonly method: "SUBSCRIBE"; readonly id: number; readonly stream: Stream }
  | { readonly method: "UNSUBSCRIBE"; readonly id: number; readonly stream: StreamName };

/** Closed list of error codes in frames. */
type FrameCode =
  | "validation_json"
  | "validation_frame"
  | "validation_stream"
  | "validation_address"
  | "business_subscribed"
  | "business_not_subscribed";

interface FrameFault {
  /** Id of the refused frame, `null` if it has no readable one. */
  readonly id: number | null;
  readonly code: FrameCode;
  readonly message: string;
}

type FrameMembers = Readonly<Record<string, unknown>>;

/** Parses one text frame. `filterEntries`: most addresses, and most tokens, of a filter. */
function readFrame(text: string, filterEntries: number): Result<Frame, FrameFault> {
  const json = parseJson(text);
  if (!json.ok) return err({ id: null, code: "validation_json", message: json.error });
  if (!isObject(json.value)) return err(frameFault(null, `frame: expected an object, got ${quoteValue(json.value)}`));
  const { id, method, stream } = json.value;
  if (typeof id !== "number") return err(frameFault(null, `id: expected an integer, got ${quoteValue(id)}`));
  switch (method) {
    case "SUBSCRIBE": {
      const read = readStream(stream, filterEntries);
      return read.ok ? ok({ method, id, stream: read.value }) : err({ id, ...read.error });
    }
    case "UNSUBSCRIBE": {
      const name = STREAM_NAMES.find((streamName) => streamName === stream);
      return name === undefined ? err({ id, ...unexpectedMember("stream", stream) }) : ok({ method, id, stream: name });
    }
    default:
      return err(frameFault(id, `method: expected "SUBSCRIBE" or "UNSUBSCRIBE", got ${quoteValue(method)}`));
  }
}

type StreamFault = Omit<FrameFault, "id">;

function readStream(stream: unknown, filterEntries: number): Result<Stream, StreamFault> {
  if (!isObject(stream)) {
    const message = `stream: expected an object such as {"name":"CHECKPOINTS","full":false}, got ${quoteValue(stream)}`;
    return err({ code: "validation_stream", message });
  }
  const { name, full } = stream;
  switch (name) {
    case "CHECKPOINTS":
    case "CERTIFIED_TRANSACTIONS":
      if (full === undefined || typeof full === "boolean") return ok({ name, full: full ?? false });
      return err({
        code: "validation_stream",
        message: `stream.full: expected true or false, got ${quoteValue(full)}`,
      });
    case "TRANSACTIONS": {
      const addresses = readFilter(stream, "addresses", filterEntries);
      if (!addresses.ok) return addresses;
      const tokens = readFilter(stream, "tokens", filterEntries);
      return tokens.ok ? ok({ name, addresses: addresses.value, tokens: tokens.value }) : tokens;
    }
    default:
      return err(unexpectedMember("stream.name", name));
  }
}

function readFilter(stream: FrameMembers, member: string, most: number): Result<ReadonlySet<Address>, StreamFault> {
  const list = stream[member];
  if (list === undefined) return ok(new Set());
  if (!Array.isArray(list) || list.length === 0 || list.length > most) {
    const message = `stream.${member}: expected a list of 1 to ${most} addresses, got ${quoteValue(list)}`;
    return err({ code: "validation_stream", message });
  }
  const accounts = new Set<Address>();
  for (const [at, entry] of list.entries()) {
    if (typeof entry !== "string" || !ADDRESS.test(entry)) {
      const message = `stream.${member}[${at}]: expected 0x and 40 hex digits, got ${quoteValue(entry)}`;
      return err({ code: "validation_address", message });
    }
    accounts.add(toAddress(entry));
  }
  return ok(accounts);
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function unexpectedMember(member: string, got: unknown): StreamFault {
  const names = STREAM_NAMES.map((name) => `"${name}"`).join(" or ");
  return { code: "validation_stream", message: `${member}: expected ${names}, got ${quoteValue(got)}` };
}

function frameFault(id: number | null, message: string): FrameFault {
  return { id, code: "validation_frame", message };
}

function isObject(value: unknown): value is FrameMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
