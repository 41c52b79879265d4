import { describe, expect, it } from "vitest";
import { CANCELLATION_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, payment } from "./support/operations.ts";

const BOTH = ["pending", "final"];

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
