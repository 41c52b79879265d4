/** Queue of an entry validator and its bounds; operations read as several kinds (protocol 4.2, 9.2, 9.3). */

import { describe, expect, it } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { Millis } from "../../../src/core/base/ids.ts";
import type { OperationId, SignedOperation, Submission } from "../../../src/core/base/operation.ts";
import {
  DISCLOSED_PER_NONCE,
  EPOCH_SLOTS,
  PENDING,
  PENDING_PER_ACCOUNT,
  SUBSCRIBERS,
} from "../../../src/core/validator/limits.ts";
import { cancelsPending } from "../../../src/core/validator/mempool/pending.ts";
import { forkValidator } from "../../../src/core/validator/state.ts";
import { step } from "../../../src/core/validator/step.ts";
import { admissionFault } from "../../../src/core/validator/submit.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, cancellation, order, pause, payment, recovery, USD } from "./support/operations.ts";
import { only, Single } from "./support/single.ts";

describe("a full queue", () => {
  it.each<[string, boolean, Submission]>([
    ["a cancellation of what a client submitted", true, cancellation("alice", 0)],
    ["a cancellation of what a peer disclosed", false, cancellation("bob", 0)],
    ["another operation for the nonce of what a client submitted", false, payment("alice", 0, "carol", 1n)],
    [
      "a recovery from what a client submitted",
      false,
      recovery(payment("alice", 0, "bob", 1n), payment("alice", 0, "carol", 1n)),
    ],
  ])("has room for %s: %s", (_, hasRoom, submission) => {
    const one = new Single(new Cluster(4).node(0));
    one.submit(payment("alice", 0, "bob", 1n));
    one.take({ type: "offer", slot: accountSlot("bob"), content: contentOf(payment("bob", 0, "carol", 1n)) });
    expect(one.state.mempool.pending.size).toBe(2);
    expect(cancelsPending(one.state, submission, ({ isEntry }) => isEntry)).toBe(hasRoom);
  });
});

describe("the entry validator", () => {
  it("does the same with what it has admitted already as with what it admits on the way", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, payment("alice", 0, "bob", 10n));
    cluster.run(2);
    const state = requireDefined(cluster.nodes[0], "v1");
    for (const submission of [
      payment("alice", 1, "bob", 10n),
      cancellation("alice", 0),
      payment("bob", 0, "alice", 1n),
    ]) {
      expect(admissionFault(state, submission)).toBeUndefined();
      const input = { type: "submit", at: 2 as Millis, client: "someone", submission } as const;
      const [checked, admitted] = [forkValidator(state), forkValidator(state)];
      expect(step(admitted, { ...input, admitted: true })).toEqual(step(checked, input));
      expect(admitted.mempool.pending.entries()).toEqual(checked.mempool.pending.entries());
    }
  });

  it("answers the same bytes again: pending while they are, their ending afterwards", () => {
    const cluster = new Cluster(4);
    const one = payment("alice", 0, "bob", 10n);
    const id = cluster.submit(0, one);
    cluster.submit(0, one);
    cluster.run(1_000);
    cluster.submit(0, one);
    cluster.submit(2, one, "other");
    cluster.run(2_000);
    expect(cluster.statuses(id)).toEqual(["pending", "pending", "final", "final", "final"]);
    expect(cluster.balances("alice")).toEqual([989n]);
  });

  it("stays entry validator of a disclosed operation, when a peer relays it again", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    const one = payment("alice", 0, "bob", 10n);
    const id = cluster.submit(0, one);
    cluster.run(1);
    expect(cluster.node(0).mempool.pending.get(id)).toMatchObject({ isEntry: true, disclosed: true });
    cluster.inject(1, 0, { type: "offer", slot: accountSlot("alice"), content: contentOf(one) });
    cluster.run(2);
    expect(cluster.node(0).mempool.pending.get(id)).toMatchObject({ isEntry: true, disclosed: true });
    cluster.submit(0, one);
    cluster.run(3);
    expect(cluster.node(0).mempool.pending.get(id)).toMatchObject({ isEntry: true, disclosed: true });
  });
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

