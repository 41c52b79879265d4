/** Writes that never reach the ledger: each is refused by the edge with its code, and changes nothing (wire 2.3). */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { RestError } from "../client/reference-client.ts";
import { jsonText, type SignedBody } from "../client/signing.ts";
import { expectRefusal } from "./shapes.ts";
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

test("a body of another content type, or without end, is refused", async () => {
  const text = { "content-type": "text/plain" };
  expectRefusal(await net.client.request("POST", PAYMENT, with_({}), text), 415, "validation_content_type");
  const long = with_({ memo: { data: "a".repeat(70_000) } });
  expectRefusal(await net.client.request("POST", PAYMENT, long), 413, "request_body_too_large");
  await expectUntouched();
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
