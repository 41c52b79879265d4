import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageDocument } from "../../../src/server/http/docs.ts";
import { WRITES } from "../../../src/server/wire/schemas/bodies.ts";
import { validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";
import { type Served, serve } from "./support/client.ts";
import { type DocumentedOperation, exampleOf, type JsonSchema, type OpenApi, resolved } from "./support/openapi.ts";

let served: Served;
let document: OpenApi;
let published: OpenApi;
beforeAll(async () => {
  served = await serve();
  published = (await served.get("/openapi.json")).json as unknown as OpenApi;
  document = { ...published, paths: resolved(published, published.paths) };
});
afterAll(() => served.app.close());

/** Every method of every path, as the framework serves them. */
function operations(): readonly (readonly [name: string, operation: DocumentedOperation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
}

describe("the document", () => {
  // holds: 103, 127
  test("is OpenAPI 3.1 and has every route of wire 1", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const reads = [
      "chains/chain_id",
      "accounts/nonce",
      "accounts/bbnonce",
      "accounts/token_account",
      "accounts/token_accounts",
      "tokens/token_metadata",
      "checkpoints/number",
      "checkpoints/by_number",
      "checkpoints/by_hash",
      "checkpoints/receipts/by_number",
      "transactions/by_hash",
      "transactions/receipt/by_hash",
      "transactions/finalized/by_hash",
      "transactions/estimate_fee",
      "transactions/trace",
      "governances/epoch",
      "governances/epoch/by_id",
      "states/latest_epoch_checkpoint",
      "chain_id",
      "pricing/plans",
      "pricing/plans/{id}",
    ].map((path) => `GET /v1/${path}`);
    const writes = Object.keys(WRITES).map((path) => `POST ${path}`);
    const others = [
      "POST /v1/transactions/recovery",
      "POST /v1/transactions/batch_payment/estimate_fee",
      "POST /v1/transactions/raw",
      "GET /api/status",
      "GET /api/health",
      "GET /ws",
    ];
    const names = operations().map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining([...reads, ...writes, ...others]));
    expect(names).toHaveLength(reads.length + writes.length + others.length);
  });

  // holds: 128
  test("names the schemas of the specification once, refers to them, and counts in 64 bits", () => {
    const { schemas } = published.components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(["Checkpoint", "CheckpointNumber", "RESTErrorData", "Signature"]),
    );
    const referred = new Set(JSON.stringify(published).match(/(?<="#\/components\/schemas\/)[^"]+/g));
    expect([...referred].sort()).toEqual(Object.keys(schemas).sort());
    expect(resolved(published, schemas["CheckpointNumber"])).toMatchObject({
      properties: { number: { type: "integer", format: "int64" } },
    });
  });

  // holds: 89
  test("answers the reads of checkpoints with 200, 400, 404, 408, 422 and 500", () => {
    const reads = operations().filter(([name]) => /^GET \/v1\/checkpoints\/(number|by_)/.test(name));
    expect(reads).toHaveLength(3);
    for (const [name, { responses = {} }] of reads)
      expect([name, ...Object.keys(responses)]).toEqual(
        expect.arrayContaining([name, "400", "404", "408", "422", "500"]),
      );
  });

  test("says of each what it is, where that stands, and how it is answered", () => {
    for (const [name, { summary, description, tags, responses = {} }] of operations()) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/./)]);
      expect([name, description]).toEqual([name, expect.stringMatching(/\((specification|wire)[^)]*\)$/)]);
      expect([name, tags?.length]).toEqual([name, 1]);
      for (const [status, { description: words, content }] of Object.entries(responses)) {
        expect([name, status, words]).toEqual([name, status, expect.stringMatching(/[a-z]/)]);
        expect([name, status, words]).not.toEqual([name, status, "Default Response"]);
        if (status !== "200") {
          expect(Object.keys(content?.["application/json"]?.schema?.properties ?? {})).toEqual([
            "error_code",
            "message",
          ]);
        }
      }
    }
  });

  test("has examples that its own schemas accept", () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const schemas = [requestBody?.content, responses?.["200"]?.content].flatMap((content): JsonSchema[] => {
        const schema = content?.["application/json"]?.schema;
        return schema === undefined ? [] : [schema];
      });
      for (const schema of schemas) {
        const validate = validatorOf(schema as Parameters<typeof validatorOf>[0]);
        expect([name, validate(exampleOf(schema))]).toEqual([name, undefined]);
      }
    }
  });
});

describe("the page", () => {
  test("refers to files of this server only, and allows no others", async () => {
    const { text, headers } = await served.get("/docs");
    const files = [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, path]) => path ?? "");
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) {
      expect(path).toMatch(/^\/docs\/static\//);
      expect([path, (await served.get(path)).status]).toEqual([path, 200]);
    }
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test.each(["/docs/static/nothing.js", "/docs/static/..%2fpackage.json"])(
    "answers %s, which does not exist, like every other unknown path",
    async (path) => {
      const { status, json } = await served.get(path);
      const message = `GET ${path} is not served; /docs lists what is`;
      expect([status, json]).toEqual([404, { error_code: "resource_route_not_found", message }]);
    },
  );

  test("shows the document without values for optional parameters", async () => {
    const openApi = (await served.get("/docs/json")).json;
    expect(openApi).toEqual(pageDocument(published));
    const { paths } = openApi as unknown as { paths: Record<string, { get: { parameters: object[] } }> };
    expect(paths["/v1/accounts/nonce"]?.get.parameters).toMatchObject([
      { name: "address", required: true, example: expect.any(String) },
      { name: "min_receipt", required: false },
      { name: "members", required: false },
    ]);
    expect(paths["/v1/accounts/nonce"]?.get.parameters[1]).not.toHaveProperty("example");
    expect(JSON.stringify(openApi)).not.toContain('"additionalProperties":true');
  });

  test("is where browsers are redirected without a page, and programs get its address", async () => {
    const browser = await fetch(served.url, { headers: { accept: "text/html" }, redirect: "manual" });
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/docs"]);
    expect((await served.get("/")).json).toMatchObject({ node: "v1", docs: "/docs", websocket: "/ws" });
  });
});

test("routes that are added are in the document of the page", async () => {
  const more = await serve({
    extend: (app) => {
      app.get("/v1/faucet/help", { schema: { tags: ["faucet"], summary: "Help" } }, () => ({}));
    },
  });
  const { json } = await more.get("/docs/json");
  expect(json).toMatchObject({ paths: { "/v1/faucet/help": { get: { tags: ["faucet"] } } } });
  await more.app.close();
});

test("metrics count requests by route, and show the network", async () => {
  await served.get("/v1/nothing");
  const metrics = await served.get("/metrics");
  expect(metrics.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(metrics.text).toContain('http_requests_total{route="/openapi.json",method="GET",status="200"} 1');
  expect(metrics.text).toMatch(/http_requests_total\{route="none",method="GET",status="404"\} \d+/);
  expect(metrics.text).toContain("quorumlab_virtual_seconds 1.5");
  expect(metrics.text).toContain("quorumlab_steps 7");
  expect(metrics.text).toContain("quorumlab_node_up 1");
});
