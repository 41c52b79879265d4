import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../src/server/http/app.ts";
import { exampleOf } from "../../../src/server/http/docs/example.ts";
import { html } from "../../../src/server/http/docs/html.ts";
import type { DocumentedOperation, JsonSchema, OpenApi } from "../../../src/server/http/docs/openapi.ts";
import { WRITES } from "../../../src/server/wire/paths.ts";
import { validatorOf } from "../../../src/server/wire/schemas/validator.ts";
import { type Served, serve } from "./support/client.ts";

let served: Served;
let document: OpenApi;
let page: string;
beforeAll(async () => {
  served = await serve();
  document = (await served.get("/openapi.json")).json as unknown as OpenApi;
  page = (await served.get("/docs")).text;
});
afterAll(() => served.app.close());

/** Every method of every path, as the framework serves them. */
function operations(): readonly (readonly [name: string, operation: DocumentedOperation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
}

describe("the document", () => {
  test("is OpenAPI 3.1 and has every route of wire 1", () => {
    expect((document as unknown as { openapi: string }).openapi).toMatch(/^3\.1\./);
    const reads = [
      "chains/chain_id",
      "accounts/nonce",
      "accounts/bbnonce",
      "accounts/token_account",
      "tokens/token_metadata",
      "checkpoints/number",
      "checkpoints/by_number",
      "checkpoints/by_hash",
      "checkpoints/receipts/by_number",
      "transactions/by_hash",
      "transactions/receipt/by_hash",
      "transactions/finalized/by_hash",
      "transactions/estimate_fee",
      "governances/epoch",
      "governances/epoch/by_id",
      "states/latest_epoch_checkpoint",
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
    expect(names).toHaveLength(reads.length + writes.length + others.length + 1);
  });

  test("says of each what it is, where that stands, and how it is answered", () => {
    for (const [name, { summary, description, tags, responses = {} }] of operations()) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/./)]);
      expect([name, description]).toEqual([name, expect.stringMatching(/\((specification|wire)[^)]*\)$/)]);
      expect([name, tags?.length]).toEqual([name, 1]);
      expect([name, Object.keys(responses).length]).toEqual([name, expect.any(Number)]);
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
  test("shows every operation with a form or why there is none", () => {
    for (const [name] of operations()) {
      const [method, path] = name.split(" ");
      expect(page).toContain(`<span class="method ${method?.toLowerCase()}">${method}</span> <code>${path}</code>`);
    }
    expect(page.match(/<form /g)).toHaveLength(
      operations().filter(([, one]) => one.responses?.["200"] !== undefined).length,
    );
  });

  test("refers to nothing elsewhere, and may not", async () => {
    expect(page).not.toMatch(/https?:\/\/(?!example\.org)/);
    expect(page).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
    expect(page).not.toMatch(/@import|url\(|\sstyle="|\son\w+="/);
    const policy = (await served.get("/docs")).headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain("unsafe");
  });

  test("has one anchor for each link", () => {
    const [markup = ""] = page.split("<script>");
    const anchors = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const [, target] of markup.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target);
  });

  test("is where browsers are sent, and programs are told where to look", async () => {
    const browser = await fetch(served.url, { headers: { accept: "text/html" }, redirect: "manual" });
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/docs"]);
    expect((await served.get("/")).json).toMatchObject({ node: "v1", docs: "/docs", websocket: "/ws" });
  });
});

test("routes that are added are on the page, in a group of their own", async () => {
  const more = await serve({
    extend: (app) => {
      app.get("/v1/faucet/help", { schema: { tags: ["faucet"], summary: "Help" } }, () => ({}));
    },
  });
  const { text } = await more.get("/docs");
  expect(text).toContain('<section id="group-faucet">');
  expect(text).toContain("<code>/v1/faucet/help</code>");
  await more.app.close();
});

test("an interface of a validator that the network does not have is not made", async () => {
  const parts = { host: served.host, node: "v9", options: { log: pino({ level: "silent" }), version: "0" } };
  await expect(createApp(parts)).rejects.toThrow("node: expected one of v1, v2, got v9");
});

test("whatever is put into a template stays text", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { html: made } = html`<a title="${text}">${text}</a>`;
      expect(made.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))).toBe(
        `<a title="${text}">${text}</a>`,
      );
      expect(made.match(/[<>"']/g)?.join("")).toBe('<"">' + "<>");
    }),
  );
});

test("metrics count requests by route, and show the network", async () => {
  await served.get("/v1/nothing");
  const metrics = await served.get("/metrics");
  expect(metrics.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(metrics.text).toContain('http_requests_total{route="/openapi.json",method="GET",status="200"} 1');
  expect(metrics.text).toContain('http_requests_total{route="none",method="GET",status="404"} 1');
  expect(metrics.text).toContain("quorumlab_virtual_seconds 1.5");
  expect(metrics.text).toContain("quorumlab_steps 7");
  expect(metrics.text).toContain("quorumlab_node_up 1");
});
