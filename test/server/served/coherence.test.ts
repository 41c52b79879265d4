/** Reads and writes at different validators (protocol 7.12). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectRefusal } from "./refusal.ts";
import { SWIFT } from "./settle.ts";
import { type Json, sharedNetwork } from "./support.ts";

const NODES = ["v1", "v2", "v3", "v4"] as const;

const net = sharedNetwork({ "checkpoint-interval": "500" }, "each");

const pay = (node: string, from: string, to: string, value: bigint, nonce?: number) =>
  net
    .clientOf(node)
    .send(
      "payment",
      { recipient: net.address(to), value: value.toString(), token: net.token() },
      net.key(from),
      nonce === undefined ? {} : { nonce },
    );
const balance = (node: string, name: string) => net.clientOf(node).balance(net.address(name), net.token());

/** A checkpoint may come between two reads. */
function withoutCheckpoint(receipt: Json): Json {
  return { ...receipt, checkpoint_hash: null, checkpoint_number: null, transaction_index: null };
}

const LAGS = { partition: [["v1", "v3", "v4"], ["v2"]] };

describe("a validator that lags", () => {
  test("says that an operation is pending while others have its receipt, and contradicts nothing", async () => {
    await net.step(LAGS);
    const before = await balance("v1", "bob");
    const { hash } = await pay("v1", "alice", "bob", 7n, 0);
    await net.client.receipt(hash, SWIFT);
    expect(await balance("v1", "bob")).toBe(before + 7n);
    expect(await net.clientOf("v1").transaction(hash)).toMatchObject({ status: "final" });
    expect(await balance("v2", "bob")).toBe(before);
    expect(await net.clientOf("v2").nonce(net.address("alice"))).toBe(0);
    expect(await net.clientOf("v2").transaction(hash)).toMatchObject({ status: "pending", checkpoint_hash: null });
    await expect(net.clientOf("v2").receiptNow(hash)).rejects.toThrow("not yet applied by v2");
    await expect(net.clientOf("v2").finalized(hash)).rejects.toMatchObject({
      status: 404,
      code: "resource_transaction_not_found",
    });
    await net.step({ heal: true });
    const [there, here] = [
      await net.clientOf("v2").receipt(hash, SWIFT),
      await net.clientOf("v1").receipt(hash, SWIFT),
    ];
    expect(withoutCheckpoint(there)).toEqual(withoutCheckpoint(here));
    expect(await balance("v2", "bob")).toBe(before + 7n);
  });

  test("waits with a read for the receipt that the read names, and then shows it", async () => {
    await net.step(LAGS);
    const before = await balance("v2", "bob");
    const { hash } = await pay("v1", "alice", "bob", 11n);
    await net.client.receipt(hash, SWIFT);
    let isAnswered = false;
    const query = { address: net.address("bob"), token: net.token(), min_receipt: hash };
    const read = net
      .clientOf("v2")
      .get("/v1/accounts/token_account", query)
      .finally(() => {
        isAnswered = true;
      });
    expect(await balance("v2", "bob")).toBe(before);
    expect(isAnswered).toBe(false);
    await net.step({ heal: true });
    expect(await read).toMatchObject({ balance: String(before + 11n) });
    const receipt = await net.clientOf("v2").get("/v1/transactions/receipt/by_hash", { hash, min_receipt: hash });
    expect(receipt).toMatchObject({ success: true });
  });

  test("gives up waiting after a while, and says what it waited for", async () => {
    const never = `0x${"5a".repeat(32)}`;
    const path = `/v1/accounts/nonce?address=${net.address("bob")}&min_receipt=${never}`;
    const answer = await net.clientOf("v2").request("GET", path);
    expectRefusal(answer, 408, "request_timeout");
    expect(answer.body).toMatchObject({ message: expect.stringContaining(never) });
  });
});

test("a repost to another validator is the same operation, and both answer alike", async () => {
  const { hash, body, path } = await pay("v1", "carol", "bob", 3n, 0);
  for (const node of NODES) {
    expect(await net.clientOf(node).request("POST", path, body)).toMatchObject({ status: 200, body: { hash } });
  }
  for (const node of NODES) await net.clientOf(node).receipt(hash, SWIFT);
  expect(await net.client.nonce(net.address("carol"))).toBe(1);
});

/** One payment to bob: submitted at one validator, and looked for at another. */
interface Move {
  readonly value: number;
  readonly node: (typeof NODES)[number];
  readonly readAt: (typeof NODES)[number];
}

const PEOPLE = ["dave", "erin", "frank", "grace"] as const;
const move: fc.Arbitrary<Move> = fc.record({
  value: fc.integer({ min: 1, max: 1_000 }),
  node: fc.constantFrom(...NODES),
  readAt: fc.constantFrom(...NODES),
});
const journeys = fc.tuple(...PEOPLE.map(() => fc.array(move, { maxLength: 3 })));

test("with any payer and any reading validator, a balance covers every receipt of the same validator, and nonces never fall", async () => {
  const last = new Map<string, string>();
  const nonces = new Map<string, number>();
  const start = await balance("v1", "bob");
  const covered = new Map<string, bigint>(NODES.map((node) => [node, start]));
  let posted = start;

  const nonceOf = async (node: string, name: string, min_receipt: string | undefined): Promise<number> => {
    const known = nonces.get(`${node} ${name}`) ?? 0;
    const waits = min_receipt === undefined ? {} : { min_receipt };
    const answer = await net.clientOf(node).get("/v1/accounts/nonce", { address: net.address(name), ...waits });
    const nonce = answer["nonce"] as number;
    expect(nonce).toBeGreaterThanOrEqual(known);
    nonces.set(`${node} ${name}`, nonce);
    return nonce;
  };
  const travel = async (name: string, moves: readonly Move[]): Promise<void> => {
    for (const { value, node, readAt } of moves) {
      const nonce = await nonceOf(node, name, last.get(name));
      posted += BigInt(value);
      const { hash } = await pay(node, name, "bob", BigInt(value), nonce);
      last.set(name, hash);
      await net.clientOf(readAt).receipt(hash, SWIFT);
      const least = (covered.get(readAt) ?? 0n) + BigInt(value);
      covered.set(readAt, least);
      const read = await balance(readAt, "bob");
      expect(read).toBeGreaterThanOrEqual(least);
      expect(read).toBeLessThanOrEqual(posted);
      expect(await nonceOf(readAt, name, undefined)).toBeGreaterThan(nonce);
    }
  };
  await fc.assert(
    fc.asyncProperty(journeys, fc.constantFrom(...NODES), async (all, late) => {
      await net.step({ delay: { to: [late], ms: "20..60" } });
      await Promise.all(PEOPLE.map((name, place) => travel(name, all[place] ?? [])));
      await net.step({ delay: { to: [late], ms: "1..3" } });
    }),
    { numRuns: 10 },
  );
  for (const min_receipt of last.values()) {
    for (const node of NODES) await net.clientOf(node).get("/v1/chains/chain_id", { min_receipt });
  }
  expect(await Promise.all(NODES.map((node) => balance(node, "bob")))).toEqual(NODES.map(() => posted));
});
