/** Restarts from durable records, and halts (protocol 11.2). */

import { describe, expect, it } from "vitest";
import type { CheckpointNumber, Millis } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import type { LockCertificate } from "../../../src/core/consensus/message.ts";
import { genesisCheckpoint } from "../../../src/core/ledger/checkpoint.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { CANCELLATION_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { step } from "../../../src/core/validator/step.ts";
import { halt } from "../../../src/core/validator/step-context.ts";
import { accountSlot, certificateOf, changeBy, contentOf, envelope } from "./support/certificates.ts";
import { CLOSING, checkpointSlot, decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, idOf, payment } from "./support/operations.ts";
import { contextOf } from "./support/single.ts";

const ALICE = accountSlot("alice");

describe("a restarted validator", () => {
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
      cluster.inject(1, node, envelope(body, [content]));
      cluster.run(cluster.now + 1);
    };
    // Decided without a vote of this validator; the content comes first or last.
    const certificate = certificateOf("finality", ALICE, value);
    const decision: PeerMessage = envelope(certificate);
    show(0);
    for (const node of [0, 2]) cluster.inject(1, node, decision);
    show(2);
    // A lock of round 0, which others carry to a round above its own.
    show(3);
    for (const name of ["v1", "v2"]) cluster.inject(1, 3, envelope(changeBy(name, ALICE, 2, lock)));
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
});

const PAID = payment("alice", 0, "bob", 10n);
const GENESIS: Content = {
  value: genesisCheckpoint(new Cluster(4).node(0).ledger),
  operations: [],
  certificates: [],
};
const BOB = accountSlot("bob");

/** Slot, content that a Byzantine quorum certifies there, and the reason of the halt. */
const IMPOSSIBLE: readonly (readonly [string, Slot, Content, string])[] = [
  ["another account's operation", BOB, contentOf(PAID), `operation ${idOf(PAID)} is of ${PAID.sender}`],
  ["a checkpoint in an account's slot", ALICE, GENESIS, "it decides a checkpoint"],
  ["an operation as a checkpoint", checkpointSlot(1), contentOf(PAID), "it decides a operation"],
  ["an operation as a closing", CLOSING, contentOf(PAID), "it decides a operation"],
];

/** Decisions of the first checkpoint for values that a quorum of Byzantine validators may certify there. */
const MISPLACED = [
  ["the value of another slot", {}, `${slotKey(checkpointSlot(1))} decides the value of ${slotKey(checkpointSlot(0))}`],
  ["a checkpoint without its parent", { number: 1 as CheckpointNumber }, "chain link 1 does not follow chain link 0"],
] as const;

describe("a decision that contradicts the ledger", () => {
  it.each(IMPOSSIBLE)("halts at %s, for good", (_, slot, content, reason) => {
    const cluster = new Cluster(4);
    cluster.inject(1, 0, decisionOn(slot, content));
    cluster.run(10);
    expect(cluster.halts).toEqual([reason]);
    const before = cluster.recorded[0]?.length ?? 0;
    cluster.submit(0, PAID);
    cluster.run(5_000);
    const after = cluster.recorded[0]?.slice(before) ?? [];
    expect(after.length).toBeGreaterThan(0);
    expect(after.flatMap(({ outputs }) => outputs)).toEqual([]);
    cluster.restart(0);
    cluster.run(5_010);
    expect(cluster.halts).toHaveLength(2);
  });

  it.each(MISPLACED)("halts at %s as the first checkpoint, and its chain stays", (_, changed, reason) => {
    const cluster = new Cluster(4);
    const genesis = genesisCheckpoint(cluster.node(0).ledger);
    const value = { ...genesis, header: { ...genesis.header, ...changed } };
    cluster.inject(1, 0, decisionOn(checkpointSlot(1), { value, operations: [], certificates: [] }));
    cluster.run(10);
    expect(cluster.halts).toEqual([reason]);
    expect(cluster.node(0).checkpoints.last.header.number).toBe(0);
  });

  it("leaves nothing after it in the same step but what came before", () => {
    const cluster = new Cluster(4);
    const message = decisionOn(BOB, contentOf(PAID));
    const from = cluster.address(1);
    const outputs: readonly Output[] = step(cluster.node(0), { type: "message", at: 0 as Millis, from, message });
    expect(outputs.at(-1)?.type).toBe("event");
    expect(outputs.some(({ type }) => type === "sign")).toBe(false);
    expect(cluster.node(0).halted).toMatchObject({ slot: expect.stringContaining("account/") });
  });

  it("is reported once, also where a second contradiction comes at the same time", () => {
    const state = new Cluster(4).node(0);
    const context = contextOf(state);
    halt(context, ALICE, "one reason");
    halt(context, BOB, "another one");
    expect(context.outputs.map((output) => (output.type === "event" ? output.event : output.type))).toEqual([
      "coverage",
      { type: "halted", slot: ALICE, reason: "one reason" },
    ]);
    expect(state.halted).toEqual({ slot: slotKey(ALICE), reason: "one reason" });
  });

  it("is no contradiction if the funds are on their way", () => {
    const cluster = new Cluster(4);
    cluster.inject(1, 0, decisionOn(ALICE, contentOf(payment("alice", 0, "bob", 10n ** 30n))));
    cluster.run(10);
    expect(cluster.halts).toEqual([]);
  });
});