describe("what waits at a validator", () => {
  it(`is at most ${PENDING_PER_ACCOUNT} operations of an account`, () => {
    const cluster = new Cluster(4);
    const ids = Array.from({ length: PENDING_PER_ACCOUNT + 1 }, (_, nonce) =>
      cluster.submit(0, payment("alice", nonce, "bob", 1n)),
    );
    cluster.run(0);
    expect(cluster.statuses(ids[PENDING_PER_ACCOUNT - 1] as OperationId)).toEqual(["pending"]);
    expect(cluster.statuses(ids[PENDING_PER_ACCOUNT] as OperationId)).toEqual([
      "refused undisclosed: system_queue_full",
    ]);
  });

  it(`is at most ${DISCLOSED_PER_NONCE} offers for a nonce: each credit has them judged again`, () => {
    const one = new Single(new Cluster(4).node(0));
    for (let value = 1n; value < 20n; value++) {
      const content = contentOf(payment("mallory", 1, "bob", value));
      one.take({ type: "offer", slot: accountSlot("mallory", 1), content }, "v4");
    }
    expect(one.state.slots.waiting.size).toBe(DISCLOSED_PER_NONCE);
  });

  it("leaves room for one cancellation of a nonce, and not for others of it", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    for (let nonce = 0; nonce < PENDING_PER_ACCOUNT; nonce++) cluster.submit(0, payment("alice", nonce, "bob", 1n));
    const numbered = Array.from({ length: 3 }, (_, recentCheckpoint) =>
      cluster.submit(0, order("alice", 0, { kind: "cancellation", recentCheckpoint })),
    );
    const ofAnother = cluster.submit(0, cancellation("alice", 1));
    cluster.run(0);
    const full = ["refused undisclosed: system_queue_full"];
    expect(cluster.node(0).mempool.pending.get(numbered[0] as OperationId)).toMatchObject({ disclosed: true });
    expect([...numbered, ofAnother].map((id) => cluster.statuses(id))).toEqual([["pending"], full, full, ["pending"]]);
  });

  it(`is at most ${PENDING} operations of all accounts, for any number of keys`, () => {
    const cluster = new Cluster(4);
    const ids = Array.from({ length: PENDING + 1 }, (_, at) => cluster.submit(0, cancellation(`stranger ${at}`, 0)));
    const known = cluster.submit(0, cancellation("stranger 0", 0), "another client");
    cluster.run(0);
    expect(cluster.statuses(ids[PENDING - 1] as OperationId)).toEqual(["pending"]);
    expect(cluster.statuses(ids[PENDING] as OperationId)).toEqual(["refused undisclosed: system_queue_full"]);
    expect(cluster.replyTo(known, "another client")?.status).toBe("pending");
  });

  it("is at most as many, recoveries and operations that a peer has shown among them", () => {
    const one = new Single(new Cluster(4).node(0));
    for (let at = 0; at < PENDING; at++) one.submit(cancellation(`stranger ${at}`, 0));
    const [first, second] = [payment("alice", 0, "bob", 1_000_000n), payment("alice", 0, "carol", 1_000_000n)];
    one.take({
      type: "disclosure",
      slot: accountSlot("alice"),
      reason: { kind: "equivocation", proof: { first, second } },
    });
    const refusal = { code: "system_queue_full", limit: PENDING };
    const answers = [recovery(first, second), first].map((next) => only(one.submit(next), "reply")[0]?.reply);
    expect(answers).toEqual([
      { status: "refused", refusal, disclosed: false },
      { status: "refused", refusal, disclosed: true },
    ]);
    expect(one.state.mempool.pending.size).toBe(PENDING);
  });

  it(`is what an epoch of ${EPOCH_SLOTS} slots has room for, where no checkpoint lists any before its end`, () => {
    const decided = new Cluster(4);
    decided.submit(0, payment("alice", 0, "bob", 1n));
    decided.run(1_000);
    const { state } = new Single(decided.node(0));
    const isFull = (next: SignedOperation): boolean => admissionFault(state, next)?.code === "system_queue_full";
    const [own] = state.sync.log.values();
    const fill = (count: number): void => {
      for (let at = state.sync.log.size; at < count; at++)
        state.sync.log.set(state.sync.applied + at, requireDefined(own, "slot"));
    };
    fill(EPOCH_SLOTS - 1);
    expect(isFull(payment("alice", 1, "bob", 1n))).toBe(false);
    fill(EPOCH_SLOTS);
    expect(isFull(payment("alice", 1, "bob", 1n))).toBe(true);
  });
});

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
