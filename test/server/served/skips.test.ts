/** Recovery and cancellation over HTTP (specification 5.3, 5.4; wire 3.9, Recovery; protocol 3.2, 4.4). */
import { describe, expect, test } from "vitest";
import { transaction } from "../../../src/server/wire/schemas/transactions.ts";
import type { Sent } from "../client/reference-client.ts";
import { untilListed } from "./proved.ts";
import { postPayment, SWIFT, settle } from "./settle.ts";
import { expectRefusal, expectShape } from "./shapes.ts";
import { sharedNetwork } from "./support.ts";

const net = sharedNetwork({ "checkpoint-interval": "300" }, "each");

const APART = {
  partition: [
    ["v1", "v2"],
    ["v3", "v4"],
  ],
};

describe("an account that two payments with one nonce have blocked", () => {
  let [first, second]: Sent[] = [];

  // holds: 49
  test("has both of them pending, each where it was posted, and its nonce stays", async () => {
    await net.step(APART);
    [first, second] = [
      await postPayment(net, "v1", "alice", "bob", 0),
      await postPayment(net, "v3", "alice", "carol", 0),
    ];
    await net.admin("advance", { ms: 2_000 });
    for (const [node, { hash }] of [
      ["v1", first],
      ["v3", second],
    ] as const) {
      expect(await net.clientOf(node).transaction(hash)).toMatchObject({ status: "pending" });
      expect(await net.clientOf(node).nonce(net.address("alice"))).toBe(0);
    }
  });

  // holds: 75, 79
  test("is freed by any client that submits both bodies, at the price of a recovery", async () => {
    const before = await net.client.balance(net.address("alice"), net.token());
    const { hash, answer } = await net
      .clientOf("v2")
      .recover(net.address("alice"), 0, [first, second] as readonly Sent[]);
    expect(answer).toMatchObject({ status: 200, body: { hash } });
    const record = await net.client.transaction(hash);
    expectShape(transaction, record);
    expect(record).toMatchObject({
      ...{ status: "pending", transaction_type: "Recovery", from: net.address("alice"), nonce: 0 },
      data: { account: net.address("alice"), evidence: [first?.hash, second?.hash] },
      signature: { r: `0x${"0".repeat(64)}`, v: 0 },
    });
    await net.step({ heal: true });
    const receipt = await net.client.receipt(hash, SWIFT);
    expect(receipt).toMatchObject({ success: true, transaction_hash: hash, fee_used: "20000" });
    expect(await net.client.balance(net.address("alice"), net.token())).toBe(before - 20_000n);
    expect(await net.client.nonce(net.address("alice"))).toBe(1);
    for (const { hash: lost } of [first, second] as readonly Sent[]) {
      expect(await net.client.transaction(lost)).toMatchObject({ status: "superseded", superseded_by: hash });
      await expect(net.client.receiptNow(lost)).rejects.toMatchObject({
        status: 422,
        code: "business_superseded",
        message: expect.stringContaining(`superseded by ${hash}`),
      });
    }
    const again = await net.clientOf("v4").recover(net.address("alice"), 0, [second, first] as readonly Sent[]);
    expect(again).toMatchObject({ hash, answer: { status: 200, body: { hash } } });
  });
});

describe("a recovery is refused", () => {
  const bodies = async (from: string, nonces: readonly [number, number]): Promise<readonly Sent[]> =>
    Promise.all(
      nonces.map(async (nonce, place) => {
        const payment = { recipient: net.address("bob"), value: String(place + 1), token: net.token() };
        const body = await net.client.prepare("payment", payment, net.key(from), { nonce });
        return { ...body, path: "/v1/transactions/payment", answer: { status: 0, contentType: null, body: null } };
      }),
    );
  const refused = async (account: string, nonce: number, evidence: readonly Sent[], status: number, code: string) => {
    const { hash, answer } = await net.client.recover(net.address(account), nonce, evidence);
    expectRefusal(answer, status, code);
    await expect(net.client.transaction(hash)).rejects.toMatchObject({ status: 404 });
  };

  test("whose bodies are of another account, of two nonces, of another nonce or the same", async () => {
    const [one, two] = await bodies("bob", [0, 0]);
    if (one === undefined || two === undefined) throw new Error("two bodies");
    await refused("carol", 0, [one, two], 400, "validation_evidence");
    await refused("bob", 1, [one, two], 400, "validation_evidence");
    await refused("bob", 0, [one, one], 400, "validation_evidence");
    await refused("bob", 0, await bodies("bob", [0, 1]), 400, "validation_evidence");
    await refused("bob", 0, [one], 400, "validation_evidence");
    const cancellation = await net.client.prepare("cancellation", {}, net.key("bob"), { nonce: 0 });
    const cancelled = { ...one, ...cancellation, path: "/v1/transactions/cancellation" };
    await refused("bob", 0, [one, cancelled], 400, "validation_evidence");
    await refused("bob", 0, [one, { ...two, path: "/v1/chains/chain_id" }], 400, "validation_evidence");
    expect(await net.client.nonce(net.address("bob"))).toBe(0);
  });

  test("for a nonce that is used, or long after the next one", async () => {
    const payment = { recipient: net.address("carol"), value: "1", token: net.token() };
    await settle(net.client, "payment", payment, net.key("dave"));
    await refused("dave", 0, await bodies("dave", [0, 0]), 422, "business_nonce_too_low");
    await refused("dave", 9, await bodies("dave", [9, 9]), 422, "business_nonce_gap");
  });
});

