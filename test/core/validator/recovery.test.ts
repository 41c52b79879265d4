/** Cancellations, recoveries, and the round changes that show them (protocol 3.2). */

import { describe, expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { newSlot } from "../../../src/core/consensus/slot-state.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { CANCELLATION_MS, CHECKPOINTS_KEPT, EVIDENCE_MS } from "../../../src/core/validator/limits.ts";
import { addPending } from "../../../src/core/validator/mempool/pending.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { sendRoundChange } from "../../../src/core/validator/slots/slots.ts";
import { accountSlot, by, contentOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, cancellation, idOf, payment, recovery } from "./support/operations.ts";
import { Single } from "./support/single.ts";

const X = payment("alice", 0, "bob", 100n);
const Y = payment("alice", 0, "carol", 100n);
const BOTH = ["pending", "final"];

/** Two payments with two votes each; no message that discloses one to the holders of the other is delivered. */
function splitVotes(): Cluster {
  const cluster = new Cluster(4);
  cluster.cut = (from, to, message) =>
    (message.type === "offer" || message.type === "consensus") && from < 2 !== to < 2;
  cluster.submit(0, X);
  cluster.submit(2, Y);
  cluster.run(100);
  return cluster;
}

describe("a recovery with evidence", () => {
  it("frees a blocked account at any entry validator, and names the payments as superseded", () => {
    for (const asked of [0, 1, 2, 3]) {
      const cluster = splitVotes();
      cluster.cut = () => false;
      const recovered = cluster.submit(asked, recovery(X, Y));
      cluster.run(10_000);
      expect(cluster.statuses(recovered)).toEqual(BOTH);
      expect(cluster.balances("alice")).toEqual([998n]);
      expect(cluster.replies.filter(({ reply }) => reply.status === "superseded")).toHaveLength(2);
      expect(cluster.roots()).toHaveLength(1);
      expect(cluster.reports).toEqual([]);
    }
  });

  it("waits for a lock first: where one of the two has it, that one wins", () => {
    const cluster = new Cluster(4);
    const paid = cluster.submit(0, X);
    cluster.run(1);
    const recovered = cluster.submit(1, recovery(X, Y));
    cluster.run(EVIDENCE_MS * 4);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.statuses(recovered)).toEqual(["pending", "refused: business_decided_otherwise"]);
    expect(cluster.balances("alice")).toEqual([899n]);
  });

  it("is refused with operations that are no equivocation proof", () => {
    const cluster = new Cluster(4);
    const replies = [
      recovery(X, X),
      recovery(X, cancellation("alice", 0)),
      recovery(X, payment("alice", 1, "bob", 100n)),
      recovery(X, payment("bob", 0, "carol", 100n)),
      recovery(X, { ...Y, signature: X.signature }),
    ].map((bad, at) => {
      cluster.submit(0, bad, `client ${at}`);
      cluster.run(cluster.now + 50);
      return cluster.replies.filter(({ client }) => client === `client ${at}`).map(({ reply }) => reply.status);
    });
    expect(replies).toEqual(replies.map(() => ["refused"]));
    expect(cluster.coverage.get("round change by equivocation proof")).toBeUndefined();
  });

  it("does nothing and costs nothing where no validator has voted for either payment", () => {
    const cluster = new Cluster(4);
    const recovered = cluster.submit(0, recovery(X, Y));
    cluster.run(10_000);
    expect(cluster.statuses(recovered)).toEqual(["pending", "refused: business_nothing_to_recover"]);
    expect(cluster.balances("alice")).toEqual([1_000n]);
    const [entry] = cluster.node(0).slots.reasons.values();
    expect(entry).toBeUndefined();
    // The nonce is free for whatever its owner signs next.
    const paid = cluster.submit(0, payment("alice", 0, "dora", 1n));
    cluster.run(20_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
  });

  it("begins to wait with the first vote, where the proof came before it", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    cluster.submit(0, recovery(X, Y));
    cluster.run(1_000);
    cluster.submit(0, X);
    cluster.run(1_000 + EVIDENCE_MS - 50);
    expect(cluster.coverage.get("round change by equivocation proof")).toBeUndefined();
    cluster.run(1_000 + EVIDENCE_MS + 50);
    expect(cluster.coverage.get("round change by equivocation proof")).toBe(1);
  });

  it("outlives a burn that its entry validator takes over with a state", () => {
    const policy = { intervalMs: 3_600_000, slots: 2, limit: 100, periodSeconds: 0, empty: false };
    const cluster = new Cluster(4, 5, rules, policy);
    cluster.begin();
    cluster.run(1);
    // After the burn two validators vote for one payment, and the other two for the other.
    const isAlone = (from: number, to: number): boolean => from === 0 || to === 0;
    cluster.cut = isAlone;
    cluster.submit(0, X);
    const recovered = cluster.submit(0, recovery(X, Y));
    cluster.submit(1, burn("burner", 0, "alice", 10n));
    cluster.run(1_000);
    const isOfAlice = (message: PeerMessage): boolean =>
      message.type === "offer" && message.slot.kind === "account" && message.slot.address === addressOf("alice");
    cluster.cut = (from, to, message) => isAlone(from, to) || (isOfAlice(message) && (from === 3 || to === 3));
    cluster.submit(1, Y);
    cluster.submit(3, X);
    for (let nonce = 0; nonce < 4 * policy.slots * CHECKPOINTS_KEPT; nonce++) {
      cluster.submit(1, payment("bob", nonce, "carol", 1n));
      cluster.run(cluster.now + 300);
    }
    cluster.cut = () => false;
    cluster.run(cluster.now + 20_000);
    expect(cluster.coverage.get("state installed")).toBe(1);
    expect(cluster.statuses(recovered)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([988n]);
  });

  it("gets a reply at every entry validator", () => {
    const cluster = splitVotes();
    cluster.cut = () => false;
    const ids = [0, 1, 2, 3].map((at) => cluster.submit(at, recovery(X, Y), `client ${at}`));
    cluster.run(10_000);
    expect(new Set(ids).size).toBe(1);
    for (const at of [0, 1, 2, 3])
      expect(cluster.replyTo(ids[0] as (typeof ids)[0], `client ${at}`)?.status).toBe("final");
  });
});

it("what stands in a kept proof is never refused as disclosed to nobody, whichever client submits it, and at any time", () => {
  const cluster = new Cluster(4);
  cluster.cut = (_, to) => to === 0;
  cluster.submit(1, payment("bob", 0, "alice", 600n));
  cluster.run(100);
  cluster.cut = () => false;
  const unfunded = payment("alice", 0, "bob", 1500n);
  cluster.submit(0, recovery(unfunded, payment("alice", 0, "carol", 1n)), "helper");
  cluster.run(105);
  const id = cluster.submit(0, unfunded);
  cluster.run(106);
  expect(cluster.statuses(id)).toEqual(["pending"]);
});

it.each([
  ["is pending, so that its owner can cancel it, if a content here shows it", true, "pending"],
  ["is refused if nothing here shows it", false, "refused undisclosed: business_insufficient_funds"],
])("what nobody can decide now %s", (_, isShown, status) => {
  const cluster = new Cluster(4);
  cluster.begin();
  const unfunded = payment("alice", 0, "bob", 1_000_000n);
  const content = contentOf(unfunded);
  if (isShown) cluster.node(0).slots.contents.set(valueHash(content.value), content);
  const id = cluster.submit(0, unfunded);
  cluster.run(5);
  expect(cluster.statuses(id)).toEqual([status]);
  cluster.submit(0, cancellation("alice", 0));
  cluster.run(3_000);
  expect(cluster.node(0).ledger.accounts.get(addressOf("alice"))?.nonce ?? 0).toBe(isShown ? 1 : 0);
});

it("another operation of a used nonce is refused, though a content here shows it", () => {
  const cluster = new Cluster(4);
  cluster.begin();
  cluster.submit(0, X);
  cluster.run(500);
  const content = contentOf(Y);
  cluster.node(0).slots.contents.set(valueHash(content.value), content);
  const id = cluster.submit(0, Y);
  cluster.run(505);
  expect(cluster.statuses(id)).toEqual([expect.stringMatching(/^refused undisclosed: business_nonce/)]);
});

it.each([
  ["a member has signed it", "v4", "v4", 1],
  ["its signer has not signed it", "v4", "v3", 0],
  ["its signer is no member", "mallory", "mallory", 0],
])("a round change with a proof is followed at once where %s", (_, signer, key, round) => {
  const one = new Single(new Cluster(4).node(0));
  const slot = accountSlot("alice");
  const change = { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined } as const;
  const body = { ...by(key, change), signer: addressOf(signer) };
  const reason = { kind: "equivocation", proof: { first: X, second: Y } } as const;
  one.take({ type: "consensus", body, contents: [], reason }, "v4");
  expect(one.state.slots.records.get(slotKey(slot))?.round ?? 0).toBe(round);
});

/** Offers reach the first two validators only. */
function halved(_: number, to: number, message: PeerMessage): boolean {
  return message.type === "offer" && to >= 2;
}

/** A cluster in which a payment has two of four votes, and the replies about it. */
function stuckPayment(): { cluster: Cluster; paid: ReturnType<Cluster["submit"]> } {
  const cluster = new Cluster(4);
  cluster.cut = halved;
  const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
  cluster.run(100);
  return { cluster, paid };
}

describe("a cancellation", () => {
  it("before the payment has a quorum uses its nonce up, for a fee", () => {
    const { cluster, paid } = stuckPayment();
    const cancelled = cluster.submit(0, cancellation("alice", 0));
    cluster.run(10_000);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
    expect(cluster.statuses(paid)).toEqual(["pending", "superseded"]);
    expect([cluster.balances("alice"), cluster.balances("bob")]).toEqual([[998n], [1_000n]]);
    expect(cluster.roots()).toHaveLength(1);
    expect(cluster.reports).toEqual([]);
  });

  it("leaves the account free for the next nonce", () => {
    const { cluster } = stuckPayment();
    cluster.submit(0, cancellation("alice", 0));
    cluster.run(10_000);
    cluster.cut = () => false;
    const next = cluster.submit(3, payment("alice", 1, "bob", 100n));
    cluster.run(12_000);
    expect(cluster.statuses(next)).toEqual(BOTH);
  });

  // holds: 78
  it("after the payment is final is refused", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(1_000);
    const cancelled = cluster.submit(1, cancellation("alice", 0));
    cluster.run(5_000);
    expect(cluster.statuses(cancelled)).toEqual(["refused undisclosed: business_nonce_too_low"]);
    expect(cluster.balances("alice")).toEqual([899n]);
  });

  // holds: 78
  it("after the payment has its lock comes too late: the payment wins", () => {
    const cluster = new Cluster(4);
    // All vote; the lock reaches one validator besides its collector, and no commit arrives.
    cluster.cut = (_, to, message) =>
      message.type === "consensus" &&
      message.body.round === 0 &&
      ((message.body.type === "lock" && to > 1) || message.body.type === "commit");
    const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(100);
    const cancelled = cluster.submit(3, cancellation("alice", 0));
    cluster.run(20_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.coverage.get("lock carried")).toBeGreaterThan(0);
    expect(cluster.statuses(cancelled)).toEqual(["pending", "refused: business_decided_otherwise"]);
    expect(cluster.balances("alice")).toEqual([899n]);
    expect(cluster.contradictions()).toEqual([]);
  });

  it("at the same time as the payment: one of the two wins everywhere", () => {
    for (let delay = 0; delay <= 30; delay += 3) {
      const cluster = new Cluster(4);
      const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.run(delay);
      const cancelled = cluster.submit(2, cancellation("alice", 0));
      cluster.run(30_000);
      expect(cluster.roots()).toHaveLength(1);
      expect(cluster.contradictions()).toEqual([]);
      const [left] = cluster.balances("alice");
      expect([899n, 998n]).toContain(left);
      expect(cluster.statuses(paid).at(-1)).toBe(left === 899n ? "final" : "superseded");
      expect(cluster.statuses(cancelled).at(-1)).toMatch(left === 998n ? /^final$/ : /^refused/);
    }
  });

  it("without anything to cancel is refused after a bounded time, and never takes effect later", () => {
    const cluster = new Cluster(4);
    const cancelled = cluster.submit(0, cancellation("alice", 0));
    cluster.run(CANCELLATION_MS - 1);
    expect(cluster.statuses(cancelled)).toEqual(["pending"]);
    cluster.run(CANCELLATION_MS + 1_000);
    expect(cluster.statuses(cancelled).at(-1)).toMatch(/nothing_to_cancel$/);
    const paid = [0, 1].map((nonce) => cluster.submit(nonce, payment("alice", nonce, "bob", 100n)));
    cluster.run(5_000);
    cluster.submit(1, payment("alice", 1, "bob", 100n));
    cluster.run(8_000);
    expect(cluster.statuses(paid[0] as (typeof paid)[0])).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([798n]);
  });

  it("behind an earlier nonce waits for its turn while the payment that it cancels is queued", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, __, message) => message.type === "offer";
    const [paid, queued] = [0, 1].map((nonce) => cluster.submit(0, payment("alice", nonce, "bob", 100n)));
    const cancelled = cluster.submit(0, cancellation("alice", 1));
    const lone = cluster.submit(0, cancellation("alice", 2));
    cluster.run(2 * CANCELLATION_MS + 1_000);
    expect(cluster.statuses(cancelled)).toEqual(["pending"]);
    expect(cluster.statuses(lone).at(-1)).toMatch(/nothing_to_cancel$/);
    cluster.cut = () => false;
    cluster.run(20_000);
    expect(cluster.statuses(paid as typeof cancelled)).toEqual(BOTH);
    expect(cluster.statuses(queued as typeof cancelled)).toEqual(["pending", "superseded"]);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
    expect(cluster.reports).toEqual([]);
  });

  it("that came first finds the payment that comes within its time", () => {
    const cluster = new Cluster(4);
    const cancelled = cluster.submit(0, cancellation("alice", 0));
    cluster.run(CANCELLATION_MS / 2);
    cluster.cut = halved;
    cluster.submit(1, payment("alice", 0, "bob", 100n));
    cluster.run(15_000);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([998n]);
  });

  it("frees an account of two conflicting payments", () => {
    const cluster = new Cluster(4);
    cluster.cut = (from, to, message) => message.type === "offer" && from < 2 !== to < 2;
    const paid = [
      cluster.submit(0, payment("alice", 0, "bob", 100n)),
      cluster.submit(2, payment("alice", 0, "carol", 100n)),
    ];
    cluster.run(100);
    const cancelled = cluster.submit(1, cancellation("alice", 0));
    cluster.run(10_000);
    expect(cluster.statuses(cancelled)).toEqual(BOTH);
    for (const id of paid) expect(cluster.statuses(id)).toEqual(["pending", "superseded"]);
  });
});

it("a cancellation in a round change is disclosed, for any reason to leave round 0", () => {
  const state = new Cluster(4).node(0);
  const slot = accountSlot("alice");
  const at = 0 as Parameters<typeof addPending>[0]["at"];
  const context = { state, at, clock: at, from: state.environment.self, outputs: [], agenda: [] };
  const [paid, cancelled] = [payment("alice", 0, "bob", 10n), cancellation("alice", 0)];
  addPending(context, paid, { disclosed: true, isEntry: true });
  addPending(context, cancelled, { disclosed: false, isEntry: true });
  state.slots.records.set(slotKey(slot), { ...newSlot(slot, EPOCH), round: 2 as Round });
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(false);
  sendRoundChange(context, slot, state.environment.peers);
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(false);
  state.slots.reasons.set(slotKey(slot), [{ kind: "cancellation", cancellation: cancelled, displaced: paid }]);
  sendRoundChange(context, slot, state.environment.peers);
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(true);
});
