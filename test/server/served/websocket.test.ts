/** The websocket of a network that runs (specification 15.2; wire 4). */
import { describe, expect, test, vi } from "vitest";
import { hash as hashSchema } from "../../../src/server/wire/schemas/schema-types.ts";
import { connectTo } from "../websocket/support.ts";
import { expectShape } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

type Talk = Awaited<ReturnType<typeof connectTo>>;

const net = sharedNetwork({ "checkpoint-interval": "100" });

const connect = (): Promise<Talk> => connectTo(Number(new URL(net.served.url).port));
const pay = (from: string, to = "bob") =>
  net.client.send("payment", { recipient: net.address(to), value: "5", token: net.token() }, net.key(from));

/** Events until one is as it should be, that one included. */
async function until(connection: Talk, isLast: (result: Json) => boolean): Promise<readonly Json[]> {
  const seen: Json[] = [];
  for (;;) {
    const result = (await connection.next())["result"] as Json;
    seen.push(result);
    if (isLast(result)) return seen;
  }
}

describe("who subscribes to transactions", () => {
  // holds: 118, 119
  test("sees a payment's way: submitted, signed by one after the other, locked, final", async () => {
    const connection = await connect();
    const { result: subscription } = await connection.ask({
      id: 1,
      method: "SUBSCRIBE",
      stream: { name: "TRANSACTIONS" },
    });
    const { hash } = await pay("alice");
    const subject = {
      transaction_type: "TokenTransfer",
      from: net.address("alice"),
      to: net.address("bob"),
      token: net.token(),
      value: "5",
    };
    const first = await connection.next();
    expect(first).toEqual({
      ...{ subscription, stream: "TRANSACTIONS" },
      result: { hash, ...subject, status: "submitted", node: "v1" },
    });
    const statuses = await until(connection, ({ status }) => status === "final");
    const signed = statuses.filter(({ status }) => status === "signed");
    expect(signed.length).toBeGreaterThanOrEqual(3);
    expect(signed).toEqual(
      signed.map((_one, place) => ({
        hash,
        ...subject,
        status: "signed",
        signers: place + 1,
        validators: 4,
        round: 0,
      })),
    );
    const others = statuses.filter(({ status }) => status !== "signed");
    expect(others).toEqual([
      { hash, ...subject, status: "locked", round: 0 },
      { hash, ...subject, status: "final", success: true, error_code: null, fee_used: "10000" },
    ]);
    const lockedAt = statuses.findIndex(({ status }) => status === "locked");
    expect(statuses.slice(0, lockedAt)).toEqual(signed.slice(0, lockedAt));
    expect(lockedAt).toBeGreaterThanOrEqual(3);
    connection.socket.close();
  });

  test("sees a payment superseded, and by what", async () => {
    await net.step({ hold: { rule: "votes", kinds: ["vote"], round: 0, account: "erin" } });
    await net.admin("rate", { rate: 0 });
    const connection = await connect();
    await connection.ask({
      id: 1,
      method: "SUBSCRIBE",
      stream: { name: "TRANSACTIONS", addresses: [net.address("erin")] },
    });
    const payment = await pay("erin");
    await net.admin("advance", { ms: 100 });
    const cancellation = await net.client.send("cancellation", {}, net.key("erin"), { nonce: 0 });
    await net.step({ release: "votes" });
    await net.admin("rate", { rate: 1 });
    const statuses = await until(connection, ({ status }) => status === "superseded");
    expect(statuses.at(-1)).toMatchObject({
      hash: payment.hash,
      status: "superseded",
      error_code: "business_superseded",
      superseded_by: cancellation.hash,
    });
    expect(statuses.filter(({ status }) => status === "submitted")).toMatchObject([
      { hash: payment.hash },
      { hash: cancellation.hash },
    ]);
    connection.socket.close();
  });
});

describe("who subscribes to checkpoints", () => {
  // holds: 35, 117, 118
  test("has each as REST has it, with numbers as texts, by hashes or in full", async () => {
    const [short, full] = [await connect(), await connect()];
    await short.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS", full: false } });
    await full.ask({ id: 1, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS", full: true } });
    const { hash } = await pay("alice");
    const lists = ({ transactions }: Json): boolean =>
      (transactions as readonly (string | Json)[]).some(
        (transaction) => transaction === hash || (transaction as Json)["hash"] === hash,
      );
    const [byHash, whole] = [(await until(short, lists)).at(-1), (await until(full, lists)).at(-1)] as [Json, Json];
    const number = Number(byHash["number"]);
    // The frame is sent when the first validator applies the checkpoint, and v1 may do so a moment later.
    const query = { number, full: true, min_receipt: hash };
    const rest = await vi.waitFor(() => net.client.get("/v1/checkpoints/by_number", query), { timeout: 600_000 });
    expect(byHash).toMatchObject({
      ...{
        checkpoint: rest["hash"],
        hash: rest["hash"],
        extra_data: rest["extra_data"],
        number: String(number),
        timestamp: String(rest["timestamp"]),
      },
      ...{
        parent_hash: rest["parent_hash"],
        state_root: rest["state_root"],
        size: rest["size"],
        transactions: (rest["transactions"] as readonly Json[]).map((one) => one["hash"]),
      },
    });
    expect(whole).toMatchObject({ ...byHash, transactions: expect.any(Array) });
    // Operations of other tests may stand in it, too.
    const entries = rest["transactions"] as readonly Json[];
    expect(entries.find((entry) => entry["hash"] === hash)?.["fee"]).toBe("10000");
    expect(whole["transactions"]).toEqual(
      entries.map((entry, index) => ({
        ...entry,
        ...{ chain_id: "1212101", nonce: String(entry["nonce"]), checkpoint_number: String(number) },
        transaction_index: String(index),
        signature: { ...(entry["signature"] as Json), y_parity: (entry["signature"] as Json)["v"] },
      })),
    );
    expectShape(hashSchema("a checkpoint"), byHash["checkpoint"]);
    for (const { socket } of [short, full]) socket.close();
  });
});
