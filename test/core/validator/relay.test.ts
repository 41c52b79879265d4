import { describe, expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import type { Slot } from "../../../src/core/base/slot.ts";
import { SYNC_IDLE_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, by, certificateOf, contentOf, decisionOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, payment } from "./support/operations.ts";
import { envelope, Single, signed } from "./support/single.ts";

const BOTH = ["pending", "final"];

/** Returns true if a message carries a statement of this type. */
function carries(message: PeerMessage, type: string): boolean {
  return message.type === "consensus" && message.body.type === type;
}

describe("when a relay crashes", () => {
  for (const [title, stops] of [
    ["before the lock is spread", "lock"],
    ["before the finality certificate is spread", "finality"],
  ] as const) {
    it(`${title}, another one takes over`, () => {
      const cluster = new Cluster(4);
      cluster.crash = (node, output) => node === 0 && output.type === "send" && carries(output.message, stops);
      cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.run(5_000);
      expect(cluster.down.has(0)).toBe(true);
      expect(cluster.balances("alice")).toEqual([899n]);
      expect(cluster.coverage.get("relay taken over")).toBeGreaterThan(0);
      expect(cluster.contradictions()).toEqual([]);
    });
  }

  it("with the only vote, its client finds the account free elsewhere", () => {
    const cluster = new Cluster(4);
    const one = payment("alice", 0, "bob", 100n);
    cluster.crash = (node, output) => node === 0 && output.type === "send" && output.message.type === "offer";
    const id = cluster.submit(0, one);
    cluster.run(1_000);
    cluster.submit(1, one);
    cluster.run(3_000);
    expect(cluster.statuses(id)).toEqual(["pending", ...BOTH]);
  });
});

describe("lost messages are requested again", () => {
  for (const lost of ["vote", "lock", "commit", "finality"]) {
    it(`where it is every ${lost} of the first second`, () => {
      const cluster = new Cluster(4);
      cluster.cut = (_, __, message) => cluster.now < 1_000 && carries(message, lost);
      const id = cluster.submit(0, payment("alice", 0, "bob", 100n));
      cluster.run(40_000);
      expect(cluster.statuses(id)).toEqual(BOTH);
      expect(cluster.balances("alice")).toEqual([899n]);
      expect(cluster.contradictions()).toEqual([]);
      expect(cluster.reports).toEqual([]);
    });
  }

  it("where it is every offer", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, __, message) => cluster.now < 1_000 && message.type === "offer";
    const id = cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(10_000);
    expect(cluster.statuses(id)).toEqual(BOTH);
  });

  it("where it is every round change and proposal", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to, message) =>
      (message.type === "offer" && to >= 2) ||
      (cluster.now < 2_000 && (carries(message, "roundChange") || carries(message, "proposal")));
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(100);
    const id = cluster.submit(0, cancellation("alice", 0));
    cluster.run(60_000);
    expect(cluster.statuses(id)).toEqual(BOTH);
    expect(cluster.contradictions()).toEqual([]);
  });
});

describe("a validator that missed the finality certificate", () => {
  it("finds it by exchanging status with its peers, without any request to it", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to) => cluster.now < 500 && to === 3;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(2 * SYNC_IDLE_MS);
    expect(cluster.balances("alice")).toEqual([899n]);
    expect(cluster.coverage.get("applied slots requested")).toBeGreaterThan(0);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("gets it from a holder as soon as it offers in the slot", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to) => cluster.now < 500 && to === 3;
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(600);
    const other = cluster.submit(3, payment("alice", 0, "carol", 50n));
    cluster.run(2_000);
    expect(cluster.statuses(other)).toEqual(["pending", "superseded"]);
    expect(cluster.balances("alice")).toEqual([899n]);
  });

  it("fetches a whole gap after a message of a later slot of the account", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to) => cluster.now < 900 && to === 3;
    for (let nonce = 0; nonce < 5; nonce++) cluster.submit(0, payment("alice", nonce, "bob", 10n));
    cluster.run(950);
    cluster.submit(0, payment("alice", 5, "bob", 10n));
    cluster.run(1_400);
    expect(cluster.coverage.get("gap fetched")).toBeGreaterThan(0);
    expect(cluster.balances("alice")).toEqual([934n]);
  });
});

