/** A page whose name was bound to this machine's address is refused by each server, and its upgrades too. */
import { expect, test } from "vitest";
import { AllowedHosts, hostnameOf } from "../../../src/server/connections/allowed-hosts.ts";
import { sharedAdministered } from "../admin/support.ts";
import { sendRaw } from "../http/support/raw.ts";

const hosts = new AllowedHosts(["known.example", "10.0.0.1", "Other.Example"]);

test.each([
  ...["localhost", "localhost:18555", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1:1", "127.1", "[::1]:1"],
  ...["known.example", "known.example:1", "KNOWN.example", "other.example", "10.0.0.1", "192.0.2.7:18555"],
])("%s is allowed", (host) => {
  expect(hosts.allows(host, "192.0.2.7")).toBe(true);
});

test.each([
  ...["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example", "", "a b", "192.0.2.8"],
  ...[
    "evil.example@localhost",
    "localhost/a",
    "localhost:a",
    "[::2]",
    "0.0.0.0",
    "notknown.example",
    "known.example,a",
  ],
])("%s is not", (host) => {
  expect(hosts.allows(host, "192.0.2.7")).toBe(false);
});

test("a server on all addresses answers to each, and to no other name", () => {
  for (const bound of ["0.0.0.0", "::"]) {
    for (const host of ["192.0.2.8:1", "[2001:db8::1]", "localhost"]) expect(hosts.allows(host, bound)).toBe(true);
    expect(hosts.allows("evil.example", bound)).toBe(false);
  }
});

test("an origin is a scheme with an allowed host", () => {
  const bound = "127.0.0.1";
  for (const origin of ["http://localhost:1", "https://known.example", "http://[::1]:1"])
    expect(hosts.allowsOrigin(origin, bound)).toBe(true);
  for (const origin of ["null", "", "localhost", "http://evil.example", "file://localhost", "http://localhost/a"])
    expect(hosts.allowsOrigin(origin, bound)).toBe(false);
});

test("names have one form", () => {
  expect(["A.example:1", "::1", "[::1]:2", "a/b", ""].map(hostnameOf)).toEqual([
    "a.example",
    "[::1]",
    "[::1]",
    undefined,
    undefined,
  ]);
});

const network = sharedAdministered();
const request = (path: string, ...more: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, ...more, "Connection: close", "", ""].join("\r\n");

test("the network and the admin API refuse another name, by HTTP and by websocket", async () => {
  const { url, adminUrl = "" } = network.served;
  const [port, adminPort] = [url, adminUrl].map((text) => Number(new URL(text).port)) as [number, number];
  const refusal = /^HTTP\/1\.1 403 [\s\S]*\{"error_code":"validation_host","message":"header Host: expected localhost/;
  expect(await sendRaw(port, request("/api/health", "Host: evil.example"))).toMatch(refusal);
  expect(await sendRaw(adminPort, request("/admin/recording", "Host: evil.example"))).toMatch(refusal);
  const upgrade = request("/ws", "Host: evil.example", "Upgrade: websocket").replace("close", "Upgrade");
  expect(await sendRaw(port, upgrade)).toMatch(refusal);
  expect(await sendRaw(adminPort, request("/admin/status", "Host: localhost"))).toMatch(/^HTTP\/1\.1 200 /);
});

test("pages of any origin may ask the network, and only those of allowed hosts the admin API", async () => {
  const headers = { origin: "https://wallet.example" };
  expect((await fetch(`${network.served.url}/api/health`, { headers })).status).toBe(200);
  const refused = await network.call("/admin/reset", {}, headers);
  expect([refused.status, refused.body["error_code"]]).toEqual([403, "validation_host"]);
  expect((await network.call("/admin/status", undefined, { origin: "http://localhost:1" })).status).toBe(200);
});
