/** Refusals of the ledger over HTTP: status, code, and that nothing of the operation stays (specification 13.3; protocol 4.2). */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, test } from "vitest";
import { REFUSALS } from "../../../src/core/base/refusal.ts";
import { type Fields, type Head, signedItem } from "../client/layouts.ts";
import type { SigningOptions } from "../client/reference-client.ts";
import { addressOf, hashOf, spelled } from "../client/signing.ts";
import { settle } from "./settle.ts";
import { expectRefusal } from "./shapes.ts";
import { sharedNetwork } from "./support.ts";

const GENESIS = {
  name: "two tokens",
  genesis: { tokens: { USDX: { decimals: 6, master: "issuer" }, OTHER: { decimals: 6, master: "issuer" } } },
};
const NOBODY = `0x${"5a".repeat(20)}`;

const net = sharedNetwork({ genesis: { file: "tokens.json", text: JSON.stringify(GENESIS) }, balance: "1000000" });

type Attempt = readonly [kind: "payment" | "mint", by: string, change: object, options?: SigningOptions];

/** One for each status that the ledger gives. */
const ATTEMPTS: Readonly<Record<string, readonly [attempt: Attempt, code: keyof typeof REFUSALS]>> = {
  "a payment of more than there is": [["payment", "alice", { value: "1000000000001" }], "business_insufficient_funds"],
  "a payment of a token that nobody issued": [["payment", "alice", { token: NOBODY }], "resource_token_not_found"],
  "a payment on another chain": [["payment", "alice", {}, { chainId: 21_210 }], "validation_chain_id"],
  "a mint without the role": [["mint", "carol", {}], "business_missing_role"],
};

describe("refused, with nothing of it left, is", () => {
  // holds: 120, 121, 122, 123
  test.each(Object.entries(ATTEMPTS))("%s", async (_what, [[kind, by, change, options = {}], code]) => {
    const fields = { recipient: net.address("bob"), value: "1", token: net.token(), ...change };
    const before = await net.client.nonce(net.address(by));
    const { hash, answer } = await net.client.post(kind, fields, net.key(by), options);
    expectRefusal(answer, REFUSALS[code].status, code);
    expect((answer.body as { readonly message: string }).message).toContain(net.address(by));
    await expect(net.client.transaction(hash)).rejects.toMatchObject({ status: 404 });
    expect(await net.client.nonce(net.address(by))).toBe(before);
  });

  test("and every nonce of it is as good as before", async () => {
    for (const name of ["alice", "carol"]) {
      const payment = { recipient: net.address("dave"), value: "1", token: net.token() };
      const { receipt } = await settle(net.client, "payment", payment, net.key(name), { nonce: 0 });
      expect(receipt).toMatchObject({ success: true });
    }
  });
});

describe("a nonce", () => {
  test("that is used is too low, for a payment as for a cancellation", async () => {
    const payment = { recipient: net.address("bob"), value: "9", token: net.token() };
    const key = net.key("alice");
    await settle(net.client, "payment", payment, key);
    const again = { ...payment, value: "8" };
    expectRefusal((await net.client.post("payment", again, key, { nonce: 0 })).answer, 422, "business_nonce_too_low");
    expectRefusal((await net.client.post("cancellation", {}, key, { nonce: 0 })).answer, 422, "business_nonce_too_low");
  });

  test("of a pending operation takes no other one, and those after it wait for their turn", async () => {
    const payment = { recipient: net.address("bob"), value: "9", token: net.token() };
    const key = net.key("frank");
    await net.step({ hold: { rule: "votes", kinds: ["vote"] } });
    const first = await net.client.send("payment", payment, key, { nonce: 0 });
    const other = await net.client.post("payment", { ...payment, value: "8" }, key, { nonce: 0 });
    expectRefusal(other.answer, 422, "business_nonce_pending");
    const second = await net.client.send("payment", payment, key, { nonce: 1 });
    const poor = { ...payment, value: "999999980000" };
    expectRefusal(
      (await net.client.post("payment", poor, key, { nonce: 2 })).answer,
      422,
      "business_insufficient_funds",
    );
    await net.step({ release: "votes" });
    for (const { hash } of [first, second]) await net.client.receipt(hash);
    expect(await net.client.nonce(net.address("frank"))).toBe(2);
  });

  // holds: 52
  test("that is posted again with the same bytes is answered in the same way, before and after it is final", async () => {
    const payment = { recipient: net.address("bob"), value: "9", token: net.token() };
    const { hash, body, path } = await net.client.send("payment", payment, net.key("grace"));
    expect(await net.client.request("POST", path, body)).toMatchObject({ status: 200, body: { hash } });
    await net.client.receipt(hash);
    expect(await net.client.request("POST", path, body)).toMatchObject({ status: 200, body: { hash } });
    expect(await net.client.nonce(net.address("grace"))).toBe(1);
  });
});

