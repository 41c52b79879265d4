import { describe, expect, test } from "vitest";
import { signed } from "../../core/ledger/support/operations.ts";
import { ALICE, serve } from "../http/support/client.ts";
import { connectTo } from "./support.ts";

const SUBSCRIBE = { id: 1, method: "SUBSCRIBE", stream: { name: "TRANSACTIONS" } };

describe("a socket", () => {
  test("is notified when the server stops", async () => {
    const served = await serve();
    const connection = await connectTo(served.port);
    const [closed] = await Promise.all([connection.closed, served.app.close()]);
    expect(closed).toEqual({ code: 1001, reason: "the server stops" });
    expect(served.host.listeners).toBe(0);
  });

  test("that does not answer the Close frame does not keep the server", async () => {
    const served = await serve({ socketLimits: { shutdownMs: 60, dropMs: 30 } });
    const connection = await connectTo(served.port);
    connection.socket.pause();
    await served.app.close();
    expect(served.app.server.listening).toBe(false);
    connection.socket.terminate();
  });
});

describe("a reader that does not read", () => {
  const flood = async (dropMs: number): Promise<{ readonly code: number; readonly reason: string }> => {
    const served = await serve({ socketLimits: { bufferedBytes: 100_000, dropMs } });
    const slow = await connectTo(served.port);
    const quick = await connectTo(served.port);
    await slow.ask(SUBSCRIBE);
    await quick.ask(SUBSCRIBE);
    slow.socket.pause();
    const { id } = served.host.admit(signed(ALICE, 0, { kind: "cancellation" }));
    await quick.next();
    // Some megabytes: more than the socket's own buffers hold.
    for (let sent = 0; sent < 200; sent++) {
      served.host.notify({ type: "refused", id, code: "system_queue_full", node: "x".repeat(64_000) });
      await quick.next();
    }
    expect(quick.socket.readyState).toBe(quick.socket.OPEN);
    if (dropMs > 1_000) slow.socket.resume();
    else setTimeout(() => slow.socket.resume(), 4 * dropMs);
    const ending = await slow.closed;
    quick.socket.close();
    await served.app.close();
    return ending;
  };

  test("is asked to reconnect later, and blocks no other", async () => {
    expect(await flood(30_000)).toEqual({ code: 1013, reason: expect.stringMatching(/^slow reader: /) });
  });

  test("is cut off where it does not even read that", async () => {
    expect((await flood(20)).code).toBe(1006);
  });
});

test("readers that together leave too much unread are dropped, and others are not", async () => {
  const served = await serve({ socketLimits: { waitingBytes: 30_000_000, bufferedBytes: 1_000_000_000 } });
  const [quick, ...slow] = await Promise.all([1, 2, 3].map(() => connectTo(served.port)));
  if (quick === undefined) throw new Error("no socket");
  for (const connection of [quick, ...slow]) await connection.ask(SUBSCRIBE);
  for (const { socket } of slow) socket.pause();
  const { id } = served.host.admit(signed(ALICE, 0, { kind: "cancellation" }));
  await quick.next();
  // Shared by the readers, so that they count once: more than the bound in all, and not for one of them.
  for (let sent = 0; sent < 60; sent++) {
    served.host.notify({ type: "refused", id, code: "system_queue_full", node: "x".repeat(1_000_000) });
    await quick.next();
  }
  for (const { socket } of slow) socket.resume();
  for (const { closed } of slow) expect((await closed).code).not.toBe(1000);
  expect(quick.socket.readyState).toBe(quick.socket.OPEN);
  quick.socket.close();
  await served.app.close();
});
