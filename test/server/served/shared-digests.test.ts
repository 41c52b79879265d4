/** Signatures of version 1 that are posted as another kind (specification 4.3; wire 3.9, Shared digests). */
import { afterEach, expect, test } from "vitest";
import { runsFor } from "../../depth.ts";
import type { Sent } from "../client/reference-client.ts";
import { expectRefusal } from "./shapes.ts";
import { network, type Running } from "./support.ts";

let net: Running;
afterEach(() => net.stop());

/** The body of a payment by the issuer, which may mint too, and the same body at the path of a mint. */
async function paymentBody(nonce: number): Promise<Sent["body"]> {
  const payment = { recipient: net.address("bob"), value: "1000000", token: net.token() };
  return (await net.client.prepare("payment", payment, net.key("issuer"), { nonce })).body;
}

const post = (path: string, body: unknown, node = "v1") => net.clientOf(node).request("POST", path, body);

test("a payment is not taken as a mint or a burn, and the refusal says where a mint is", async () => {
  net = await network({ delay: "20" }, "each", { sharedDigests: false });
  const supply = await net.client.get("/v1/tokens/token_metadata", { token: net.token() });
  for (let nonce = 0; nonce < runsFor({ test: 3, nightly: 20, soak: 20 }); nonce++) {
    const body = await paymentBody(nonce);
    for (const path of ["/v1/tokens/mint", "/v1/tokens/burn"]) {
      const refused = await post(path, body, "v3");
      expectRefusal(refused, 410, "LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED");
      expect(refused.body).toMatchObject({ message: expect.stringContaining(`post it to ${path.replace("1", "2")}`) });
    }
    const [paid, minted] = await Promise.all([
      post("/v1/transactions/payment", body),
      post("/v1/tokens/mint", body, "v3"),
    ]);
    expect([paid.status, minted.status < 500 && minted.status > 400]).toEqual([200, true]);
    await net.admin("advance", { ms: 500 });
  }
  const after = await net.client.get("/v1/tokens/token_metadata", { token: net.token() });
  expect(after["supply"]).toBe(supply["supply"]);
  expect(net.served.host.network.findings).toEqual([]);
});

test("a mint and a burn of version 2 are taken, and a burn that is read in one way", async () => {
  net = await network({}, "each", { sharedDigests: false });
  const [key, token] = [net.key("issuer"), net.token()];
  const mint = { recipient: net.address("issuer"), value: "5", token };
  const minted = await net.client.send("mint", mint, key, { layout: "v2" });
  expect(minted.answer.status).toBe(200);
  const burned = await net.client.send("burn", { value: "5", token }, key, { nonce: 1 });
  expect(burned.answer.status).toBe(200);
});

test("with the option an oracle reports the second reading that takes effect", async () => {
  net = await network({ delay: "20" }, "each");
  const body = await paymentBody(0);
  await net.step({ hold: { rule: "quiet", from: ["v1"] } });
  expect((await post("/v1/transactions/payment", body)).status).toBe(200);
  expect((await post("/v1/tokens/mint", body, "v3")).status).toBe(200);
  await net.admin("advance", { ms: 3_000 });
  expect(net.served.host.network.findings).toMatchObject([
    {
      invariant: "authority",
      detail: expect.stringMatching(/^mint \S+ of \S+ took effect .* submitted as payment \S+ before$/),
    },
  ]);
  await net.step({ release: "quiet" });
});