/** A mint with nonce 0, and the two private keys whose signature it carries, one by either layout (wire 3.9, Choosing). */
function ambiguousBody(fields: Fields["mint"]): {
  readonly keys: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
} {
  const order = secp256k1.Point.Fn.ORDER;
  const body: Head & Fields["mint"] = { chain_id: 31_337, nonce: 0, ...fields };
  const digests = (["client", "spec"] as const).map((layout) => BigInt(hashOf(signedItem("mint", body, layout))));
  // Any point and any s are a signature of both digests: s = (digest + r * key) / k, solved for the key.
  const [k, s] = [7n, 11n];
  const point = secp256k1.Point.BASE.multiply(k).toAffine();
  const r = point.x % order;
  const inverse = secp256k1.Point.Fn.inv(r);
  const keys = digests.map((digest) => {
    const key = ((((s * k - digest) * inverse) % order) + order) % order;
    return `0x${key.toString(16).padStart(64, "0")}`;
  });
  const signature = spelled({ r, s, v: Number(point.y & 1n) }, "ts");
  return { keys, body: { ...body, signature } };
}

describe("a signature", () => {
  test("of a payment is no mint: its digest is admitted under one kind only", async () => {
    const payment = { recipient: net.address("bob"), value: "9", token: net.token() };
    const sent = await net.client.send("payment", payment, net.key("dave"));
    const reused = await net.client.request("POST", "/v1/tokens/mint", sent.body);
    expectRefusal(reused, 422, "business_signature_reused");
    await net.client.receipt(sent.hash);
    expect(await net.client.transaction(sent.hash)).toMatchObject({ transaction_type: "TokenTransfer" });
  });

  test("whose two readings are both admissible is refused, since nobody guesses", async () => {
    const token = net.token("OTHER");
    const { keys, body } = ambiguousBody({ recipient: net.address("bob"), value: "1", token });
    for (const key of keys) {
      const grant = { action: "Grant", authority_type: "MintBurnTokens", authority_address: addressOf(key), token };
      await settle(net.client, "authority", { ...grant, value: "10" }, net.key("issuer"));
    }
    const answer = await net.client.request("POST", "/v1/tokens/mint", body);
    expectRefusal(answer, 400, "validation_signature_ambiguous");
    for (const key of keys) expect(await net.client.nonce(addressOf(key))).toBe(0);
  });
});

test("a validator that is down admits nothing, and is not reported as a fault of the server", async () => {
  const payment = { recipient: net.address("bob"), value: "1", token: net.token() };
  const prepared = await net.client.prepare("payment", payment, net.key("erin"));
  await net.step({ crash: { node: "v1" } });
  const answer = await net.client.request("POST", "/v1/transactions/payment", prepared.body);
  expectRefusal(answer, 422, "business_validator_down");
  await net.step({ restart: "v1" });
  const admitted = await net.client.request("POST", "/v1/transactions/payment", prepared.body);
  expect(admitted).toMatchObject({ status: 200 });
  await net.client.receipt((admitted.body as { readonly hash: string }).hash);
  await net.step({ crash: { node: "v1" } });
  // The archive knows that it is final.
  expect(await net.client.request("POST", "/v1/transactions/payment", prepared.body)).toEqual(admitted);
  await net.step({ restart: "v1" });
});