describe("a cancellation", () => {
  // holds: 77
  test("replaces a payment that has votes and no quorum", async () => {
    await net.step({ hold: { rule: "votes", kinds: ["vote"], round: 0, account: "erin" } });
    await net.admin("rate", { rate: 0 });
    const payment = await postPayment(net, "v1", "erin", "bob", 0);
    await net.admin("advance", { ms: 100 });
    const cancellation = await net.client.send("cancellation", {}, net.key("erin"), { nonce: 0 });
    expect(await net.client.transaction(cancellation.hash)).toMatchObject({ transaction_type: "Cancellation" });
    await net.step({ release: "votes" });
    await net.admin("rate", { rate: 1 });
    const receipt = await net.client.receipt(cancellation.hash, SWIFT);
    expect(receipt).toMatchObject({ success: true, fee_used: "20000", recipient: null });
    expect(await net.client.transaction(payment.hash)).toMatchObject({
      status: "superseded",
      superseded_by: cancellation.hash,
      checkpoint_hash: null,
    });
    expect(await net.client.balance(net.address("erin"), net.token())).toBe(1_000_000_000_000n - 20_000n);
    expect(await net.client.nonce(net.address("erin"))).toBe(1);
  });

  test("of nothing is refused at once, and nothing is admitted", async () => {
    const sent = await net.client.post("cancellation", {}, net.key("frank"), { nonce: 0 });
    expectRefusal(sent.answer, 422, "business_nothing_to_cancel");
    await expect(net.client.transaction(sent.hash)).rejects.toMatchObject({ status: 404 });
    expect(await net.client.nonce(net.address("frank"))).toBe(0);
    expect((await postPayment(net, "v1", "frank", "bob", 0)).answer.status).toBe(200);
  });
});

describe("one signature posted as a payment and as a mint to two validators", () => {
  test("has the receipt of the one that was decided, whichever was delivered first", async () => {
    await net.step({ partition: [["v1"], ["v2", "v3", "v4"]] });
    const { hash, body } = await postPayment(net, "v1", "issuer", "grace", 0);
    const minted = await net.clientOf("v2").request("POST", "/v1/tokens/mint", body);
    expect(minted).toMatchObject({ status: 200, body: { hash } });
    expect(await net.clientOf("v2").receipt(hash, SWIFT)).toMatchObject({ success: true, fee_used: "0" });
    await net.step({ heal: true });
    expect(await net.client.receipt(hash, SWIFT)).toMatchObject({ success: true, fee_used: "0" });
    const found = await net.client.transaction(hash);
    expect(found).toMatchObject({ transaction_type: "TokenMint", status: "final" });
    await untilListed(net, hash);
    const { checkpoint_number: number } = await net.client.transaction(hash);
    // On a busy machine it also lists what an earlier test sent.
    const listing = await net.client.checkpointByNumber(number as number, true);
    expect(listing["transactions"]).toContainEqual(expect.objectContaining({ hash, transaction_type: "TokenMint" }));
  });
});

test("a read at a validator that lags waits for the receipt that it names, and then shows it", async () => {
  await net.step({ partition: [["v1", "v3", "v4"], ["v2"]] });
  const balance = () => net.clientOf("v2").balance(net.address("bob"), net.token());
  const before = await balance();
  const { hash } = await postPayment(net, "v1", "carol", "bob", 0);
  await net.client.receipt(hash, SWIFT);
  let isAnswered = false;
  const query = { address: net.address("bob"), token: net.token(), min_receipt: hash };
  const read = net
    .clientOf("v2")
    .get("/v1/accounts/token_account", query)
    .finally(() => {
      isAnswered = true;
    });
  expect(await balance()).toBe(before);
  expect(isAnswered).toBe(false);
  await net.step({ heal: true });
  expect(await read).toMatchObject({ balance: String(before + 1_000_000n) });
  const receipt = await net.clientOf("v2").get("/v1/transactions/receipt/by_hash", { hash, min_receipt: hash });
  expect(receipt).toMatchObject({ success: true });
});
