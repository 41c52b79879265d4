/** Queue of an entry validator and its bounds; operations read as several kinds (protocol 4.2, 9.2, 9.3). */

import { describe, expect, it } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { Millis, Sequence } from "../../../src/core/base/ids.ts";
import type { SignedOperation, Submission } from "../../../src/core/base/operation.ts";
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
import {
  addressOf,
  burn,
  cancellation,
  idOf,
  mint,
  order,
  pause,
  payment,
  recovery,
  USD,
} from "./support/operations.ts";
import { only, Single } from "./support/single.ts";

const BOTH = ["pending", "final"];

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
  it("queues later nonces behind earlier ones, and all become final in their order", () => {
    const cluster = new Cluster(4);
    const ids = [0, 1, 2, 3, 4].map((nonce) => cluster.submit(0, payment("alice", nonce, "bob", 10n)));
    cluster.run(5_000);
    expect(ids.map((id) => cluster.statuses(id))).toEqual(ids.map(() => BOTH));
    const order = cluster.replies.filter(({ reply }) => reply.status === "final").map(({ id }) => id);
    expect(order).toEqual(ids);
    expect(cluster.balances("alice")).toEqual([945n]);
  });

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

  it("refuses a nonce after a gap, undisclosed, and admits it once the gap is filled", () => {
    const cluster = new Cluster(4);
    const second = payment("alice", 1, "bob", 10n);
    const id = cluster.submit(0, second);
    cluster.run(10);
    cluster.submit(0, payment("alice", 0, "bob", 10n));
    cluster.submit(0, second);
    cluster.run(2_000);
    expect(cluster.statuses(id)).toEqual(["refused undisclosed: business_nonce_gap", ...BOTH]);
  });

  it("takes the cancellation of what a peer has shown behind a gap, and keeps it when the queue before it is refused", () => {
    const cluster = new Cluster(4);
    const shown = payment("alice", 1, "bob", 10n);
    cluster.submit(3, burn("burner", 0, "alice", 900n));
    while (cluster.node(0).ledger.authorised.size === 0 && cluster.step(1_000));
    cluster.inject(3, 0, { type: "offer", slot: accountSlot("alice", 1), content: contentOf(shown) });
    while (cluster.node(0).mempool.pending.size === 0 && cluster.step(2_000));
    const cancelled = cluster.submit(0, cancellation("alice", 1));
    const first = cluster.submit(0, payment("alice", 0, "bob", 200n));
    cluster.run(8_000);
    expect(cluster.statuses(first)).toEqual(["pending", "refused undisclosed: business_insufficient_funds"]);
    expect(cluster.statuses(cancelled)).toEqual(["pending"]);
    cluster.submit(0, payment("alice", 0, "bob", 10n));
    cluster.run(12_000);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
  });

  it("refuses what the queue before it leaves no funds for", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, payment("alice", 0, "bob", 600n));
    const second = cluster.submit(0, payment("alice", 1, "bob", 399n));
    const fitting = cluster.submit(0, payment("alice", 1, "bob", 398n));
    cluster.run(2_000);
    expect(cluster.statuses(second)).toEqual(["refused undisclosed: business_insufficient_funds"]);
    expect(cluster.statuses(fitting)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([0n]);
  });

  // holds: 73
  it("refuses another operation for a pending nonce", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, payment("alice", 0, "bob", 10n));
    const other = cluster.submit(0, payment("alice", 0, "carol", 10n));
    cluster.run(2_000);
    expect(cluster.statuses(other)).toEqual(["refused undisclosed: business_nonce_pending"]);
  });

  it("does not disclose what it refuses: another operation for that nonce is no equivocation", () => {
    const cluster = new Cluster(4);
    const refused = cluster.submit(0, payment("alice", 0, "bob", 5_000n));
    cluster.run(50);
    expect(cluster.statuses(refused)).toEqual(["refused undisclosed: business_insufficient_funds"]);
    const paid = cluster.submit(1, payment("alice", 0, "bob", 10n));
    cluster.run(5_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.coverage.get("proof formed")).toBeUndefined();
    for (const {
      slots: { reasons, contents },
    } of cluster.nodes)
      expect([reasons.size, contents.size]).toEqual([0, 1]);
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

  it("refuses, undisclosed, a whole queue whose head has lost its funds to a burn", () => {
    const cluster = new Cluster(4);
    cluster.submit(3, burn("burner", 0, "alice", 900n));
    while (cluster.node(0).ledger.authorised.size === 0 && cluster.step(1_000));
    const ids = [0, 1].map((nonce) => cluster.submit(0, payment("alice", nonce, "bob", 200n)));
    cluster.run(5_000);
    expect(cluster.balances("alice")).toEqual([100n]);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([
      ["pending", "refused undisclosed: business_insufficient_funds"],
      ["pending", "refused undisclosed: business_nonce_gap"],
    ]);
  });

  it("takes the same bytes at several validators at once as one operation", () => {
    const cluster = new Cluster(4);
    const one = payment("alice", 0, "bob", 10n);
    for (const at of [0, 1, 2, 3]) cluster.submit(at, one, `client ${at}`);
    cluster.run(3_000);
    for (const at of [0, 1, 2, 3])
      expect(cluster.replyTo(cluster.submit(at, one, "late"), `client ${at}`)?.status).toBe("final");
    expect(cluster.balances("alice")).toEqual([989n]);
    expect(cluster.coverage.get("proof formed")).toBeUndefined();
  });

  // holds: 3, 109
  it("refuses a bad signature and another chain", () => {
    const cluster = new Cluster(4);
    const good = payment("alice", 0, "bob", 10n);
    const forged: SignedOperation = { ...good, sender: addressOf("bob") };
    const elsewhere = order("alice", 0, {
      kind: "payment",
      recipient: addressOf("bob"),
      value: 1n as Amount,
      chainId: 1,
    } as never);
    const ids = [forged, elsewhere].map((bad) => cluster.submit(0, bad));
    cluster.run(50);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([
      ["refused undisclosed: validation_signature"],
      ["refused undisclosed: validation_chain_id"],
    ]);
  });
});

