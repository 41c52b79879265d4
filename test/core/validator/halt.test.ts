/** Halting: a decision that contradicts a validator's own ledger stops it, and it reports that once. */
import { describe, expect, it } from "vitest";
import type { CheckpointNumber, Hash, Millis, Version } from "../../../src/core/base/ids.ts";
import type { Slot, Value } from "../../../src/core/base/slot.ts";
import { genesisCheckpoint } from "../../../src/core/ledger/checkpoint.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { step } from "../../../src/core/validator/step.ts";
import { accountSlot, certificateOf, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, idOf, payment, USD } from "./support/operations.ts";

const PAID = payment("alice", 0, "bob", 10n);
const LATER = payment("alice", 1, "bob", 10n);
const CANCELLED = cancellation("alice", 1);
const SKIP: Value = {
  type: "skip",
  by: "cancellation",
  id: idOf(CANCELLED),
  feeToken: undefined,
  feeStep: "full",
};
const EMPTY: Value = { type: "list", ids: [] };

function decision(slot: Slot, content: Content): PeerMessage {
  const certificate = certificateOf("finality", slot, valueHash(content.value) as Hash);
  return { type: "decisions", decided: [{ certificate: certificate as never, content }], contents: [] };
}

const IMPOSSIBLE: readonly (readonly [string, PeerMessage])[] = [
  ["another account's operation", decision(accountSlot("bob"), contentOf(PAID))],
  ["a nonce after the next", decision(accountSlot("alice"), contentOf(LATER))],
  ["a cancellation as an operation", decision(accountSlot("alice"), contentOf(cancellation("alice", 0)))],
  [
    "a skip of another nonce",
    decision(accountSlot("alice"), { value: SKIP, operations: [CANCELLED, LATER], certificates: [] }),
  ],
  ["a list in an account's slot", decision(accountSlot("alice"), { value: EMPTY, operations: [], certificates: [] })],
  [
    "a list of a token that does not exist",
    decision(
      { kind: "token", token: accountSlot("alice").address, version: 0 as Version },
      { value: EMPTY, operations: [], certificates: [] },
    ),
  ],
  ["an operation in a token's slot", decision({ kind: "token", token: USD, version: 0 as Version }, contentOf(PAID))],
  ["an operation as a checkpoint", decision({ kind: "checkpoint", number: 1 as never }, contentOf(PAID))],
  ["an operation as a closing", decision({ kind: "epoch", epoch: 0 as never }, contentOf(PAID))],
];

/** Decisions of the first checkpoint for values that a quorum of Byzantine validators may certify there. */
const MISPLACED = [
  ["the value of another slot", {}],
  ["a checkpoint without its parent", { number: 1 as CheckpointNumber }],
] as const;

function halts(cluster: Cluster): readonly string[] {
  return cluster.events.flatMap(({ event }) => (event.type === "halted" ? [event.reason] : []));
}

describe("a decision that contradicts the ledger", () => {
  it.each(IMPOSSIBLE)("halts at %s, for good", (_, message) => {
    const cluster = new Cluster(4);
    cluster.inject(1, 0, message);
    cluster.run(10);
    expect(halts(cluster)).toHaveLength(1);
    const before = cluster.recorded[0]?.length ?? 0;
    cluster.submit(0, PAID);
    cluster.run(5_000);
    const after = cluster.recorded[0]?.slice(before) ?? [];
    expect(after.length).toBeGreaterThan(0);
    expect(after.flatMap(({ outputs }) => outputs)).toEqual([]);
    cluster.restart(0);
    cluster.run(5_010);
    expect(halts(cluster)).toHaveLength(2);
  });

  it.each(MISPLACED)("halts at %s as the first checkpoint, and its chain stays", (_, changed) => {
    const cluster = new Cluster(4);
    const genesis = genesisCheckpoint(cluster.node(0).ledger);
    const value = { ...genesis, header: { ...genesis.header, ...changed } };
    const slot: Slot = { kind: "checkpoint", number: 1 as CheckpointNumber };
    cluster.inject(1, 0, decision(slot, { value, operations: [], certificates: [] }));
    cluster.run(10);
    expect(halts(cluster)).toHaveLength(1);
    expect(cluster.node(0).checkpoints.last.header.number).toBe(0);
  });

  it("leaves nothing after it in the same step but what came before", () => {
    const cluster = new Cluster(4);
    const [, message] = IMPOSSIBLE[0] as (typeof IMPOSSIBLE)[0];
    const from = cluster.address(1);
    const outputs: readonly Output[] = step(cluster.node(0), { type: "message", at: 0 as Millis, from, message });
    expect(outputs.at(-1)?.type).toBe("event");
    expect(outputs.some(({ type }) => type === "sign")).toBe(false);
    expect(cluster.node(0).halted).toMatchObject({ slot: expect.stringContaining("account/") });
  });

  it("is no contradiction if the funds are on their way", () => {
    const cluster = new Cluster(4);
    cluster.inject(1, 0, decision(accountSlot("alice"), contentOf(payment("alice", 0, "bob", 10n ** 30n))));
    cluster.run(10);
    expect(halts(cluster)).toEqual([]);
  });
});
