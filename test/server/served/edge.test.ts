/** Writes that never reach the ledger: each is refused by the edge with its code, and changes nothing (wire 2.3). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { RestError } from "../client/reference-client.ts";
import { jsonText, type SignedBody } from "../client/signing.ts";
import { expectRefusal } from "./refusal.ts";
import { type Json, sharedNetwork } from "./support.ts";

const PAYMENT = "/v1/transactions/payment";

const net = sharedNetwork();
let good: SignedBody;
beforeAll(async () => {
  const payment = { recipient: net.address("bob"), value: "1000000", token: net.token() };
  good = await net.client.prepare("payment", payment, net.key("alice"));
});

/** A refusal came before admission: nobody knows the operation, and its nonce is free. */
async function expectUntouched(): Promise<void> {
  await expect(net.client.transaction(good.hash)).rejects.toMatchObject({ status: 404 });
  expect(await net.client.nonce(net.address("alice"))).toBe(0);
}

const with_ = (change: Json): string => jsonText({ ...good.body, ...change });
const without = (member: string): string => jsonText({ ...good.body, [member]: undefined });
const signed = (change: Json): string => with_({ signature: { ...(good.body["signature"] as Json), ...change } });

const N = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
const BODIES: Readonly<Record<string, readonly [body: () => string, code: string]>> = {
  "no JSON": [() => "{", "validation_json"],
  "an amount of 2^256": [() => with_({ value: (1n << 256n).toString() }), "validation_amount"],
  "an amount of nothing": [() => with_({ value: "0" }), "validation_amount"],
  "a list": [() => `[${with_({})}]`, "validation_body"],
  "no signature": [() => without("signature"), "validation_signature"],
  "no recipient": [() => without("recipient"), "validation_address"],
  "no chain id": [() => without("chain_id"), "validation_chain_id"],
  "a nonce of 2^53": [() => with_({ nonce: 1n << 53n }), "validation_nonce"],
  "another chain": [() => with_({ chain_id: 21_210 }), "validation_chain_id"],
  "s above half the order": [() => signed({ s: highOf(good) }), "validation_signature"],
  "a memo that is too long": [() => with_({ memo: { data: "a".repeat(257) } }), "validation_text"],
};

/** The other signature over the same digest. */
function highOf({ body }: SignedBody): string {
  return `0x${(BigInt(N) - BigInt((body["signature"] as { readonly s: string }).s)).toString(16)}`;
}

// holds: 70, 95
describe("a payment with", () => {
  test.each(Object.entries(BODIES))("%s is refused", async (_what, [body, code]) => {
    expectRefusal(await net.client.request("POST", PAYMENT, body()), 400, code);
    await expectUntouched();
  });
});

const OTHER_BODIES: readonly (readonly [path: string, change: Json, code: string])[] = [
  // holds: 16
  ["/v1/tokens/issue", { decimals: 19 }, "validation_decimals"],
  ["/v1/tokens/issue", { name: "A\u001b[2J" }, "validation_text"],
  ["/v1/tokens/grant_authority", { authority_type: "Everything" }, "validation_action"],
  ["/v1/transactions/recovery", { evidence: [] }, "validation_evidence"],
  ["/v1/transactions/batch_payment/estimate_fee", { operations: [] }, "validation_batch"],
];

describe("another write with", () => {
  test.each(OTHER_BODIES)("%s %o is refused", async (path, change, code) => {
    const address = net.address("bob");
    const whole = {
      ...{ chain_id: 1_212_101, nonce: 0, token: net.token(), recipient: address, value: "1", address },
      ...{ symbol: "S", name: "S", uri: "", decimals: 6, master_authority: address, is_private: false },
      ...{ action: path.includes("grant") ? "Grant" : "Add", authority_type: "Pause", authority_address: address },
      ...{ account: address, from: address, additional_metadata: [], signature: good.body["signature"] },
    };
    expectRefusal(await net.client.request("POST", path, { ...whole, ...change }), 400, code);
    await expectUntouched();
  });
});

describe("a request that no route takes", () => {
  test.each([
    ["PUT", PAYMENT, 405, "method_not_allowed"],
    ["DELETE", "/v1/accounts/nonce", 405, "method_not_allowed"],
    ["POST", "/v1/transactions/raw", 400, "validation_body"],
    ["PUT", "/v2/transactions/payment", 405, "method_not_allowed"],
    ["POST", "/v1/accounts/multisig", 404, "resource_route_not_found"],
    ["POST", "/v1/transactions/batch_payment", 404, "resource_route_not_found"],
    ["POST", "/v2/transactions/recovery", 404, "resource_route_not_found"],
  ])("%s %s", async (method, path, status, code) => {
    expectRefusal(await net.client.request(method, path, good.body), status, code);
    await expectUntouched();
  });

  test("has another content type, or a body without end", async () => {
    const text = { "content-type": "text/plain" };
    expectRefusal(await net.client.request("POST", PAYMENT, with_({}), text), 415, "validation_content_type");
    const long = with_({ memo: { data: "a".repeat(70_000) } });
    expectRefusal(await net.client.request("POST", PAYMENT, long), 413, "request_body_too_large");
    await expectUntouched();
  });
});

test("whatever is changed in the text of a body, it is refused as the client's mistake or as another's operation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), async (place, letter) => {
      const text = with_({});
      const at = place % text.length;
      const changed = text.slice(0, at) + String.fromCharCode(letter) + text.slice(at + 1);
      fc.pre(changed !== text && JSON.stringify(parsed(changed)).toLowerCase() !== text.toLowerCase());
      const answer = await net.client.request("POST", PAYMENT, changed);
      expect([400, 404, 422]).toContain(answer.status);
      expectRefusal(answer, answer.status, new RestError(answer).code);
    }),
    { numRuns: 150 },
  );
  await expectUntouched();
});

/** The value of a text, or the text where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

test("what was refused in every other form is admitted in its own", async () => {
  const answer = await net.client.request("POST", PAYMENT, good.body);
  expect(answer).toMatchObject({ status: 200, body: { hash: good.hash } });
});
