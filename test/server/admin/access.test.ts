/** The token of the admin API, pages that may ask it, and payments that the server signs. */
import { expect, test } from "vitest";
import { sharedAdministered } from "./support.ts";

const TOKEN = "a-secret";
const network = sharedAdministered({}, TOKEN);

async function asked(origin: string, method: string): Promise<Response> {
  return fetch(`${network.served.adminUrl}/admin/status`, { method, headers: { origin, "x-admin-token": TOKEN } });
}

test("the network's own page may ask, by each name of this machine", async () => {
  const { port } = new URL(network.served.url);
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    const origin = `http://${host}:${port}`;
    const preflight = await asked(origin, "OPTIONS");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/x-admin-token/);
    const answer = await asked(origin, "GET");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  }
});

test.each(["http://example.org", "http://127.0.0.1:1", "null", "https://127.0.0.1"])(
  "a page of %s may not",
  async (origin) => {
    const preflight = await asked(origin, "OPTIONS");
    expect(preflight.status).not.toBe(204);
    for (const answer of [preflight, await asked(origin, "GET")])
      expect(answer.headers.get("access-control-allow-origin")).toBe(null);
  },
);

test("the token is asked of its own page too", async () => {
  const headers = { origin: network.served.url };
  const answer = await fetch(`${network.served.adminUrl}/admin/status`, { headers });
  expect(answer.status).toBe(403);
});

const PAYMENTS: readonly (readonly [body: object, why: RegExp])[] = [
  [{ from: "zoe", to: "bob", token: "USDX", value: "1" }, /expected an address or one of .*alice/],
  [{ from: `0x${"ab".repeat(20)}`, to: "bob", token: "USDX", value: "1" }, /the key of 0xab.* is not held/],
  [{ from: "alice", to: "bob", token: "USDX", value: "5000" }, /business_insufficient/],
  [{ from: "alice", to: "bob", token: "EUR", value: "1" }, /expected the address or symbol of a token/],
];

test.each(PAYMENTS)("a payment %o is refused", async (body, why) => {
  const answer = await network.call("/admin/payment", body, { "x-admin-token": TOKEN });
  expect([answer.status, answer.body["error_code"]]).toEqual([422, "admin_refused"]);
  expect(answer.body["message"]).toMatch(why);
});

test("a payment is signed with a key of the server, and moves what it says", async () => {
  const body = { from: "alice", to: "carol", token: "USDX", value: "12.5" };
  const before = await network.balance("carol");
  const answer = await network.call("/admin/payment", body, { "x-admin-token": TOKEN });
  expect(answer.status).toBe(200);
  expect((await network.balance("carol")) - before).toBe(12_500_000n);
  expect(await network.receipt((answer.body["result"] as { hash: string }).hash)).toBe(200);
});

const CALLS: readonly (readonly [path: string, body: object | undefined])[] = [
  ["/", undefined],
  ["/admin/status", undefined],
  ["/admin/recording", undefined],
  ["/admin/nothing", undefined],
  ["/admin/step", { crash: { node: "v2" } }],
  ["/admin/reset", {}],
];

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
