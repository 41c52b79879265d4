import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALICE, type Answered, PAYMENT, paymentBody, serve, sharedServer } from "./support/client.ts";
import { sendRaw } from "./support/raw.ts";

/** An error has exactly the two members of specification 13.1. */
function expectFault(answer: Answered, status: number, code: string): void {
  expect([answer.status, answer.json["error_code"]]).toEqual([status, code]);
  expect(Object.keys(answer.json).sort()).toEqual(["error_code", "message"]);
  expect(answer.json["message"]).toEqual(expect.stringMatching(/./));
  expect(answer.headers.get("x-request-id")).toMatch(/./);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
}

describe("the edge of the interface", () => {
  const served = sharedServer();

  test("knows no other paths, whatever the body", async () => {
    expectFault(await served.get("/v1/nothing"), 404, "resource_route_not_found");
    expectFault(
      await served.post("/v1/nothing", "{", { "content-type": "text/plain" }),
      404,
      "resource_route_not_found",
    );
    expectFault(await served.get("/v1/accounts/nonce/"), 404, "resource_route_not_found");
    expectFault(await served.get("/%zz"), 400, "validation_url");
  });

  test("names the methods of a path that is asked for with another one", async () => {
    const answer = await served.get(PAYMENT);
    expectFault(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("POST");
    const other = await served.post("/v1/accounts/nonce", "{");
    expectFault(other, 405, "method_not_allowed");
    expect(other.headers.get("allow")).toBe("GET, HEAD");
    const gone = await fetch(`${served.url}/v1/chains/chain_id`, { method: "DELETE" });
    expect([gone.status, gone.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test.each([
    ["text/plain", "{}"],
    ["application/x-www-form-urlencoded", "a=b"],
    ["application/jsonx", "{}"],
  ])("takes no body of type %s", async (type, body) => {
    expectFault(await served.post(PAYMENT, body, { "content-type": type }), 415, "validation_content_type");
  });

  // holds: 1
  test("takes JSON with parameters of its type, and no other JSON", async () => {
    const typed = await served.post(PAYMENT, paymentBody(), { "content-type": "Application/JSON; charset=utf-8" });
    expect(typed.status).toBe(200);
    for (const body of ["", "{", "[1,]", '{"a":1,"a":1}', '{"a":1.5}', `${"[".repeat(99)}${"]".repeat(99)}`]) {
      expectFault(await served.post(PAYMENT, body), 400, "validation_json");
    }
    const bytes = await fetch(`${served.url}${PAYMENT}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect([bytes.status, await bytes.json()]).toEqual([
      400,
      { error_code: "validation_json", message: "body: expected UTF-8" },
    ]);
  });

  test("refuses a body that is no object, or none", async () => {
    for (const body of ["7", `[${JSON.stringify(paymentBody())}]`])
      expectFault(await served.post(PAYMENT, body), 400, "validation_body");
    const none = await fetch(`${served.url}${PAYMENT}`, { method: "POST" });
    expect([none.status, (await none.json()) as unknown]).toEqual([
      400,
      { error_code: "validation_body", message: expect.stringContaining("body: expected") },
    ]);
  });

  test("keeps the digits of amounts that no number holds", async () => {
    const huge = `${2n ** 255n}`;
    const body = JSON.stringify(paymentBody({ nonce: 1 })).replace('"value":"10"', `"value":${huge}`);
    const answer = await served.post(PAYMENT, body);
    // Another value than was signed: the signature recovers to a stranger, and not to a malformed amount.
    expect([answer.status, answer.json["error_code"]]).toEqual([422, "business_nonce_gap"]);
    served.host.judge = () => undefined;
    expect((await served.post(PAYMENT, body)).status).toBe(200);
    served.host.judge = undefined;
    expect(served.host.submitted.at(-1)).toMatchObject({ operation: { value: 2n ** 255n } });
  });

  test("ignores members of a query that it does not know, in any order", async () => {
    const answer = await served.get(`/v1/accounts/nonce?zz=1&address=${ALICE}&a=2`);
    expect([answer.status, answer.json]).toEqual([200, { nonce: 0, pending_nonce: 0 }]);
  });

  test("answers preflights of browsers for any origin, without credentials", async () => {
    const answer = await fetch(`${served.url}${PAYMENT}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://wallet.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-of-a-client",
      },
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST");
    expect(answer.headers.get("access-control-max-age")).toBe("7200");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization,content-type,x-of-a-client");
    expect(answer.headers.get("vary")).toBe("access-control-request-headers");
  });

  test.each([
    [PAYMENT, "OPTIONS, POST"],
    ["/v1/accounts/nonce?address=0x", "GET, HEAD, OPTIONS"],
    ["/v1/nothing", "OPTIONS"],
  ])("names the methods of %s", async (path, allowed) => {
    const answer = await fetch(`${served.url}${path}`, { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, allowed]);
  });

  test("takes no body in another encoding, and says so", async () => {
    for (const encoding of ["gzip", "br", "identity, gzip"])
      expectFault(
        await served.post(PAYMENT, paymentBody({ nonce: 5 }), { "content-encoding": encoding }),
        415,
        "validation_content_encoding",
      );
    expect((await served.post(PAYMENT, paymentBody(), { "content-encoding": "Identity" })).status).toBe(200);
  });

  test.each(["/v1/checkpoints/by_number?full=true&number=", "/v1/governances/epoch/by_id?id="])(
    "reads numbers up to 2^63 - 1: %s",
    async (path) => {
      await fc.assert(
        fc.asyncProperty(fc.bigInt({ min: 1n, max: 2n ** 64n }), async (number) => {
          expect((await served.get(`${path}${number}`)).status).toBe(number < 2n ** 63n ? 404 : 400);
        }),
        { numRuns: 30, examples: [[2n ** 63n - 1n], [2n ** 63n], [9_199_999_999_999_999_999n], [10n ** 18n]] },
      );
    },
  );

  test("echoes a plain request id, and makes one in place of a strange one", async () => {
    const ask = async (id: string): Promise<string | null> =>
      (await fetch(`${served.url}/v1/chains/chain_id`, { headers: { "x-request-id": id } })).headers.get(
        "x-request-id",
      );
    expect(await ask("run-1:7")).toBe("run-1:7");
    for (const strange of ["a b", "x".repeat(65), '"']) {
      expect(await ask(strange)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("writes errors of the bare connection in the same shape", async () => {
    const long = await sendRaw(served.port, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 400 /);
    expect(long).toContain('{"error_code":"validation_header","message":"');
    expect(await sendRaw(served.port, "no request at all\r\n\r\n")).toContain('"error_code":"validation_http"');
    const bare = "GET /v1/chains/chain_id HTTP/1.1\r\nConnection: close\r\n\r\n";
    expect(await sendRaw(served.port, bare)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"error_code":"validation_http"[\s\S]*header Host/,
    );
    expect(await sendRaw(served.port, bare.replace("1.1", "1.0"))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("limits", () => {
  test("an interface gets ready, however long that takes on a busy machine", async () => {
    const served = await serve();
    expect(served.app.initialConfig.pluginTimeout).toBe(0);
    await served.app.close();
  });

  // holds: 125
  test("the limit counts paths that do not exist and no look at the server's health, and 0 means none", async () => {
    const [limited, free] = [await serve({ requestsPerMinute: 1 }), await serve({ requestsPerMinute: 0 })];
    for (let count = 0; count < 3; count++) {
      for (const path of ["/api/health", "/metrics"]) expect((await limited.get(path)).status).toBe(200);
      expect((await free.get("/v1/chains/chain_id")).status).toBe(200);
    }
    expect((await limited.get("/v1/nothing")).status).toBe(404);
    expectFault(await limited.get("/v1/chains/chain_id"), 429, "rate_limit_exceeded");
    await Promise.all([limited.app.close(), free.app.close()]);
  });

  test("a write that waits keeps its place, and one more of the account is refused and not admitted", async () => {
    const served = await serve({ limits: { waitingPerAccount: 1 } });
    let answer: (value: { status: "pending" }) => void = () => undefined;
    served.host.answer = new Promise((resolve) => {
      answer = resolve;
    });
    served.host.judge = () => undefined;
    const first = served.post(PAYMENT, paymentBody());
    while (served.host.submitted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expectFault(await served.post(PAYMENT, paymentBody({ nonce: 1 })), 429, "rate_limit_exceeded");
    answer({ status: "pending" });
    expect((await first).status).toBe(200);
    expect((await served.post(PAYMENT, paymentBody({ nonce: 2 }))).status).toBe(200);
    served.host.submit = () => Promise.reject(new Error("the network is stopped"));
    for (const nonce of [3, 4])
      expectFault(await served.post(PAYMENT, paymentBody({ nonce })), 500, "system_internal_error");
    expect((await served.get("/metrics")).text).toContain("\nquorumlab_requests_waiting 0\n");
    await served.app.close();
  });
});
