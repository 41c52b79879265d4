/** Queues of a validator at their bounds, filled at once, and submissions that it takes or refuses (protocol 4.2). */
import { describe, expect, it } from "vitest";
import type { Sequence } from "../../../src/core/base/ids.ts";
import { SUBSCRIBERS } from "../../../src/core/validator/limits.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, pause, payment, USD } from "./support/operations.ts";
import { only, Single } from "./support/single.ts";

const single = (): Single => new Single(new Cluster(4).node(0));

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
    ["that proves it", { first: X, second: Y }, 1],
    ["of one operation twice", { first: X, second: X }, 0],
    ["of a later nonce", { first: later[0], second: later[1] }, 0],
    ["that its account has not signed", { first: X, second: { ...Y, signature: X.signature } }, 0],
  ])("%s is a reason here, or it is dropped", (_, proof, count) => {
    const one = single();
    const slot = { kind: "account", address: X.sender, sequence: 0 as Sequence } as const;
    one.take({ type: "disclosure", slot, reason: { kind: "equivocation", proof } });
    // It waits for a vote, so no timer runs.
    expect([one.state.slots.reasons.size, one.state.slots.timers.size]).toEqual([count, 0]);
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
