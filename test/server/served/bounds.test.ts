/** Responses to late and to too frequent requests, and operations that an epoch's end leaves behind (wire 2.3, 2.4; specification 14.4). */
import { expect, test } from "vitest";
import { HTTP_LIMITS } from "../../../src/server/limits.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { SWIFT, settle } from "./settle.ts";
import { expectRefusal } from "./shapes.ts";
import { network } from "./support.ts";

// holds: 120
test("writes that the validator does not answer end in 408, and by_hash tells later that they were admitted", async () => {
  // A validator that waits for its disk answers nothing.
  const net = await network();
  await net.step({ disk: { node: "v1", write_ms: 20_000 } });
  const payment = { recipient: net.address("bob"), value: "5", token: net.token() };
  await net.client.send("payment", payment, net.key("carol"));
  const most = HTTP_LIMITS.waitingPerAccount;
  const { hash, body } = await net.client.prepare("payment", payment, net.key("alice"));
  // The same bytes: a client without a response asks again.
  const post = () => net.client.request("POST", "/v1/transactions/payment", body);
  const answers = await Promise.all(Array.from({ length: most + 1 }, post));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  for (const answer of refused) expectRefusal(answer, 429, "rate_limit_exceeded");
  const unanswered = answers.filter(({ status }) => status !== 429);
  expect(unanswered).toHaveLength(most);
  for (const answer of unanswered) expectRefusal(answer, 408, "request_timeout");
  expect(unanswered[0]?.body).toMatchObject({ message: expect.stringContaining("unknown") });

  await expect(net.client.transaction(hash)).rejects.toMatchObject({ status: 404 });
  await net.admin("advance", { ms: 60_000 });
  expect(await net.client.receipt(hash, SWIFT)).toMatchObject({ success: true });
  expect(await net.client.nonce(net.address("alice"))).toBe(1);
  await net.stop();
});

// holds: 81
test("a validator without a quorum keeps an operation pending; the epoch that ends without it makes it void, and it may come again", async () => {
  const net = await network({ "checkpoint-interval": "500" });
  const payment = { recipient: net.address("bob"), value: "5", token: net.token() };
  await net.step({ hold: { rule: "votes", kinds: ["vote"], account: "alice" } });
  const { hash, body, path } = await net.client.send("payment", payment, net.key("alice"));
  expect(await net.client.transaction(hash)).toMatchObject({ status: "pending", checkpoint_hash: null });
  await expect(net.client.receiptNow(hash)).rejects.toThrow("is pending");
  expect(await net.admin("epoch")).toMatchObject({ body: { result: 1 } });
  expect(await net.client.transaction(hash)).toMatchObject({ status: "void" });
  await expect(net.client.receiptNow(hash)).rejects.toThrow("epoch 0 closed without it");
  expect(await net.client.nonce(net.address("alice"))).toBe(0);
  await net.step({ release: "votes" });
  expect(await net.client.request("POST", path, body)).toMatchObject({ status: 200, body: { hash } });
  expect(await net.client.receipt(hash, SWIFT)).toMatchObject({ success: true });
  expect(await net.client.finalized(hash)).toMatchObject({ epoch: 1 });
  await net.stop();
});

// holds: 21, 124
test("the test network answers 300 requests a minute, and tells who asks more often when to come again", async () => {
  const net = await network({ profile: "testnet" });
  const look = () => fetch(`${net.served.url}/v1/chains/chain_id`);
  for (let request = 0; request < 300; request++) expect((await look()).status).toBe(200);
  const answer = await look();
  expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expectRefusal(await new ReferenceClient(net.served.url).request("GET", "/nowhere"), 429, "rate_limit_exceeded");
  await net.stop();
});

test("the faucet gives any account spendable units, and refuses more than it has", async () => {
  const net = await network();
  const give = (body: unknown) => net.client.request("POST", "/faucet", body);
  const address = `0x${"5a".repeat(20)}`;
  const given = await give({ address, value: "12.5" });
  expect(given).toMatchObject({ status: 200, body: { token: net.token(), value: "12500000" } });
  expect(await net.client.balance(address, net.token())).toBe(12_500_000n);
  expectRefusal(await give({ address, token: "NONE" }), 422, "business_faucet_refused");
  expectRefusal(await give({ address, value: "1.0000001" }), 422, "business_faucet_refused");
  expectRefusal(await give({ value: "1" }), 400, "validation_body");
  await net.stop();
});

test("the faucet of a token of a file is signed by its master, whose key follows from the name", async () => {
  const text = "name: own\ngenesis: { tokens: { OWN: { decimals: 2, master: zoe } } }";
  const net = await network({ genesis: { file: "own.yaml", text } });
  expect(await net.client.request("POST", "/faucet", { address: "alice", value: "1" })).toMatchObject({ status: 200 });
  expect(await net.client.balance(net.address("alice"), net.token("OWN"))).toBe(100n);
  await net.stop();
});

// holds: 59
test("the faucet takes none of the 20 places for mint and burn authorities, nor of an allowance", async () => {
  const net = await network();
  const issuer = net.key("issuer");
  const grant = (value: number, action = "Grant") => ({
    authority_address: `0x${value.toString(16).padStart(40, "0")}`,
    ...{ action, authority_type: "MintBurnTokens", value: "5", token: net.token() },
  });
  for (let holder = 1; holder <= 19; holder += 1) await settle(net.client, "authority", grant(holder), issuer);
  const last = await settle(net.client, "authority", { ...grant(0), authority_address: net.address("bob") }, issuer);
  expect(last.receipt).toMatchObject({ success: true });
  expectRefusal((await net.client.post("authority", grant(21), issuer)).answer, 422, "business_role_full");
  const gift = await net.client.request("POST", "/faucet", { address: "carol", value: "1" });
  expect(gift.status).toBe(200);
  const { mint_burn_authorities: holders } = (await net.client.tokenMetadata(net.token())) as {
    readonly mint_burn_authorities: readonly { readonly minter: string; readonly allowance: string }[];
  };
  expect(holders).toHaveLength(20);
  expect(holders).toContainEqual({ minter: net.address("bob"), allowance: "5" });
  await net.stop();
});

// holds: 65
test("a network without a faucet has no such path, and one of the default profile issues tokens that are paused", async () => {
  const net = await network({}, "one", { faucet: false });
  expectRefusal(await net.client.request("POST", "/faucet", { address: "alice" }), 404, "resource_route_not_found");
  const body = { symbol: "NEW", name: "New", decimals: 2, master_authority: net.address("issuer"), is_private: false };
  const { answer } = await settle(net.client, "issue", body, net.key("operator"));
  const { token } = answer.body as { readonly token: string };
  expect(await net.client.tokenMetadata(token)).toMatchObject({ is_paused: true, supply: "0" });
  const mint = { recipient: net.address("bob"), value: "5", token };
  expectRefusal((await net.client.post("mint", mint, net.key("issuer"))).answer, 422, "business_token_paused");
  await settle(net.client, "pause", { action: "Unpause", token }, net.key("issuer"));
  expect((await settle(net.client, "mint", mint, net.key("issuer"))).receipt).toMatchObject({ success: true });
  await net.stop();
});
