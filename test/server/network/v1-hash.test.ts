/** Both spellings of a version 1 hash find an operation, and `v1Hash` says which one answers show (wire 3.3). */
import { expect, test } from "vitest";
import { type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { type Fields, type Head, signedItem } from "../client/layouts.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { hashOf, paddedHash, sign, signedBody, transactionHash } from "../client/signing.ts";
import { type Json, STILL, subscribe } from "./support.ts";

const PATH = "/v1/transactions/payment";

/** A payment of an account whose signature has a zero byte before r or s, with both spellings of its hash. */
function short(network: RunningNetwork, from: string, nonce: number) {
  const { key } = network.account(from);
  const recipient = network.account("bob").address;
  const token = network.tokens[0]?.address ?? "";
  for (let value = 1; ; value++) {
    const payment = { chain_id: network.chainId, nonce, recipient, value: String(value), token };
    const body: Head & Fields["payment"] = payment;
    const item = signedItem("payment", body, "client");
    const signed = sign(key, hashOf(item));
    const [minimal, padded] = [transactionHash(item, signed), paddedHash(item, signed)];
    if (minimal !== padded) return { body: signedBody("payment", body, key).body, minimal, padded };
  }
}

async function ok(client: ReferenceClient, path: string): Promise<Json> {
  const { status, body } = await client.request("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return body as Json;
}

test.each(["minimal", "padded", undefined] as const)("answers with the spelling %s", async (v1Hash) => {
  await using network = await startNetwork({ ...STILL, v1Hash });
  const client = new ReferenceClient(network.url);
  const { frames, socket } = await subscribe(network, [{ name: "CHECKPOINTS" }, { name: "TRANSACTIONS" }]);
  const { body, minimal, padded } = short(network, "alice", 0);
  const [shown, other] = v1Hash === "padded" ? [padded, minimal] : [minimal, padded];

  for (const again of [1, 2]) {
    const { status, body: answer } = await client.request("POST", PATH, body);
    expect([again, status, answer]).toEqual([again, 200, { hash: shown }]);
  }
  const refused = await client.request("POST", PATH, body, { "if-none-match": "*" });
  const message = expect.stringContaining(shown);
  expect(refused).toMatchObject({ status: 422, body: { error_code: "business_nonce_pending", message } });
  network.advance(5_000);

  for (const asked of [shown, other]) {
    expect(await ok(client, `/v1/transactions/by_hash?hash=${asked}`)).toMatchObject({ hash: shown, status: "final" });
    for (const path of ["receipt/by_hash", "finalized/by_hash"])
      expect(await ok(client, `/v1/transactions/${path}?hash=${asked}`)).toMatchObject({ transaction_hash: shown });
    expect(await ok(client, `/v1/transactions/trace?hash=${asked}`)).toMatchObject({ hash: shown });
    await ok(client, `/v1/checkpoints/number?min_receipt=${asked}`);
  }
  const bare = await ok(client, "/v1/checkpoints/by_number?number=1&full=false");
  expect(bare["transactions"]).toEqual([shown]);
  const full = await ok(client, "/v1/checkpoints/by_number?number=1&full=true");
  expect(full["transactions"]).toMatchObject([{ hash: shown }]);
  const receipts = await client.request("GET", "/v1/checkpoints/receipts/by_number?number=1");
  expect(receipts.body).toMatchObject([{ transaction_hash: shown }]);
  const said = (hash: string) => frames.filter((frame) => JSON.stringify(frame).includes(hash)).length;
  await expect
    .poll(() => frames.some(({ stream, result }) => stream === "CHECKPOINTS" && result !== undefined))
    .toBe(true);
  expect(said(shown)).toBeGreaterThan(2);
  expect(said(other)).toBe(0);
  socket.close();
});

test("a refused operation has both spellings too", async () => {
  await using network = await startNetwork({ ...STILL, v1Hash: "padded" });
  const client = new ReferenceClient(network.url);
  const refused = short(network, "carol", 7);
  expect((await client.request("POST", PATH, refused.body)).status).toBe(422);
  for (const hash of [refused.minimal, refused.padded])
    expect(await ok(client, `/v1/transactions/trace?hash=${hash}`)).toMatchObject({ hash, status: "refused" });
});

test("an operation that is old has both spellings, also after a return to a snapshot", async () => {
  await using network = await startNetwork({ ...STILL, checkpointInterval: 500 });
  const client = new ReferenceClient(network.url);
  const { body, minimal, padded } = short(network, "alice", 0);
  await client.request("POST", PATH, body);
  const { key } = network.account("carol");
  for (let nonce = 0; nonce < 14; nonce++) {
    await client.send("payment", { ...fieldsOf(body), value: "1" }, key, { nonce });
    network.advance(600);
  }
  expect(await client.checkpointNumber()).toBeGreaterThan(10);
  const point = network.snapshot();
  const found = async () => {
    for (const hash of [minimal, padded]) expect(await client.receiptNow(hash)).toMatchObject({ success: true });
  };
  await found();
  network.advance(600);
  network.revert(point);
  await found();
});

function fieldsOf({ recipient, token }: Json): Pick<Fields["payment"], "recipient" | "token"> {
  return { recipient: String(recipient), token: String(token) };
}
