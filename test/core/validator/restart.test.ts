import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import type { LockCertificate } from "../../../src/core/consensus/message.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { CANCELLATION_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import type { Output, SlotRecord } from "../../../src/core/validator/output.ts";
import { accountSlot, by, certificateOf, contentOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { burn, cancellation, pause, payment } from "./support/operations.ts";

const ALICE = accountSlot("alice");

/** Operations of several kinds, with a conflict. */
function busy(cluster: Cluster): void {
  cluster.cut = (from, to, message) => cluster.now < 300 && message.type === "offer" && from < 2 !== to < 2;
  cluster.submit(0, payment("alice", 0, "bob", 100n));
  cluster.submit(2, payment("alice", 0, "carol", 100n));
  cluster.submit(1, payment("bob", 0, "carol", 50n));
  cluster.submit(3, burn("burner", 0, "carol", 20n));
  cluster.submit(2, pause("issuer", 0, "Pause"));
}

function isProposal(output: Output): boolean {
  return output.type === "sign" && output.message.body.type === "proposal";
}

/** The proposer's own vote, by which its proposal has left. */
function isVoteOfRound1(output: Output): boolean {
  return output.type === "sign" && output.message.body.type === "vote" && output.message.body.round === 1;
}

describe("a restarted validator", () => {
  it("has applied again all that it had decided", () => {
    const cluster = new Cluster(4);
    for (const nonce of [0, 1, 2]) cluster.submit(0, payment("alice", nonce, "bob", 10n));
    cluster.run(2_000);
    const [root] = cluster.roots();
    cluster.restart(2);
    cluster.run(2_000);
    expect(cluster.roots()).toEqual([root]);
  });

  it("keeps its vote: it repeats the same one and no other", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to, message) => message.type === "offer" && to >= 2;
    cluster.submit(1, payment("alice", 0, "bob", 100n));
    cluster.run(50);
    cluster.restart(0);
    cluster.cut = () => false;
    cluster.submit(0, payment("alice", 0, "carol", 100n));
    cluster.run(20_000);
    expect(cluster.contradictions()).toEqual([]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("keeps a round that it has left, and votes in none below it", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to, message) => message.type === "offer" && to >= 2;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(50);
    cluster.cut = (_, to, message) =>
      (message.type === "offer" && to >= 2) || (message.type === "consensus" && message.body.type === "proposal");
    cluster.submit(0, cancellation("alice", 0));
    cluster.run(100);
    expect([...cluster.node(2).slots.records.values()].map((slot) => slot.round)).toEqual([1]);
    cluster.restart(2);
    cluster.cut = () => false;
    cluster.run(10_000);
    expect(cluster.balances("alice")).toEqual([998n]);
    expect(
      cluster.signatures.filter(
        (made) => made.type === "vote" && made.round === 0 && made.signer === cluster.address(2),
      ),
    ).toEqual([]);
  });

  it.each([
    ["before it is signed", false],
    ["after it was sent", true],
  ])(
    "that proposed for a round and crashed %s sends the same proposal again, in time for that round",
    (_when, sent) => {
      const cluster = new Cluster(4);
      const crashes: SlotRecord["proposed"][] = [];
      cluster.cut = (from, to, message) => message.type === "offer" && from < 2 !== to < 2;
      cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.submit(2, payment("alice", 0, "carol", 100n));
      cluster.crash = (node, output) => {
        if (crashes.length > 0 || (sent ? !isVoteOfRound1(output) : !isProposal(output))) return false;
        const [record] = [...(cluster.disks[node]?.values() ?? [])];
        crashes.push(record?.of === "slot" ? record.proposed : undefined);
        return true;
      };
      cluster.run(50);
      cluster.submit(0, cancellation("alice", 0));
      cluster.run(100);
      const [node] = [...cluster.down];
      const [proposed] = crashes;
      expect(proposed?.round).toBe(1);
      cluster.restart(node as number);
      cluster.run(10_000);
      const made = cluster.signatures.filter((one) => one.type === "proposal");
      expect(made.length).toBeGreaterThan(sent ? 1 : 0);
      for (const { round, value, justification } of made) expect({ round, value, justification }).toEqual(proposed);
      expect([...cluster.node(0).slots.records.values()].map(({ decided }) => decided?.round)).toEqual([1]);
      expect(cluster.balances("alice")).toEqual([998n]);
    },
  );

  it("has the contents of all that it had locked or decided, also where they came later than the certificates", () => {
    const cluster = new Cluster(4);
    const content = contentOf(payment("alice", 0, "bob", 100n));
    const value = valueHash(content.value);
    const contents = (node: number): readonly Content[] => {
      const record = cluster.disks[node]?.get(slotKey(ALICE));
      return record?.of === "slot" ? record.contents : [];
    };
    const lock = certificateOf("lock", ALICE, value) as LockCertificate;
    // A lock without seals is none, and brings the content of its value.
    const body = { ...lock, seals: [] };
    const show = (node: number): void => {
      cluster.inject(1, node, { type: "consensus", body, contents: [content], reason: undefined });
      cluster.run(cluster.now + 1);
    };
    // Decided without a vote of this validator; the content comes first or last.
    const certificate = certificateOf("finality", ALICE, value);
    const decision: PeerMessage = { type: "consensus", body: certificate, contents: [], reason: undefined };
    show(0);
    for (const node of [0, 2]) cluster.inject(1, node, decision);
    show(2);
    // A lock of round 0, which others carry to a round above its own.
    show(3);
    for (const name of ["v1", "v2"]) {
      const body = by(name, { type: "roundChange", epoch: EPOCH, slot: ALICE, round: 2 as Round, lock });
      cluster.inject(1, 3, { type: "consensus", body, contents: [], reason: undefined });
    }
    cluster.run(cluster.now + 1);
    expect(cluster.node(3).slots.records.get(slotKey(ALICE))).toMatchObject({ round: 2, votes: [], commits: [] });
    expect([0, 2, 3].map(contents)).toEqual([[content], [content], [content]]);
  });

  it("still discloses why it left round 0, also after its cancellation's timer", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.submit(0, cancellation("alice", 0));
    cluster.run(2 * CANCELLATION_MS);
    const visible = (): unknown =>
      cluster
        .node(0)
        .slots.reasons.get(slotKey(ALICE))
        ?.map(({ kind }) => kind);
    expect(visible()).toEqual(["cancellation"]);
    cluster.restart(0);
    cluster.run(3 * CANCELLATION_MS);
    expect(visible()).toEqual(["cancellation"]);
  });

  it("that restarts alone, all of them together, or again and again decides all the same", () => {
    for (const voters of [[1], [0, 1, 2, 3], [0, 0, 0]]) {
      const cluster = new Cluster(4);
      busy(cluster);
      for (const node of voters) {
        cluster.run(cluster.now + 13);
        cluster.restart(node);
      }
      cluster.run(60_000);
      expect(cluster.roots()).toHaveLength(1);
      expect(cluster.contradictions()).toEqual([]);
    }
  });
});