describe("a signature", () => {
  const asPayment = payment("alice", 0, "bob", 10n);
  const asMint: SignedOperation = { ...mint("alice", 0, "bob", 10n), signature: asPayment.signature };

  it("over one digest may be read as two kinds, of which a validator takes the first", () => {
    expect(mint("alice", 0, "bob", 10n).signature).toBe(asPayment.signature);
    const cluster = new Cluster(4);
    const paid = cluster.submit(0, asPayment);
    const minted = cluster.submit(0, asMint);
    cluster.run(3_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.statuses(minted)).toEqual(["refused undisclosed: business_signature_reused"]);
  });

  it("that two validators read as two kinds is no equivocation, and its owner can cancel", () => {
    const cluster = new Cluster(4);
    cluster.submit(3, payment("alice", 0, "issuer", 100n));
    cluster.run(1_000);
    cluster.cut = (from, to, message) => message.type === "offer" && from < 2 !== to < 2;
    const paid = payment("issuer", 0, "bob", 10n);
    const readings = [
      cluster.submit(0, { ...mint("issuer", 0, "bob", 10n), signature: paid.signature }),
      cluster.submit(2, paid),
    ];
    cluster.run(10_000);
    cluster.cut = () => false;
    cluster.run(20_000);
    expect(readings.map((id) => cluster.statuses(id))).toEqual([["pending"], ["pending"]]);
    expect(cluster.coverage.get("proof formed")).toBeUndefined();
    const cancelled = cluster.submit(1, cancellation("issuer", 0));
    cluster.run(40_000);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
    expect(readings.map((id) => cluster.statuses(id).at(-1))).toEqual(["superseded", "superseded"]);
  });
});

