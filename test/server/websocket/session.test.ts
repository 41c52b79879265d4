import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { SOCKET_LIMITS } from "../../../src/server/limits.ts";
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

  send(frame: string): void {
    this.sent.push(frame);
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
beforeEach(() => {
  vi.useFakeTimers();
  socket = new FakeSocket();
  session = openSession(socket as unknown as WebSocket, SOCKET_LIMITS, () => "1");
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

  test("sends as long as at most the limit waits, and then drops the reader without sending more", () => {
    socket.bufferedAmount = SOCKET_LIMITS.bufferedBytes;
    session.send("a");
    socket.bufferedAmount++;
    session.send("b");
    session.send("c");
    expect(socket.sent).toEqual(["a"]);
    expect(socket.ending).toEqual([1013, expect.stringMatching(/^slow reader/)]);
  });

  test("has a reason to close that fits into a Close frame, however much waits", () => {
    socket.bufferedAmount = Number.MAX_SAFE_INTEGER;
    session.send("a");
    expect(Buffer.byteLength(socket.ending?.[1] ?? "")).toBeLessThanOrEqual(123);
  });
});
