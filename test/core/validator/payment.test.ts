import { describe, expect, it } from "vitest";
import { Cluster } from "./support/cluster.ts";
import { cancellation, payment } from "./support/operations.ts";

describe("a payment", () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 10]) {
    // holds: 74
    it(`becomes final at every validator, N = ${n}`, () => {
      const cluster = new Cluster(n);
      cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.run(2000);
      expect(cluster.replies.map(({ reply }) => reply.status)).toEqual(["pending", "final"]);
      expect([cluster.balances("alice"), cluster.balances("bob")]).toEqual([[899n], [1_100n]]);
      expect(cluster.roots()).toHaveLength(1);
    });
  }

  it.each([true, false])(
    "that conflicts with another is freed, by a cancellation: %s, else by the proof alone",
    (isCancelled) => {
      const cluster = new Cluster(4);
      let isCut = true;
      cluster.cut = (from, to, message) => isCut && message.type === "offer" && from < 2 !== to < 2;
      cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.submit(2, payment("alice", 0, "carol", 100n));
      cluster.run(100);
      isCut = false;
      if (isCancelled) cluster.submit(1, cancellation("alice", 0));
      cluster.run(isCancelled ? 5_000 : 10_000);
      expect(cluster.balances("alice")).toEqual([998n]);
    },
  );
});
