import { describe, expect, it } from "vitest";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { CHECKPOINTS_KEPT, EVIDENCE_MS } from "../../../src/core/validator/limits.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, cancellation, payment, recovery } from "./support/operations.ts";

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

  it("works where neither payment was ever relayed, so the owner pays for the proof", () => {
    const cluster = new Cluster(4);
    const recovered = cluster.submit(0, recovery(X, Y));
    cluster.run(10_000);
    expect(cluster.statuses(recovered)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([998n]);
  });

  it("outlives a burn that its entry validator takes over with a state", () => {
    const policy = { intervalMs: 3_600_000, slots: 2, limit: 100, periodSeconds: 0, empty: false };
    const cluster = new Cluster(4, 5, rules, policy);
    cluster.begin();
    cluster.run(1);
    cluster.cut = (from, to) => from === 0 || to === 0;
    const recovered = cluster.submit(0, recovery(X, Y));
    cluster.submit(1, burn("burner", 0, "alice", 10n));
    cluster.run(1_000);
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
