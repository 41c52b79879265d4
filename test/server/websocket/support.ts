/** A client of the websocket that remembers what it is sent. */
import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

export interface Connection {
  readonly socket: WebSocket;
  /** The next frame that has not been taken, as JSON. */
  next(): Promise<Record<string, unknown>>;
  /** Sends a frame and takes the next one. */
  ask(frame: unknown): Promise<Record<string, unknown>>;
  /** Code and reason of the socket's end. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export async function connectTo(port: number, options: ClientOptions = {}, path = "/ws"): Promise<Connection> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const frames: Record<string, unknown>[] = [];
  const takers: ((frame: Record<string, unknown>) => void)[] = [];
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as Record<string, unknown>;
    const taker = takers.shift();
    if (taker === undefined) frames.push(frame);
    else taker(frame);
  });
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(socket, "open");
  const next = (): Promise<Record<string, unknown>> => {
    const frame = frames.shift();
    return frame === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(frame);
  };
  return {
    socket,
    next,
    closed,
    ask(frame) {
      socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
      return next();
    },
  };
}

/** The status with which an upgrade is refused, and what the body says. */
export async function refusedUpgrade(
  port: number,
  path: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  socket.on("error", () => undefined);
  const [, answer] = (await once(socket, "unexpected-response")) as [unknown, import("node:http").IncomingMessage];
  let body = "";
  for await (const piece of answer) body += String(piece);
  return { status: answer.statusCode ?? 0, body };
}
