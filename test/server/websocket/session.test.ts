import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { SOCKET_LIMITS } from "../../../src/server/limits.ts";
import { OutgoingFrame, WaitingBytes } from "../../../src/server/websocket/outbox.ts";
import { openSession, type Session } from "../../../src/server/websocket/session.ts";

/** A socket without a network, that notes what is done to it. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  pings = 0;
  terminated = false;
  readonly sent: string[] = [];
  ending: readonly [code: number, reason: string] | undefined;

  ping(): void {
    this.pings++;
  }

  /** Frames sent that `read` has not taken yet. */
  readonly #unread: { readonly bytes: Buffer; readonly read: () => void }[] = [];

  send(bytes: Buffer, _options: object, read: () => void): void {
    this.sent.push(String(bytes));
    this.bufferedAmount += bytes.length;
    this.#unread.push({ bytes, read });
  }

  read(): void {
    const frame = this.#unread.shift();
    this.bufferedAmount -= frame?.bytes.length ?? 0;
    frame?.read();
  }

  close(code: number, reason: string): void {
    this.readyState = 2;
    this.ending = [code, reason];
  }

  terminate(): void {
    this.terminated = true;
    this.emit("close");
  }
}

let socket: FakeSocket;
let session: Session;
let waiting: WaitingBytes;
beforeEach(() => {
  vi.useFakeTimers();
  socket = new FakeSocket();
  waiting = new WaitingBytes();
  session = openSession(socket as unknown as WebSocket, SOCKET_LIMITS, waiting);
});
afterEach(() => vi.useRealTimers());

describe("a session", () => {
  test("pings every 20 s, and lives for as long as Pongs come", () => {
    for (let minute = 1; minute <= 10; minute++) {
      vi.advanceTimersByTime(59_999);
      socket.emit("pong");
    }
    expect([socket.pings, socket.ending]).toEqual([29, undefined]);
  });

  test("ends 60 s after the last Pong, and is cut off where the Close frame stays unread", () => {
    vi.advanceTimersByTime(30_000);
    socket.emit("pong");
    vi.advanceTimersByTime(59_999);
    expect(socket.ending).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(socket.ending).toEqual([1008, "no Pong for 60000 ms"]);
    expect(socket.terminated).toBe(false);
    vi.advanceTimersByTime(SOCKET_LIMITS.dropMs);
    expect(socket.terminated).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("leaves no timer behind when the client goes", () => {
    socket.emit("close");
    expect(vi.getTimerCount()).toBe(0);
  });

  const frameOf = (length: number): OutgoingFrame => new OutgoingFrame("a".repeat(length));

  test("keeps what is not read behind a frame of any size, up to the limit, and then drops the reader and forgets it", () => {
    const { bufferedBytes } = SOCKET_LIMITS;
    session.send(frameOf(bufferedBytes));
    session.send(frameOf(bufferedBytes));
    session.send(new OutgoingFrame("b"));
    expect([socket.sent.length, session.unread, socket.ending]).toEqual([1, 2 * bufferedBytes + 1, undefined]);
    session.send(new OutgoingFrame("c"));
    session.send(new OutgoingFrame("d"));
    expect(socket.ending).toEqual([1013, expect.stringMatching(/^slow reader/)]);
    // The Close frame follows what is in the socket, and nothing else waits.
    expect([socket.sent.length, session.unread, waiting.total]).toEqual([1, bufferedBytes, bufferedBytes]);
  });

  test("sends in order as the reader reads", () => {
    session.send(frameOf(100_000));
    for (const text of ["b", "c"]) session.send(new OutgoingFrame(text));
    expect(socket.sent).toHaveLength(1);
    socket.read();
    expect(socket.sent.slice(1)).toEqual(["b", "c"]);
    socket.read();
    socket.read();
    expect([session.unread, waiting.total]).toEqual([0, 0]);
  });

  test("has a frame in memory once for all readers", () => {
    const others = Array.from({ length: 9 }, () => new FakeSocket());
    const sessions = others.map((other) => openSession(other as unknown as WebSocket, SOCKET_LIMITS, waiting));
    const frame = frameOf(100_000);
    for (const one of [session, ...sessions]) one.send(frame);
    expect(waiting.total).toBe(100_000);
    for (const one of [socket, ...others]) one.emit("close");
    for (const one of [socket, ...others]) one.read();
    expect(waiting.total).toBe(0);
  });

  test("drops a client that pings and does not read the Pongs", () => {
    socket.bufferedAmount = SOCKET_LIMITS.bufferedBytes;
    socket.emit("ping");
    expect(socket.ending).toBeUndefined();
    socket.bufferedAmount++;
    socket.emit("ping");
    expect(socket.ending?.[0]).toBe(1013);
  });

  test("has a reason to close that fits into a Close frame, however much waits", () => {
    socket.bufferedAmount = Number.MAX_SAFE_INTEGER;
    session.send(new OutgoingFrame("a"));
    expect(Buffer.byteLength(socket.ending?.[1] ?? "")).toBeLessThanOrEqual(123);
  });
});