describe("what waits at a validator", () => {
  it(`is at most ${PENDING_PER_ACCOUNT} operations of an account`, () => {
    const cluster = new Cluster(4);
    const ids = Array.from({ length: PENDING_PER_ACCOUNT + 1 }, (_, nonce) =>
      cluster.submit(0, payment("alice", nonce, "bob", 1n)),
    );
    cluster.run(0);
    expect(cluster.statuses(ids[PENDING_PER_ACCOUNT - 1] as (typeof ids)[0])).toEqual(["pending"]);
    expect(cluster.statuses(ids[PENDING_PER_ACCOUNT] as (typeof ids)[0])).toEqual([
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

  it("leaves room for the cancellation of what is admitted", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    for (let nonce = 0; nonce < PENDING_PER_ACCOUNT; nonce++) cluster.submit(0, payment("alice", nonce, "bob", 1n));
    const cancelled = cluster.submit(0, cancellation("alice", 0));
    cluster.run(0);
    expect(cluster.statuses(cancelled)).toEqual(["pending"]);
    expect(cluster.node(0).mempool.pending.get(cancelled)).toMatchObject({ isEntry: true, disclosed: true });
  });

  it(`is at most ${PENDING} operations of all accounts, for any number of keys`, () => {
    const cluster = new Cluster(4);
    const ids = Array.from({ length: PENDING + 1 }, (_, at) => cluster.submit(0, cancellation(`stranger ${at}`, 0)));
    const known = cluster.submit(0, cancellation("stranger 0", 0), "another client");
    cluster.run(0);
    expect(cluster.statuses(ids[PENDING - 1] as (typeof ids)[0])).toEqual(["pending"]);
    expect(cluster.statuses(ids[PENDING] as (typeof ids)[0])).toEqual(["refused undisclosed: system_queue_full"]);
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

  it(`is at most ${SUBSCRIBERS} clients for one operation`, () => {
    const cluster = new Cluster(4);
    const one = payment("alice", 0, "bob", 1n);
    const id = Array.from({ length: SUBSCRIBERS + 1 }, (_, at) =>
      cluster.submit(0, one, `client ${at}`),
    )[0] as ReturnType<typeof cluster.submit>;
    cluster.run(1_000);
    expect(cluster.replyTo(id, `client ${SUBSCRIBERS - 1}`)?.status).toBe("final");
    expect(cluster.replyTo(id, `client ${SUBSCRIBERS}`)).toMatchObject({
      status: "refused",
      refusal: { code: "system_queue_full" },
    });
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

const BYZANTINE = 3;

/** A mint of the authority, and the payment that its bytes may be read as. */
function readings(nonce: number, value: bigint): readonly [mint: SignedOperation, payment: SignedOperation] {
  return [mint("issuer", nonce, "bob", value), payment("issuer", nonce, "bob", value)];
}

/** The Byzantine relay discloses the payment to these validators, before the authority submits to any other. */
function misread(
  cluster: Cluster,
  paid: SignedOperation,
  nodes: readonly number[],
  sequence = paid.operation.nonce,
): void {
  for (const to of nodes)
    cluster.inject(BYZANTINE, to, { type: "offer", slot: accountSlot("issuer", sequence), content: contentOf(paid) });
  cluster.run(cluster.now);
}

describe("a mint whose bytes a Byzantine relay discloses as a payment", () => {
  it("is admitted all the same, and decided where nothing funds the payment", () => {
    const cluster = new Cluster(4);
    const [minted, paid] = readings(0, 10n);
    misread(cluster, paid, [0, 1, 2]);
    cluster.stop(BYZANTINE);
    const id = cluster.submit(0, minted);
    cluster.run(5_000);
    expect(cluster.statuses(id)).toEqual(BOTH);
    expect(cluster.balances("bob")).toEqual([1010n]);
  });

  it("does not make the queue of its owner cheaper, with either reading first", () => {
    for (const value of [601n, 602n, 603n, 604n, 605n, 606n]) {
      const cluster = new Cluster(4);
      const [minted, paid] = readings(0, value);
      cluster.submit(0, payment("alice", 0, "issuer", 1_000n - 10n));
      cluster.run(2_000);
      cluster.cut = () => true;
      cluster.submit(0, paid);
      cluster.inject(BYZANTINE, 0, { type: "offer", slot: accountSlot("issuer", 0), content: contentOf(minted) });
      cluster.run(cluster.now);
      const behind = cluster.submit(0, payment("issuer", 1, "bob", 600n));
      cluster.run(cluster.now);
      expect(cluster.statuses(behind)).toEqual(["refused undisclosed: business_insufficient_funds"]);
    }
  });

  it("can be cancelled, with either reading first", () => {
    for (const value of [1n, 2n, 3n, 4n, 5n, 6n]) {
      const cluster = new Cluster(4);
      const [minted, paid] = readings(0, value);
      misread(cluster, paid, [0, 1, 2]);
      cluster.stop(BYZANTINE);
      cluster.cut = (_, __, message) => message.type === "offer";
      const id = cluster.submit(0, minted);
      cluster.run(100);
      const cancelled = cluster.submit(0, cancellation("issuer", 0));
      cluster.run(10_000);
      expect([idOf(minted) < idOf(paid), cluster.statuses(cancelled)]).toEqual([idOf(minted) < idOf(paid), BOTH]);
      expect(cluster.statuses(id)).toEqual(["pending", "superseded"]);
    }
  });

  it("is blocked if the payment is funded and has votes first, and freed by each cancellation", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, payment("alice", 0, "issuer", 100n));
    cluster.run(2_000);
    cluster.cut = (from, to) => from === BYZANTINE || to === BYZANTINE;
    for (const nonce of [0, 1]) {
      const [minted, paid] = readings(nonce, 10n);
      misread(cluster, paid, [1]);
      const id = cluster.submit(0, minted);
      cluster.run(cluster.now + 20_000);
      expect(cluster.statuses(id)).toEqual(["pending"]);
      const cancelled = cluster.submit(0, cancellation("issuer", nonce));
      cluster.run(cluster.now + 10_000);
      expect([cluster.statuses(id).at(-1), cluster.statuses(cancelled).at(-1)]).toEqual(["superseded", "final"]);
    }
    expect(cluster.contradictions()).toEqual([]);
  });
});
