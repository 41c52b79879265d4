/** One signed digest that a Byzantine relay reads as another kind than its owner (v1 signatures have no domain). */
import { describe, expect, it } from "vitest";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, idOf, mint, payment } from "./support/operations.ts";

const BYZANTINE = 3;
const BOTH = ["pending", "final"];

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
