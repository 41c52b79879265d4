import { describe, expect, it } from "vitest";
import { barringRefusal } from "../../../src/core/validator/submit.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, pause, payment } from "./support/operations.ts";

/** Alice's payment has the votes of two of four, and a pause is final before the others see it. */
function overtaken(): { readonly cluster: Cluster; readonly paid: ReturnType<Cluster["submit"]> } {
  const cluster = new Cluster(4);
  cluster.cut = (_, to, message) =>
    cluster.now < 1_500 &&
    to >= 2 &&
    message.type === "offer" &&
    message.slot.kind === "account" &&
    message.slot.address === addressOf("alice");
  const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
  cluster.submit(1, pause("issuer", 0, "Pause"));
  return { cluster, paid };
}

describe("a payment that a pause overtakes between two votes", () => {
  it("stays pending, and its client is notified of the restriction that bars it", () => {
    const { cluster, paid } = overtaken();
    cluster.run(10_000);
    expect(cluster.statuses(paid).slice(0, 2)).toEqual(["pending", "barred: business_token_paused"]);
    expect(new Set(cluster.statuses(paid).slice(1))).toEqual(new Set(["barred: business_token_paused"]));
    expect(cluster.coverage.get("barred while pending")).toBeGreaterThan(0);
  });

  it("is barred at every validator where the client resubmits it", () => {
    const { cluster, paid } = overtaken();
    cluster.run(4_000);
    const before = cluster.statuses(paid).length;
    cluster.submit(3, payment("alice", 0, "bob", 100n));
    cluster.run(4_010);
    expect(cluster.statuses(paid).slice(before)).toEqual(["pending", "barred: business_token_paused"]);
  });

  it("yields to the owner's cancellation, and the account continues", () => {
    const { cluster, paid } = overtaken();
    cluster.run(5_000);
    const cancelled = cluster.submit(0, cancellation("alice", 0));
    cluster.run(9_000);
    expect(cluster.statuses(cancelled)).toEqual(["pending", "final"]);
    expect(cluster.statuses(paid).at(-1)).toBe("superseded");
  });

  it("is decided, without a notice of a bar, if it was locked before", () => {
    const cluster = new Cluster(4);
    const paid = cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(30);
    cluster.submit(1, pause("issuer", 0, "Pause"));
    cluster.run(9_000);
    expect(cluster.statuses(paid)).toEqual(["pending", "final"]);
    expect(cluster.coverage.get("barred while pending")).toBeUndefined();
  });
});

it("an operation whose nonce is used up, and that waits for its token's slot, is barred by nothing", () => {
  const cluster = new Cluster(4);
  cluster.cut = (_, __, message) => message.type === "consensus" && message.body.slot.kind === "token";
  const paused = pause("issuer", 0, "Pause");
  const id = cluster.submit(0, paused);
  cluster.run(200);
  const { ledger, mempool } = cluster.node(0);
  expect([ledger.authorised.size, mempool.pending.get(id)?.disclosed]).toEqual([1, true]);
  expect(barringRefusal(cluster.node(0), paused)).toBeUndefined();
});
