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
