/** Answers in the shapes of one client, as `compat` says; without it nothing depends on who asks (wire 6.2). */
import { expect, test } from "vitest";
import { type NetworkOptions, startNetwork } from "../../../src/server/network/start-network.ts";
import { changedAnswers } from "../../../src/server/wire/answer-options.ts";
import { ANSWERS } from "../../../src/server/wire/answers.ts";
import { type Kind, pathOf, signedItem } from "../client/layouts.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { hexOf, rlp } from "../client/rlp.ts";
import { signedBody } from "../client/signing.ts";
import { type Json, STILL, subscribe } from "./support.ts";

const NOBODY = `0x${"00".repeat(20)}`;

/** Answers about a payment, a cancellation that displaced another one, a recovery and a batch. */
async function told(compat?: NetworkOptions["compat"]) {
  await using network = await startNetwork({ ...STILL, delay: "5", compat });
  const client = new ReferenceClient(network.url);
  const { frames, socket } = await subscribe(network, [{ name: "CHECKPOINTS", full: true }]);
  const body = (nonce: number) => {
    const payment = { recipient: network.account("bob").address, value: "1", token: network.tokens[0]?.address ?? "" };
    return { chain_id: network.chainId, nonce, ...payment };
  };
  const post = async (kind: Kind, fields: Json, name: string) => {
    const signed = signedBody(
      kind,
      { chain_id: network.chainId, nonce: 0, ...fields } as never,
      network.account(name).key,
    );
    const { status, body: answer } = await client.request("POST", pathOf(kind), signed.body);
    expect([kind, status, answer]).toEqual([kind, 200, { hash: signed.hash }]);
    return { ...signed, path: pathOf(kind) };
  };
  const paid = await post("payment", body(0), "alice");
  await post("payment", body(0), "carol");
  const cancelled = await post("cancellation", {}, "carol");
  const twice = [1, 2].map((value) => {
    const signed = signedBody("payment", { ...body(0), value: String(value) }, network.account("dave").key);
    return { ...signed, path: pathOf("payment") };
  });
  // Votes for the first are on their way, and both block the account.
  network.step({ hold: { rule: "votes", kinds: ["vote"], round: 0, account: "dave" } });
  expect((await client.request("POST", pathOf("payment"), twice[0]?.body)).status).toBe(200);
  const recovered = await client.recover(network.account("dave").address, 0, twice);
  expect(recovered.answer.status).toBe(200);
  const batch = {
    ...{ chain_id: network.chainId, nonce: 0, token: network.tokens[0]?.address ?? "", created_at: 5 },
    operations: ["bob", "carol"].map((name) => ({ recipient: network.account(name).address, amount: "3" })),
  };
  const batched = signedBody("batch", batch, network.account("erin").key, { layout: "v2" });
  expect((await client.request("POST", pathOf("batch", "v2"), batched.body)).status).toBe(200);
  network.advance(5_000);
  network.step({ release: "votes" });
  network.advance(15_000);
  await expect.poll(() => frames.length).toBeGreaterThan(1);
  socket.close();
  const get = async (path: string) => {
    const answer = await client.request("GET", path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body as Json;
  };
  const hashes = [paid.hash, cancelled.hash, recovered.hash, batched.hash];
  const each = (path: string) => Promise.all(hashes.map((hash) => get(`/v1/transactions/${path}?hash=${hash}`)));
  const { number } = await get("/v1/checkpoints/number");
  const numbers = Array.from({ length: Number(number) }, (_, index) => index + 1);
  const full = await Promise.all(numbers.map((one) => get(`/v1/checkpoints/by_number?number=${one}&full=true`)));
  const receipts = await Promise.all(numbers.map((one) => get(`/v1/checkpoints/receipts/by_number?number=${one}`)));
  return {
    transactions: await each("by_hash"),
    receipts: await each("receipt/by_hash"),
    finalized: await each("finalized/by_hash"),
    listed: full.flatMap(({ transactions }) => transactions as Json[]),
    listedReceipts: receipts.flat() as Json[],
    events: frames.slice(1).flatMap(({ result }) => (result as Json)["transactions"] as Json[]),
    signed: {
      Cancellation: hexOf(rlp(signedItem("cancellation", { chain_id: network.chainId, nonce: 0 }, "client"))),
      Recovery: "0x",
      BatchPayment: hexOf(rlp(signedItem("batch", batch, "v2"))),
    },
    token: batch.token,
  };
}

const usual = told();

test("rust-0.15: types that it does not know are Raw, wherever transactions are shown", async () => {
  const [before, after] = [await usual, await told(["rust-0.15"])];
  for (const name of ["transactions", "listed", "events"] as const) {
    expect(before[name].map(({ transaction_type }) => transaction_type)).toEqual(
      expect.arrayContaining(["TokenTransfer", "Cancellation", "Recovery", "BatchPayment"]),
    );
    const expected = before[name].map((entry) => {
      const type = entry["transaction_type"] as keyof typeof before.signed | "TokenTransfer";
      if (type === "TokenTransfer") return entry;
      const data = { input: before.signed[type], token: type === "BatchPayment" ? before.token : NOBODY };
      return { ...entry, transaction_type: "Raw", data };
    });
    expect(after[name]).toEqual(expected);
  }
  for (const name of ["receipts", "finalized", "listedReceipts"] as const) expect(after[name]).toEqual(before[name]);
});

test("go: fees are numbers in receipts and full checkpoints, and nothing else differs", async () => {
  const [before, after] = [await usual, await told(["go", "go"])];
  for (const name of ["receipts", "finalized", "listedReceipts"] as const) {
    expect(before[name].length).toBeGreaterThan(2);
    expect(after[name]).toEqual(before[name].map((one) => ({ ...one, fee_used: Number(one["fee_used"]) })));
    for (const one of before[name]) expect(typeof one["fee_used"]).toBe("string");
  }
  expect(after.listed).toEqual(before.listed.map((one) => ({ ...one, fee: Number(one["fee"]) })));
  expect(after.transactions).toEqual(before.transactions);
  expect(after.events).toEqual(before.events);
});

test.each([
  ["10000000000000000", 10_000_000_000_000_000],
  ["9007199254740993", "9007199254740993"],
  ["10000000000000000000", "10000000000000000000"],
])("go: a fee of %s is %s, so that no digit is lost", (fee, expected) => {
  const receipt = (() => ({ fee_used: fee })) as never;
  const changed = changedAnswers({ compat: ["go"] }, { ...ANSWERS, receipt });
  const told = changed?.receipt as unknown as (() => unknown) | undefined;
  expect(told?.()).toEqual({ fee_used: expected });
});
