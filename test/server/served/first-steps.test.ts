/** First steps of who writes an app for a plain network: each has an answer that says what to do next. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { expect, test } from "vitest";
import { signedItem } from "../client/layouts.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { hexOf, raw } from "../client/rlp.ts";
import { hashOf, signedBody, spelled } from "../client/signing.ts";
import { settle } from "./settle.ts";
import { type Json, sharedNetwork } from "./support.ts";

const net = sharedNetwork();

async function nonces(name: string): Promise<Json> {
  return (await net.client.request("GET", `/v1/accounts/nonce?address=${net.address(name)}`)).body as Json;
}

test("a mint of a token that was just issued is refused with the two ways out", async () => {
  const terms = { symbol: "NEW", name: "New", decimals: 2, master_authority: net.address("issuer"), is_private: false };
  const { answer } = await settle(net.client, "issue", terms, net.key("operator"));
  const { token } = answer.body as { readonly token: string };
  const fields = { recipient: net.address("alice"), value: "1", token };
  const refusal = async (): Promise<string> => {
    const nonce = await net.client.nonce(net.address("issuer"));
    const { body } = signedBody("mint", { chain_id: await net.client.chainId(), nonce, ...fields }, net.key("issuer"));
    const { status, body: told } = await net.client.request("POST", "/v1/tokens/mint", body);
    const { error_code, message } = told as Json;
    expect([status, error_code]).toEqual([422, "business_token_paused"]);
    return String(message);
  };
  expect(await refusal()).toMatch(/POST \/v1\/tokens\/pause.*--open-tokens/);
  await settle(net.client, "pause", { action: "Unpause", token }, net.key("issuer"));
  await settle(net.client, "mint", fields, net.key("issuer"));
  await settle(net.client, "pause", { action: "Pause", token }, net.key("issuer"));
  expect(await refusal()).not.toMatch(/--open-tokens/);
});

test("the next free nonce is told beside the next one, but in published answers", async () => {
  expect(await nonces("carol")).toEqual({ nonce: 0, pending_nonce: 0 });
  net.served.host.setRate(0);
  const payment = { recipient: net.address("bob"), value: "1", token: net.token() };
  await net.client.send("payment", payment, net.key("carol"));
  expect(await nonces("carol")).toEqual({ nonce: 0, pending_nonce: 1 });
  await net.client.send("payment", payment, net.key("carol"), { nonce: 1 });
  expect(await nonces("carol")).toEqual({ nonce: 0, pending_nonce: 2 });
  net.served.host.setRate(1);
});

test("a copy that is signed anew after finality is answered with the hash that is final", async () => {
  const client = new ReferenceClient(net.served.url);
  const fields = { recipient: net.address("bob"), value: "1", token: net.token() };
  const { hash } = await settle(client, "payment", fields, net.key("dave"));
  const payload = { chain_id: await client.chainId(), nonce: 0, ...fields };
  const digest = raw(hashOf(signedItem("payment", payload, "client")));
  const options = { prehash: false, format: "recovered", extraEntropy: new Uint8Array(32).fill(7) } as const;
  const bytes = secp256k1.sign(digest, raw(net.key("dave")), options);
  const part = (from: number, to: number): bigint => BigInt(hexOf(bytes.slice(from, to)));
  const signature = spelled({ r: part(1, 33), s: part(33, 65), v: Number(part(0, 1)) }, "ts");
  const answer = await client.request("POST", "/v1/transactions/payment", { ...payload, signature });
  expect([answer.status, answer.body]).toEqual([200, { hash }]);
});
