/** Queues of a validator at their bounds, filled at once, and submissions that it takes or refuses (protocol 4.2). */
import { describe, expect, it } from "vitest";
import type { Nonce } from "../../../src/core/base/ids.ts";
import type { OperationId } from "../../../src/core/base/operation.ts";
import { DISCLOSED, EVICTED_ACCOUNTS, SUBSCRIBERS } from "../../../src/core/validator/limits.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, idOf, mint, pause, payment, recovery, USD } from "./support/operations.ts";
import { only, Single } from "./support/single.ts";

const single = (): Single => new Single(new Cluster(4).node(0));

/** Discloses an operation that costs its sender nothing. Returns true if it is kept. */
function isKept(one: Single, name: string): boolean {
  const worthless = mint(name, 0, "bob", 1n);
  one.take({ type: "offer", slot: accountSlot(name), content: contentOf(worthless) });
  return one.state.mempool.pending.has(idOf(worthless));
}

function fillQueue({ state }: Single, count: number): void {
  for (let number = 0; number < count; number++) state.mempool.evictable[0].set(number, `${number}` as OperationId);
}

function fillEvicted({ state }: Single, count: number): void {
  for (let at = 0; at < count; at++) state.mempool.evicted.set(addressOf(`account ${at}`), 0 as Nonce);
}

describe("a full queue of disclosed operations", () => {
  it("takes none that is worth as little as all that it holds", () => {
    const [free, full] = [single(), single()];
    fillQueue(free, DISCLOSED - 1);
    fillQueue(full, DISCLOSED);
    expect([isKept(free, "stranger"), isKept(full, "stranger")]).toEqual([true, false]);
    expect(full.state.mempool.evicted.get(addressOf("stranger"))).toBe(0);
  });

  it(`notes up to ${EVICTED_ACCOUNTS} accounts that it dropped one of`, () => {
    const one = single();
    fillQueue(one, DISCLOSED);
    fillEvicted(one, EVICTED_ACCOUNTS - 1);
    for (const name of ["first", "second"]) isKept(one, name);
    const { evicted } = one.state.mempool;
    expect([evicted.size, evicted.has(addressOf("first")), evicted.has(addressOf("second"))]).toEqual([
      EVICTED_ACCOUNTS,
      true,
      false,
    ]);
  });
});

it(`a client beyond the ${SUBSCRIBERS} of an operation is refused, and no other one hears of it`, () => {
  const one = single();
  const paid = payment("alice", 0, "bob", 1n);
  for (let at = 0; at < SUBSCRIBERS; at++) one.submit(paid, `client ${at}`);
  const replies = only(one.submit(paid, "one more"), "reply");
  expect(replies.map(({ client, reply }) => [client, reply])).toEqual([
    ["one more", { status: "refused", refusal: { code: "system_queue_full", limit: SUBSCRIBERS }, disclosed: true }],
  ]);
});

describe("a recovery that another validator discloses", () => {
  const [X, Y] = [payment("alice", 0, "bob", 1n), payment("alice", 0, "carol", 1n)];
  const later = [payment("alice", 1, "bob", 1n), payment("alice", 1, "carol", 1n)] as const;

  it.each([
    ["that proves it", recovery(X, Y), 1],
    ["of one operation twice", recovery(X, X), 0],
    ["of a later nonce", recovery(...later), 0],
    ["that its account has not signed", recovery(X, { ...Y, signature: X.signature }), 0],
  ])("%s is pending here, or it is dropped", (_, shown, count) => {
    const one = single();
    one.take({ type: "recovery", recovery: shown });
    expect(one.state.mempool.pending.size).toBe(count);
  });
});

it("an operation behind others of its sender is refused if it would wait for funds in its turn", () => {
  const one = single();
  one.submit(pause("issuer", 0, "Pause"));
  const replies = (value: bigint) =>
    only(one.submit(burn("issuer", 1, "alice", value)), "reply").map(({ reply }) => reply);
  expect(replies(1_001n)).toMatchObject([
    { status: "refused", refusal: { code: "business_insufficient_funds", balance: 1_000n, need: 1_001n } },
  ]);
  expect(replies(1_000n)).toEqual([{ status: "pending" }]);
});

it("a client hears of no restriction where its payment is locked, though not decided", () => {
  const cluster = new Cluster(4);
  const alice = addressOf("alice");
  cluster.cut = (_, __, message) =>
    message.type === "consensus" &&
    message.body.type === "commit" &&
    message.body.slot.kind === "account" &&
    message.body.slot.address === alice;
  const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
  cluster.run(30);
  cluster.submit(1, pause("issuer", 0, "Pause"));
  cluster.run(5_000);
  expect(cluster.nodes.map(({ ledger }) => ledger.tokens.get(USD)?.isPaused)).toEqual([true, true, true, true]);
  expect(cluster.statuses(paid)).toEqual(["pending"]);
});
