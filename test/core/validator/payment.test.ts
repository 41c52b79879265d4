import { describe, expect, it } from "vitest";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { balanceOf } from "../../../src/core/ledger/state.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, payment, USD } from "./support/operations.ts";

describe("a payment", () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 10]) {
    // holds: 74
    it(`becomes final at every validator, N = ${n}`, () => {
      const cluster = new Cluster(n);
      cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.run(2000);
      expect(cluster.replies.map(({ reply }) => reply.status)).toEqual(["pending", "final"]);
      for (const node of cluster.nodes) {
        expect(balanceOf(node.ledger, addressOf("alice"), USD)).toBe(899n);
        expect(balanceOf(node.ledger, addressOf("bob"), USD)).toBe(1100n);
      }
      expect(new Set(cluster.nodes.map((node) => stateRoot(node.ledger))).size).toBe(1);
    });
  }

  it("that conflicts with another is freed by a cancellation", () => {
    const cluster = new Cluster(4);
    const isX = { v: true };
    cluster.cut = (from, to, message) => isX.v && message.type === "offer" && from < 2 !== to < 2;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.submit(2, payment("alice", 0, "carol", 100n));
    cluster.run(100);
    isX.v = false;
    cluster.submit(1, cancellation("alice", 0));
    cluster.run(5000);
    for (const node of cluster.nodes) expect(balanceOf(node.ledger, addressOf("alice"), USD)).toBe(998n);
  });

  it("that conflicts with another is freed by the proof alone", () => {
    const cluster = new Cluster(4);
    const isX = { v: true };
    cluster.cut = (from, to, message) => isX.v && message.type === "offer" && from < 2 !== to < 2;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.submit(2, payment("alice", 0, "carol", 100n));
    cluster.run(100);
    isX.v = false;
    cluster.run(10000);
    for (const node of cluster.nodes) expect(balanceOf(node.ledger, addressOf("alice"), USD)).toBe(998n);
  });
});
