import { afterAll, beforeAll, expect, test } from "vitest";
import { type Administered, administered } from "./support.ts";

const TOKEN = "a-secret";
const CALLS: readonly (readonly [path: string, body: object | undefined])[] = [
  ["/", undefined],
  ["/admin/status", undefined],
  ["/admin/recording", undefined],
  ["/admin/nothing", undefined],
  ["/admin/step", { crash: { node: "v2" } }],
  ["/admin/reset", {}],
];

let network: Administered;
beforeAll(async () => {
  network = await administered({}, TOKEN);
});
afterAll(() => network.served.stop());

test.each(CALLS)("%s is forbidden without the token, and nothing happens", async (path, body) => {
  for (const token of [undefined, "", "a-secre", "a-secreT", "a-secrets"]) {
    const headers = token === undefined ? {} : { "x-admin-token": token };
    expect(await network.call(path, body, headers)).toEqual({
      status: 403,
      body: { error_code: "admin_token_required", message: "the header x-admin-token is missing or wrong" },
    });
  }
  expect(network.served.host.network.ledgerOf("v2")).toBeDefined();
});

test("with the token everything is allowed", async () => {
  const headers = { "x-admin-token": TOKEN };
  expect((await network.call("/admin/status", undefined, headers)).status).toBe(200);
  expect((await network.call("/admin/step", { crash: { node: "v2" } }, headers)).status).toBe(200);
  expect(network.served.host.network.ledgerOf("v2")).toBeUndefined();
});
