/**
 * Statements about the closing of another epoch than their own: dropped and reported in every message (protocol 3.4).
 */
import { describe, expect, it } from "vitest";
import type { Epoch, Round } from "../../../src/core/base/ids.ts";
import { type EpochSlot, slotKey } from "../../../src/core/base/slot.ts";
import type { ConsensusMessage } from "../../../src/core/consensus/message.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { FETCH_MS } from "../../../src/core/validator/limits.ts";
import { by, certificateOf, contentOf, decisionOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";

const PAID = contentOf(payment("alice", 0, "bob", 10n));
const VALUE = valueHash(PAID.value);
const FAR: EpochSlot = { kind: "epoch", epoch: 15 as Epoch };
const place = { epoch: EPOCH, slot: FAR, round: 1 as Round };

const BODIES: readonly (readonly [string, ConsensusMessage])[] = [
  ["a round change", by("v2", { type: "roundChange", ...place, lock: undefined })],
  ["a vote", by("v2", { type: "vote", ...place, value: VALUE })],
  ["a commit", by("v2", { type: "commit", ...place, value: VALUE })],
  ["a proposal", by("v2", { type: "proposal", ...place, value: VALUE, justification: [] })],
  ["a close", by("v2", { type: "close", ...place, round: 0 as Round, claims: [] })],
  ["a lock certificate", certificateOf("lock", FAR, VALUE)],
  ["a finality certificate", certificateOf("finality", FAR, VALUE)],
];

describe("a statement about the closing of another epoch", () => {
  it.each(BODIES)("is dropped: %s", (_, body) => {
    const cluster = new Cluster(4);
    cluster.inject(1, 0, { type: "consensus", body, contents: [PAID], reason: undefined });
    cluster.run(10);
    expect(cluster.node(0).slots.records.size).toBe(0);
    expect(cluster.node(0).slots.contents.size).toBe(0);
    expect(cluster.reports).toMatchObject([
      { peer: cluster.address(1), misbehaviour: "wrong epoch", slot: slotKey(FAR) },
    ]);
    expect(cluster.signatures).toEqual([]);
  });

  it("decides nothing inside a received decision", () => {
    const cluster = new Cluster(4);
    const certificate = decisionOf(payment("alice", 0, "bob", 10n), FAR);
    cluster.inject(1, 0, { type: "decisions", decided: [{ certificate, content: PAID }], contents: [] });
    cluster.run(10);
    expect(cluster.node(0).slots.records.get(slotKey(FAR))?.decided).toBeUndefined();
  });

  it("moves no member, though f + 1 members name it", () => {
    const cluster = new Cluster(4);
    for (const [at, name] of ["v2", "v3"].entries()) {
      const body = by(name, { type: "roundChange", ...place, lock: undefined });
      cluster.inject(at + 1, 0, { type: "consensus", body, contents: [], reason: undefined });
    }
    cluster.run(10);
    expect(cluster.signatures).toEqual([]);
  });
});

describe("a slot far ahead", () => {
  it("causes requests for its predecessors at a bounded rate", () => {
    const cluster = new Cluster(4);
    const slot = { kind: "checkpoint" as const, number: (2 ** 50) as never };
    for (let round = 1; round <= 50; round++) {
      const body = by("v2", { type: "roundChange", epoch: EPOCH, slot, round: round as Round, lock: undefined });
      cluster.inject(1, 0, { type: "consensus", body, contents: [], reason: undefined });
    }
    cluster.run(FETCH_MS - 1);
    expect(cluster.messages.filter(({ type }) => type === "fetch")).toHaveLength(1);
  });
});
