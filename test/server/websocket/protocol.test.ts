import { describe, expect, test } from "vitest";
import type { Submission } from "../../../src/core/base/operation.ts";
import { signed } from "../../core/ledger/support/operations.ts";
import { amount, COIN } from "../../core/ledger/support/world.ts";
import { ALICE, BOB, sharedServer } from "../http/support/client.ts";
import { sendRaw } from "../http/support/raw.ts";
import { connectTo, refusedUpgrade } from "./support.ts";

const served = sharedServer({ socketLimits: { frameBytes: 2_000, filterEntries: 2, sockets: 3 } });

const CHECKPOINTS = { id: 1, method: "SUBSCRIBE", stream: { name: "CHECKPOINTS", full: false } };
const TRANSACTIONS = { id: 2, method: "SUBSCRIBE", stream: { name: "TRANSACTIONS" } };

function payment(nonce: number): Submission {
  return signed(ALICE, nonce, { kind: "payment", recipient: BOB, token: COIN, value: amount(1) });
}

describe("the stream of checkpoints", () => {
  // holds: 117, 118
  test("is subscribed under a decimal id, sends each checkpoint, and ends by its name", async () => {
    const connection = await connectTo(served.port);
    const { result } = await connection.ask(CHECKPOINTS);
    expect(result).toMatch(/^[1-9][0-9]*$/);
    const copy = served.host.admit(payment(0));
    const link = served.host.link([copy.id]);
    served.host.notify({ type: "checkpoint", link });
    expect(await connection.next()).toMatchObject({
      subscription: result,
      stream: "CHECKPOINTS",
      result: { checkpoint: link.hash, number: "1", transactions: [copy.hash] },
    });
    const end = { id: 9, method: "UNSUBSCRIBE", stream: "CHECKPOINTS" };
    expect(await connection.ask(end)).toEqual({ id: 9, result: true });
    served.host.notify({ type: "checkpoint", link });
    expect(await connection.ask(end)).toMatchObject({ id: 9, error: { error_code: "business_not_subscribed" } });
    connection.socket.close();
  });

  test("has each operation that took effect as the relayer reads it, at the root path too", async () => {
    const connection = await connectTo(served.port, {}, "/");
    const other = await connectTo(served.port);
    const stream = (full: boolean) => ({
      id: 1,
      method: "SUBSCRIBE",
      stream: { name: "CERTIFIED_TRANSACTIONS", full },
    });
    const [{ result: subscription }] = await Promise.all([connection.ask(stream(true)), other.ask(stream(false))]);
    const burn = signed(ALICE, 7, {
      kind: "bridgeBurn",
      ...{ sender: ALICE, value: amount(3), token: COIN, destinationChainId: 9, destinationAddress: BOB },
      ...{ escrowFee: amount(1), bridgeMetadata: "m", bridgeParam: "0x01" },
    });
    const [moved, copy] = [served.host.admit(payment(6)), served.host.admit(burn)];
    const final = served.host.finish(moved.id);
    served.host.notify({
      ...{ type: "final", id: moved.id },
      final: { ...final, receipt: { ...final.receipt, success: false } },
    });
    served.host.finish(copy.id);
    const paid = await connection.next();
    expect(paid).toMatchObject({ result: { tx_hash: moved.hash } });
    const payload = {
      ...{ chain_id: 1212101, nonce: 7, sender: ALICE, value: "3", token: COIN, destination_chain_id: 9 },
      ...{ destination_address: BOB, escrow_fee: "1", bridge_metadata: "m", bridge_param: "0x01" },
    };
    expect(await connection.next()).toEqual({
      ...{ subscription, stream: "CERTIFIED_TRANSACTIONS" },
      result: {
        certificate: { V0: { tx: { UserTransaction: { envelope: { TokenBurnAndBridge: { payload } } } } } },
        tx_hash: copy.hash,
      },
    });
    expect([await other.next(), await other.next()]).toMatchObject([
      { result: { tx_hash: moved.hash } },
      { result: { tx_hash: copy.hash } },
    ]);
    for (const { socket } of [connection, other]) socket.close();
  });
});

