/** One connection has one answer in progress, in the order of its requests, and bounds on all that waits. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { AllowedHosts } from "../../../src/server/connections/allowed-hosts.ts";
import { createHttpServer, type ServerParts } from "../../../src/server/connections/http-server.ts";
import { HTTP_LIMITS } from "../../../src/server/limits.ts";
import { serve } from "../http/support/client.ts";
import { sendRaw } from "../http/support/raw.ts";

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Pending = Readonly<{ request: IncomingMessage; response: ServerResponse }>;

/** A server whose answers the test gives; `limits` replace some. */
async function listening(limits: Partial<typeof HTTP_LIMITS> = {}, parts: Partial<ServerParts> = {}) {
  const pending: Pending[] = [];
  const server = createHttpServer({
    hosts: new AllowedHosts(["known.example"]),
    handle: (request, response) => void pending.push({ request, response }),
    limits: { ...HTTP_LIMITS, ...limits },
    ...parts,
  });
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const begun = async (count: number): Promise<Pending> => {
    while (pending.length < count) await new Promise((resolve) => setImmediate(resolve));
    return pending[count - 1] as Pending;
  };
  return { server, port, pending, begun };
}

const head = (path: string, ...more: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...more, "", ""].join("\r\n");
const UPGRADE = head("/upgraded", "Connection: Upgrade", "Upgrade: other");
const WEBSOCKET = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];

/** All that comes back until the server closes. */
async function allOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes) => (text += String(bytes)));
  socket.on("error", () => undefined);
  socket.on("end", () => socket.end());
  if (!socket.closed) await once(socket, "close");
  return text;
}

describe("requests of one connection", () => {
  test("are carried out one at a time, and answered in order, an offered upgrade too", async () => {
    const { port, pending, begun } = await listening();
    const answer = sendRaw(port, head("/first") + head("/second") + UPGRADE);
    for (const [index, path] of ["/first", "/second", "/upgraded"].entries()) {
      const { request, response } = await begun(index + 1);
      expect([request.url, pending.length]).toEqual([path, index + 1]);
      response.end(path);
    }
    expect((await answer).match(/\/\w+$|\/\w+(?=HTTP)/gm)).toEqual(["/first", "/second", "/upgraded"]);
  });

  test("end with the answer to bytes that are no request, and not in the place of another one", async () => {
    const { port, begun } = await listening();
    const answer = sendRaw(port, `${head("/first")}no request\r\n\r\n`);
    const { response } = await begun(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.end("first");
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nfirst[\s\S]*HTTP\/1\.1 400 [\s\S]*validation_http/);
  });

  test("are answered after work of the thread that was longer than the idle time", async () => {
    const { port } = await listening({ idleMs: 20 }, { handle: (_request, response) => response.end("answer") });
    const socket = connect(port, "127.0.0.1");
    const answer = allOf(socket);
    socket.write(head("/first"));
    await once(socket, "data");
    // Node adds a second to the idle time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    socket.write(head("/second"));
    // It is closed, as nothing comes after the second one.
    expect((await answer).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test("are answered after work of the thread that was longer than the time for their headers", async () => {
    const { server, port, begun } = await listening({ requestMs: 60, headersMs: 50, checkMs: 10 });
    server.on("connection", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200));
    const answer = sendRaw(port, head("/first", "Connection: close"));
    void begun(1).then(({ response }) => response.end("first"));
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw(port, "")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("are answered after the server has stopped to listen", async () => {
    const { server, port, begun } = await listening();
    const socket = connect(port, "127.0.0.1");
    const answer = allOf(socket);
    socket.write(head("/first"));
    const { response } = await begun(1);
    server.close();
    response.end("first");
    socket.write(head("/second"));
    socket.write(head("/third", "Origin: http://localhost", "Connection: close"));
    void begun(2).then((second) => second.response.end("second"));
    void begun(3).then((third) => third.response.end("third"));
    expect(await answer).toMatch(/first[\s\S]*HTTP\/1\.1 200/);
  });

  test("that never come whole are refused behind an answer, and while they are read", async () => {
    const { port, begun } = await listening({ requestMs: 60, headersMs: 50, checkMs: 10 });
    const behind = sendRaw(port, head("/first") + head("/second", "Content-Length: 2"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    (await begun(1)).response.end("first");
    expect(await behind).toMatch(/^HTTP\/1\.1 200 [\s\S]*first[\s\S]*HTTP\/1\.1 408 /);
    expect(await sendRaw(port, head("/", "Content-Length: 2"))).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
  });

  test("a websocket opens after the answer that waits before it", async () => {
    const served = await serve({ limits: { minReceiptMs: 100 } });
    const waiting = `/v1/accounts/nonce?address=0x${"1".repeat(40)}&min_receipt=0x${"2".repeat(64)}`;
    const socket = connect(served.port, "127.0.0.1");
    socket.write(head(waiting) + head("/ws", ...WEBSOCKET, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="));
    let text = "";
    await new Promise<void>((resolve) =>
      socket.on("data", (bytes) => {
        text += String(bytes);
        if (text.includes(" 101 ")) resolve();
      }),
    );
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*the read was not made[\s\S]*HTTP\/1\.1 101 [\s\S]*\r\n\r\n$/);
    socket.destroy();
    await served.app.close();
  });

  test("are bounded: a connection that sends more at once is closed", async () => {
    const { port, pending, begun } = await listening({ pipelined: 3 });
    const kept = connect(port, "127.0.0.1");
    kept.write(head("/").repeat(4));
    await begun(1);
    const closed = connect(port, "127.0.0.1");
    closed.write(head("/").repeat(5));
    expect(await allOf(closed)).toBe("");
    expect(pending.length).toBeLessThanOrEqual(2);
    expect(kept.destroyed).toBe(false);
    kept.destroy();
  });
});

describe("an answer that nobody reads", () => {
  const large = "a".repeat(16_777_216);
  const unreadAt = (port: number): Socket => {
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.on("error", () => undefined);
    socket.write(head("/") + head("/next"));
    return socket;
  };

  test("closes its connection after a time without progress", async () => {
    const { server, port, pending, begun } = await listening({ unreadMs: 50 });
    unreadAt(port);
    const { request, response } = await begun(1);
    response.end(large);
    await once(request.socket, "close");
    expect(pending).toHaveLength(1);
    expect(server.listening).toBe(true);
  });

  test("of all connections together is bounded: the one with the most is closed", async () => {
    const { port, begun } = await listening({ unreadBytes: 30_000_000 });
    const sockets: Socket[] = [];
    const answer = async (text: string): Promise<Socket> => {
      unreadAt(port);
      const { request, response } = await begun(sockets.length + 1);
      response.end(text);
      sockets.push(request.socket);
      return request.socket;
    };
    const largest = await answer(large);
    const other = await answer(large.slice(1_000_000));
    if (!largest.destroyed) await once(largest, "close");
    expect(other.destroyed).toBe(false);
  });
});

describe("a request", () => {
  test.each(["DESCRIBE / RTSP/1.0", "GET / HTTP/2.0", "GET / HTTP/0.9"])("%s is refused", async (line) => {
    const { port, pending } = await listening();
    expect(await sendRaw(port, `${line}\r\nHost: localhost\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 [\s\S]*validation_http/);
    expect(pending).toEqual([]);
  });

  test("for a tunnel is refused", async () => {
    const { port } = await listening();
    expect(await sendRaw(port, "CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });
});