describe("crashes between any two outputs", () => {
  const plan = fc.record({
    /** Number of outputs after which each node crashes, and its downtime. */
    crashes: fc.array(fc.record({ after: fc.nat(120), downMs: fc.nat(800) }), { minLength: 1, maxLength: 6 }),
  });

  it("never lead to two different votes, commits or proposals, and all agree in the end", () => {
    const property = fc.property(plan, ({ crashes }) => {
      const cluster = new Cluster(4);
      busy(cluster);
      const left = [...crashes];
      const backAt = new Map<number, number>();
      let outputs = 0;
      cluster.crash = (node) => {
        const [next] = left;
        if (next === undefined || ++outputs <= next.after || backAt.has(node)) return false;
        left.shift();
        outputs = 0;
        backAt.set(node, cluster.now + next.downMs + 1);
        return true;
      };
      for (let now = 0; now <= 3_000; now += 50) {
        cluster.run(now);
        for (const [node, at] of backAt)
          if (at <= now) {
            cluster.restart(node);
            backAt.delete(node);
          }
      }
      cluster.crash = () => false;
      for (const node of [...cluster.down]) cluster.restart(node);
      cluster.run(60_000);
      expect(cluster.contradictions()).toEqual([]);
      expect(cluster.roots()).toHaveLength(1);
    });
    fc.assert(property, { numRuns: 60 });
  });
});
