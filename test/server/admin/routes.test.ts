import { describe, expect, test } from "vitest";
import { SPARES, sharedAdministered } from "./support.ts";

const network = sharedAdministered({ scenario: { file: "spares.yaml", text: SPARES } });

/** Every route with a body that it takes. */
const GOOD: readonly (readonly [path: string, body: object])[] = [
  ["/admin/step", { heal: true }],
  ["/admin/snapshot", {}],
  ["/admin/revert", { snapshot: "1" }],
  ["/admin/advance", { ms: 1 }],
  ["/admin/rate", { rate: 0 }],
  ["/admin/balance", { account: "alice", token: "USDX", value: "2000" }],
  ["/admin/payment", { from: "alice", to: "bob", token: "USDX", value: "1" }],
  ["/admin/checkpoint", {}],
  ["/admin/role", { account: "bob", token: "USDX", role: "Pause", action: "Grant" }],
  ["/admin/epoch", {}],
  ["/admin/reset", {}],
];

test("the first page lists every route", async () => {
  const { routes } = (await network.call("/")).body as { routes: readonly { path: string; summary: string }[] };
  expect(routes.map(({ path }) => path).sort()).toEqual(GOOD.map(([path]) => path).sort());
  for (const { summary } of routes) expect(summary).toMatch(/[a-z]{3}/);
});

test.each(GOOD)("%s answers with how the network stands, and with what came of it", async (path, body) => {
  const answer = await network.call(path, body);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      virtual_ms: expect.any(Number),
      rate: 0,
      steps: expect.any(Number),
      hash: expect.stringMatching(/^0x[0-9a-f]{32}$/),
      violations: [],
    },
  });
  expect(answer.body).toHaveProperty("result");
});

test.each(GOOD)("%s takes no unknown member, no other shape, and no broken JSON", async (path, body) => {
  const strange = await network.call(path, { ...body, strange: 1 });
  expect(strange.body["message"]).toMatch(/strange|additional properties/);
  expect([400, 422]).toContain(strange.status);
  for (const wrong of ["[]", "null", "1", "{", ""]) {
    const answer = await network.call(path, wrong);
    expect([path, wrong, answer.status]).toEqual([path, wrong, 400]);
    expect(answer.body).toEqual({ error_code: "validation_body", message: expect.stringMatching(/[a-z]{3}/) });
  }
});

const WRONG_TYPES: readonly (readonly [path: string, body: object])[] = [
  ["/admin/revert", {}],
  ["/admin/revert", { snapshot: 1 }],
  ["/admin/advance", {}],
  ["/admin/advance", { ms: "5" }],
  ["/admin/advance", { ms: 0.5 }],
  ["/admin/rate", { rate: "1" }],
  ["/admin/balance", { account: "alice", token: "USDX" }],
  ["/admin/balance", { account: "alice", token: "USDX", value: 5 }],
  ["/admin/balance", { account: "a".repeat(201), token: "USDX", value: "5" }],
  ["/admin/role", { account: "bob", token: "USDX", role: "Nope", action: "Grant" }],
  ["/admin/role", { account: "bob", token: "USDX", role: "Pause", action: "grant" }],
];

test.each(WRONG_TYPES)("%s refuses %j before anything happens", async (path, body) => {
  const before = (await network.call("/admin/status")).body["steps"];
  expect(await network.call(path, body)).toMatchObject({ status: 400, body: { error_code: "validation_body" } });
  expect((await network.call("/admin/status")).body["steps"]).toBe(before);
});

describe("what is no route", () => {
  test("is answered with 404 and where to look", async () => {
    for (const answer of [await network.call("/admin/nothing"), await network.call("/admin/status", {})])
      expect(answer).toMatchObject({
        status: 404,
        body: { error_code: "resource_route_not_found", message: expect.stringMatching(/GET \/ lists them/) },
      });
  });

  test("and a body that is too large is not read", async () => {
    const { status } = await network.call("/admin/step", { crash: { node: "v".repeat(300_000) } });
    expect(status).toBe(413);
  });
});

test("the status tells of every node, with spares and twins", async () => {
  await network.call("/admin/reset", {});
  const { body } = await network.call("/admin/status");
  const nodes = ["v1", "v2", "v3", "v4", "v5", "v4'"];
  expect(body["nodes"]).toEqual(nodes.map((node) => ({ node, running: true, epoch: 0, checkpoint: 0 })));
});
