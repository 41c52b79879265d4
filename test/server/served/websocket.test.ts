/** The websocket of a network that runs (specification 15.2; wire 4). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hash as hashSchema } from "../../../src/server/wire/schemas/schema-types.ts";
import { talkTo } from "../websocket/support.ts";
import { SWIFT } from "./settle.ts";
import { expectShape } from "./shapes.ts";
import { type Json, network, type Running } from "./support.ts";

type Talk = Awaited<ReturnType<typeof talkTo>>;

let net: Running;
beforeAll(async () => {
  net = await network({ "checkpoint-interval": "100" });
});
afterAll(() => net.stop());

const talk = (): Promise<Talk> => talkTo(Number(new URL(net.served.url).port));
const pay = (from: string, to = "bob") =>
  net.client.send("payment", { recipient: net.address(to), value: "5", token: net.token() }, net.key(from));

/** Events until one is as it should be, that one included. */
async function until(talking: Talk, isLast: (result: Json) => boolean): Promise<readonly Json[]> {
  const seen: Json[] = [];
  for (;;) {
    const result = (await talking.next())["result"] as Json;
    seen.push(result);
    if (isLast(result)) return seen;
  }
}

describe("who subscribes to transactions", () => {
  test("sees a payment's way: submitted, signed by one after the other, locked, final", async () => {
    const talking = await talk();
    const { result: subscription } = await talking.ask({
      id: 1,
      method: "SUBSCRIBE",
      stream: { name: "TRANSACTIONS" },
    });
    const { hash } = await pay("alice");
    const first = await talking.next();
    expect(first).toEqual({
      ...{ subscription, stream: "TRANSACTIONS" },
      result: { hash, status: "submitted", node: "v1" },
    });
    const way = await until(talking, ({ status }) => status === "final");
    const signed = way.filter(({ status }) => status === "signed");
    expect(signed.length).toBeGreaterThanOrEqual(3);
    expect(signed).toEqual(
      signed.map((_one, place) => ({ hash, status: "signed", signers: place + 1, validators: 4, round: 0 })),
    );
    const others = way.filter(({ status }) => status !== "signed");
    expect(others).toEqual([
      { hash, status: "locked", round: 0 },
      { hash, status: "final", success: true, error_code: null },
    ]);
    const lockedAt = way.findIndex(({ status }) => status === "locked");
    expect(way.slice(0, lockedAt)).toEqual(signed.slice(0, lockedAt));
    expect(lockedAt).toBeGreaterThanOrEqual(3);
    talking.socket.close();
  });

  test("by address or by token hears of nothing else", async () => {
    const [mine, nobodys] = [await talk(), await talk()];
    const addresses = [net.address("dave")];
    await mine.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "TRANSACTIONS", addresses } });
    const tokens = [`0x${"5a".repeat(20)}`];
    await nobodys.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "TRANSACTIONS", tokens } });
    const other = await pay("alice");
    await net.client.receipt(other.hash, SWIFT);
    const paid = await pay("carol", "dave");
    const way = await until(mine, ({ status }) => status === "final");
    expect(new Set(way.map(({ hash }) => hash))).toEqual(new Set([paid.hash]));
    expect(await nobodys.ask({ id: 2, method: "UNSUBSCRIBE", stream: "TRANSACTIONS" })).toEqual({
      id: 2,
      result: true,
    });
    for (const { socket } of [mine, nobodys]) socket.close();
  });

  test("sees a payment superseded, and by what", async () => {
    await net.step({ hold: { rule: "votes", kinds: ["vote"], to: ["v1"], account: "erin" } });
    await net.admin("rate", { rate: 0 });
    const talking = await talk();
    await talking.ask({
      id: 1,
      method: "SUBSCRIBE",
      stream: { name: "TRANSACTIONS", addresses: [net.address("erin")] },
    });
    const payment = await pay("erin");
    await net.admin("advance", { ms: 100 });
    const cancellation = await net.client.send("cancellation", {}, net.key("erin"), { nonce: 0 });
    await net.step({ release: "votes" });
    await net.admin("rate", { rate: 1 });
    const way = await until(talking, ({ status }) => status === "superseded");
    expect(way.at(-1)).toEqual({ hash: payment.hash, status: "superseded", superseded_by: cancellation.hash });
    expect(way.filter(({ status }) => status === "submitted")).toMatchObject([
      { hash: payment.hash },
      { hash: cancellation.hash },
    ]);
    talking.socket.close();
  });
});

describe("who subscribes to checkpoints", () => {
  test("has each as REST has it, with numbers as texts, by hashes or in full", async () => {
    const [short, full] = [await talk(), await talk()];
    await short.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS", full: false } });
    await full.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS", full: true } });
    const { hash } = await pay("alice");
    const lists = ({ transactions }: Json): boolean =>
      (transactions as readonly (string | Json)[]).some((one) => one === hash || (one as Json)["hash"] === hash);
    const [byHash, whole] = [(await until(short, lists)).at(-1), (await until(full, lists)).at(-1)] as [Json, Json];
    const number = Number(byHash["number"]);
    const rest = await net.client.get("/v1/checkpoints/by_number", { number, full: true, min_receipt: hash });
    expect(byHash).toMatchObject({
      ...{ checkpoint: rest["hash"], number: String(number), timestamp: String(rest["timestamp"]) },
      ...{ parent_hash: rest["parent_hash"], state_root: rest["state_root"], size: rest["size"], transactions: [hash] },
    });
    expect(whole).toMatchObject({ ...byHash, transactions: expect.any(Array) });
    const [entry] = rest["transactions"] as readonly [Json];
    const signature = entry["signature"] as Json;
    expect(whole["transactions"]).toEqual([
      {
        ...entry,
        ...{ chain_id: "1212101", nonce: String(entry["nonce"]), checkpoint_number: String(number) },
        ...{ transaction_index: "0", fee: "10000" },
        signature: { ...signature, y_parity: signature["v"] },
      },
    ]);
    expectShape(hashSchema("a checkpoint"), byHash["checkpoint"]);
    for (const { socket } of [short, full]) socket.close();
  });
});

describe("who speaks wrongly", () => {
  test.each([
    ["{", null, "validation_json"],
    ['{"id":1.0,"method":"SUBSCRIBE"}', null, "validation_json"],
    [{ method: "SUBSCRIBE" }, null, "validation_frame"],
    [{ id: 4, method: "PUBLISH" }, 4, "validation_frame"],
    [{ id: 5, method: "SUBSCRIBE", stream: { name: "BLOCKS" } }, 5, "validation_stream"],
    [{ id: 6, method: "UNSUBSCRIBE", stream: "CHECKPOINTS" }, 6, "business_not_subscribed"],
  ])("is told so, and goes on: %o", async (frame, id, code) => {
    const talking = await talk();
    const message = expect.any(String);
    expect(await talking.ask(frame)).toEqual({ id, error: { error_code: code, message } });
    const again = { id: 9, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS" } };
    expect(await talking.ask(again)).toEqual({ id: 9, result: expect.stringMatching(/^\d+$/) });
    talking.socket.close();
  });
});