describe("the stream of transactions", () => {
  // holds: 118, 119
  test("reports each state of an operation", async () => {
    const connection = await connectTo(served.port);
    const { result: subscription } = await connection.ask(TRANSACTIONS);
    const { id, hash } = served.host.admit(payment(2));
    served.host.notify({ type: "signed", id, signers: 2, validators: 4, round: 0 });
    served.host.notify({ type: "locked", id, round: 0 });
    served.host.finish(id);
    const other = served.host.admit(payment(3));
    served.host.notify({ type: "superseded", id: other.id, by: id });
    served.host.notify({ type: "refused", id: other.id, code: "business_insufficient_funds", node: "v1" });
    const subject = { transaction_type: "TokenTransfer", from: ALICE, to: BOB, token: COIN, value: "1" };
    const expected = [
      { hash, status: "submitted", node: "v1" },
      { hash, status: "signed", signers: 2, validators: 4, round: 0 },
      { hash, status: "locked", round: 0 },
      { hash, status: "final", success: true, error_code: null, fee_used: "2" },
      { hash: other.hash, status: "submitted", node: "v1" },
      { hash: other.hash, status: "superseded", error_code: "business_superseded", superseded_by: hash },
      { hash: other.hash, status: "refused", error_code: "business_insufficient_funds", node: "v1" },
    ];
    for (const result of expected)
      expect(await connection.next()).toEqual({
        subscription,
        stream: "TRANSACTIONS",
        result: { ...subject, ...result },
      });
    connection.socket.close();
  });
});

describe("a frame that cannot be read", () => {
  test.each<[string, unknown, number | null, string]>([
    ["no JSON", "{", null, "validation_json"],
    ["a list", [], null, "validation_frame"],
    ["no id", { method: "SUBSCRIBE" }, null, "validation_frame"],
    ["an id that is a text", { ...CHECKPOINTS, id: "1" }, null, "validation_frame"],
    ["an unknown method", { id: 3, method: "LIST" }, 3, "validation_frame"],
    ["a stream by name alone", { id: 3, method: "SUBSCRIBE", stream: "CHECKPOINTS" }, 3, "validation_stream"],
    ["an unknown stream", { id: 3, method: "SUBSCRIBE", stream: { name: "BLOCKS" } }, 3, "validation_stream"],
    ["full as a text", { ...CHECKPOINTS, stream: { name: "CHECKPOINTS", full: "true" } }, 1, "validation_stream"],
    ["an unsubscription by id", { id: 3, method: "UNSUBSCRIBE", stream: "7" }, 3, "validation_stream"],
    ["an empty filter", { ...TRANSACTIONS, stream: { name: "TRANSACTIONS", tokens: [] } }, 2, "validation_stream"],
    [
      "a filter that is too long",
      { ...TRANSACTIONS, stream: { name: "TRANSACTIONS", tokens: [COIN, COIN, COIN] } },
      2,
      "validation_stream",
    ],
    [
      "a filter of no address",
      { ...TRANSACTIONS, stream: { name: "TRANSACTIONS", addresses: ["alice"] } },
      2,
      "validation_address",
    ],
  ])("is answered with an error and the socket stays open: %s", async (_name, frame, id, code) => {
    const connection = await connectTo(served.port);
    expect(await connection.ask(frame)).toEqual({
      id,
      error: { error_code: code, message: expect.stringMatching(/./) },
    });
    expect(await connection.ask(CHECKPOINTS)).toMatchObject({ id: 1, result: expect.any(String) });
    connection.socket.close();
    await connection.closed;
  });

  test("may be bytes: that is an error too", async () => {
    const connection = await connectTo(served.port);
    connection.socket.send(Buffer.from("{}"));
    expect(await connection.next()).toMatchObject({ id: null, error: { error_code: "validation_frame" } });
    connection.socket.close();
    await connection.closed;
  });

  test("that is too long closes the socket", async () => {
    const connection = await connectTo(served.port);
    connection.socket.send(" ".repeat(2_001));
    expect(await connection.closed).toMatchObject({ code: 1009 });
  });
});

describe("an upgrade", () => {
  // holds: 1
  test("is served at one path only", async () => {
    const { status, body } = await refusedUpgrade(served.port, "/v1/ws");
    expect([status, JSON.parse(body)]).toEqual([
      404,
      { error_code: "resource_route_not_found", message: expect.any(String) },
    ]);
  });

  test("that is none is refused with an error body", async () => {
    const head = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    const text = await sendRaw(served.port, `${head}Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: a\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('{"error_code":"validation_handshake","message":"');
    const plain = await served.get("/ws");
    expect([plain.status, plain.json["error_code"]]).toEqual([400, "validation_handshake"]);
  });

  test("to something else is not made, and the request answered as if it had not been offered", async () => {
    const offer =
      "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n";
    const text = await sendRaw(served.port, `GET /v1/chains/chain_id HTTP/1.1\r\n${offer}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('{"chain_id":1212101}');
    const post = await sendRaw(served.port, `POST /v1/transactions/payment HTTP/1.1\r\n${offer}`);
    expect(post).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("is refused while too many sockets are open", async () => {
    const connections = await Promise.all([1, 2, 3].map(() => connectTo(served.port)));
    const { status, body } = await refusedUpgrade(served.port, "/ws");
    expect([status, JSON.parse(body)]).toMatchObject([429, { error_code: "rate_limit_exceeded" }]);
    for (const { socket, closed } of connections) {
      socket.close();
      await closed;
    }
    const again = await connectTo(served.port);
    again.socket.close();
    await again.closed;
  });
});