describe("a validator that lacks credits", () => {
  const alice = payment("alice", 0, "bob", 1n).sender;
  const ofAlice = (slot: Slot): boolean => slot.kind === "account" && slot.address === alice;

  /** Validator 3 receives nothing about alice's payment to bob, but everything about bob's spending of it. */
  function misses(_: number, to: number, message: PeerMessage): boolean {
    if (to !== 3) return false;
    if (message.type === "consensus") return ofAlice(message.body.slot);
    return message.type !== "offer" || ofAlice(message.slot);
  }

  function spendTheUnknown(cluster: Cluster): void {
    cluster.cut = misses;
    cluster.submit(0, payment("alice", 0, "bob", 500n));
    cluster.run(cluster.now + 100);
    const spent = cluster.submit(1, payment("bob", 0, "carol", 1_400n));
    cluster.run(cluster.now + 800);
    expect(cluster.statuses(spent)).toEqual(BOTH);
    expect(cluster.coverage.get("decision waited for funds")).toBeGreaterThan(0);
    expect(cluster.balances("bob")).toEqual([99n, 1_000n]);
    cluster.cut = () => false;
    cluster.run(cluster.now + 10_000);
    expect(cluster.balances("bob")).toEqual([99n]);
    expect(cluster.roots()).toHaveLength(1);
  }

  it("waits with a decision until they come, and never has a balance below zero", () => {
    const cluster = new Cluster(4);
    cluster.submit(2, payment("carol", 0, "dave", 1n));
    cluster.run(100);
    spendTheUnknown(cluster);
  });

  it("waits so even where it has applied nothing before", () => spendTheUnknown(new Cluster(4)));
});

describe("honest validators", () => {
  // protocol 7.11: no honest validator is ever reported. A round change is fixed when its signer leaves for the round.
  it("do not report a validator that learned of a lock after leaving for a round", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, __, message) => cluster.now < 3_000 && (carries(message, "lock") || carries(message, "proposal"));
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(100);
    cluster.submit(1, cancellation("alice", 0));
    cluster.run(20_000);
    expect(cluster.balances("alice")).toEqual([899n]);
    expect(cluster.coverage.get("lock carried")).toBeGreaterThan(0);
    expect(cluster.reports).toEqual([]);
  });

  it("are the same for a round after a restart as before it", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, __, message) => cluster.now < 3_000 && (carries(message, "lock") || carries(message, "proposal"));
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    cluster.run(100);
    cluster.submit(1, cancellation("alice", 0));
    for (const node of [1, 2, 3, 0]) {
      cluster.run(cluster.now + 200);
      cluster.restart(node);
    }
    cluster.run(30_000);
    expect(cluster.balances("alice")).toEqual([899n]);
    expect(cluster.reports).toEqual([]);
    expect(cluster.contradictions()).toEqual([]);
  });
});

it("an offer of a slot that is decided without its content here brings no second round change", () => {
  const [slot, paid] = [accountSlot("alice"), payment("alice", 0, "bob", 1n)];
  const decision = decisionOf(paid, slot);
  const one = new Single(new Cluster(4).node(2));
  const change = { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined } as const;
  const first = [
    envelope(certificateOf("lock", slot, decision.value)),
    ...["v1", "v2"].map((name) => envelope(by(name, change))),
  ].flatMap((message) => signed(one.take(message), "roundChange"));
  expect(first).toMatchObject([{ round: 1, lock: { round: 0, value: decision.value } }]);
  one.take(envelope(decision));
  const second = one.take({ type: "offer", slot, content: contentOf(paid) }, "v4");
  expect(signed(second, "roundChange")).toEqual([]);
  expect(one.state.sync.applied).toBe(1);
});
