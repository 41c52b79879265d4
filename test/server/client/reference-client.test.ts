import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ReferenceClient, RestError } from "./reference-client.ts";
import { addressOf, signedBody } from "./signing.ts";

const KEY = `0x${"11".repeat(32)}`;
const TOKEN = `0x${"77".repeat(20)}`;
const HASH = `0x${"ab".repeat(32)}`;

type Seen = readonly [request: string, body: string];
type Respond = (request: string, body: string) => readonly [status: number, body: unknown];

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A server that answers as told, and everything that it was asked. */
async function serving(
  respond: Respond,
): Promise<{ readonly client: ReferenceClient; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const asked = `${request.method} ${request.url}`;
      seen.push([asked, body]);
      const [status, answer] = respond(asked, body);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { client: new ReferenceClient(`http://127.0.0.1:${port}`), seen };
}

const miss = [404, { error_code: "resource_transaction_not_found", message: "pending" }] as const;

describe("the reference client", () => {
  it("reads chain id and nonce, signs, and posts what it signed", async () => {
    const fields = { recipient: TOKEN, value: 1n << 80n, token: TOKEN };
    const { body, hash } = signedBody("payment", { chain_id: 5, nonce: 9, ...fields }, KEY, { spelling: "rust" });
    const { client, seen } = await serving((request) => {
      if (request.startsWith("POST")) return [200, { hash }];
      return [200, request.includes("chain_id") ? { chain_id: 5 } : { nonce: 9 }];
    });
    const sent = await client.send("payment", fields, KEY, { spelling: "rust" });
    expect(sent).toMatchObject({ hash, path: "/v1/transactions/payment" });
    expect(seen.map(([request]) => request)).toEqual([
      "GET /v1/chains/chain_id",
      `GET /v1/accounts/nonce?address=${addressOf(KEY)}`,
      "POST /v1/transactions/payment",
    ]);
    expect(seen[2]?.[1]).toContain('"value":1208925819614629174706176,');
    expect(JSON.parse(seen[2]?.[1] ?? "")).toMatchObject({ nonce: 9, signature: body["signature"] });
  });

  it("refuses another hash than its own, and any status but 200", async () => {
    const options = { chainId: 5, nonce: 9 };
    const { client } = await serving(() => [200, { hash: HASH }]);
    await expect(client.send("cancellation", {}, KEY, options)).rejects.toThrow(HASH);
    const refusing = await serving(() => [422, { error_code: "business_nonce_gap", message: "too far" }]);
    await expect(refusing.client.send("cancellation", {}, KEY, options)).rejects.toMatchObject({
      status: 422,
      code: "business_nonce_gap",
    });
  });

  it("looks for a receipt until it is there", async () => {
    let looks = 0;
    const { client, seen } = await serving(() => (++looks < 3 ? miss : [200, { success: true }]));
    expect(await client.receipt(HASH, { first: 0, every: 0, looks: 9 })).toEqual({ success: true });
    expect(seen).toHaveLength(3);
    expect(seen[0]?.[0]).toBe(`GET /v1/transactions/receipt/by_hash?hash=${HASH}`);
  });

  it("stops looking after its last look, and at once at any other answer than the exact miss", async () => {
    const missing = await serving(() => miss);
    await expect(missing.client.receipt(HASH, { first: 0, every: 0, looks: 2 })).rejects.toThrow(/after 2 looks/);
    expect(missing.seen).toHaveLength(2);
    const other = await serving(() => [404, { error_code: "resource_not_found", message: "" }]);
    await expect(other.client.receipt(HASH, { first: 0, every: 0, looks: 9 })).rejects.toBeInstanceOf(RestError);
    expect(other.seen).toHaveLength(1);
  });

  it("shows evidence as bodies with their paths", async () => {
    const { client, seen } = await serving((request) => [200, request.startsWith("GET") ? { chain_id: 5 } : {}]);
    const options = { chainId: 5, nonce: 0 };
    const first = await client.post("payment", { recipient: TOKEN, value: "1", token: TOKEN }, KEY, options);
    const second = await client.post("pause", { action: "Pause", token: TOKEN }, KEY, options);
    await client.recover(addressOf(KEY), 0, [first, second]);
    expect(JSON.parse(seen.at(-1)?.[1] ?? "")).toEqual({
      chain_id: 5,
      account: addressOf(KEY),
      nonce: 0,
      evidence: [
        { path: "/v1/transactions/payment", body: JSON.parse(JSON.stringify(first.body)) },
        { path: "/v1/tokens/pause", body: JSON.parse(JSON.stringify(second.body)) },
      ],
    });
  });
});
