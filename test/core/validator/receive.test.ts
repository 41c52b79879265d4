/** Slots beyond the bound of open ones: only proof that a slot is active opens it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Epoch, Round } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type AccountSlot, slotKey } from "../../../src/core/base/slot.ts";
import type { StatementContent } from "../../../src/core/consensus/message.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { OPEN_SLOTS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, Reason } from "../../../src/core/validator/message.ts";
import { forkValidator } from "../../../src/core/validator/state.ts";
import { accountSlot, by, certificateOf, contentOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, payment } from "./support/operations.ts";

const BYZANTINE = 0;
/** Its records are full. */
const FULL = 1;

function carried(body: StatementContent, reason?: Reason): PeerMessage {
  return { type: "consensus", body: by("v1", body), contents: [], reason } as PeerMessage;
}

function roundChange(slot: AccountSlot): StatementContent {
  return { type: "roundChange", epoch: 0 as Epoch, slot, round: 1 as Round, lock: undefined };
}

function cancelling(first: SignedOperation, displaced: SignedOperation): Reason {
  return { kind: "cancellation", cancellation: first, displaced, votes: [] };
}

describe(`a validator with ${OPEN_SLOTS} unneeded open slots`, () => {
  let full: Cluster;

  beforeAll(() => {
    full = new Cluster(4);
    for (let sequence = 5; sequence < OPEN_SLOTS + 5; sequence++) {
      full.inject(BYZANTINE, FULL, carried(roundChange(accountSlot("v1", sequence))));
      full.run(full.now);
    }
  });

  function again(): Cluster {
    const cluster = new Cluster(4);
    cluster.nodes[FULL] = forkValidator(full.node(FULL));
    expect(cluster.node(FULL).slots.records.size).toBe(OPEN_SLOTS);
    return cluster;
  }

  it("changes round for a valid reason, in a slot without any offer", () => {
    const cluster = again();
    cluster.stop(BYZANTINE);
    cluster.cut = (_, to, message) => message.type === "offer" && to === FULL;
    const ids = [
      cluster.submit(2, payment("alice", 0, "bob", 10n)),
      cluster.submit(3, payment("alice", 0, "carol", 10n)),
      cluster.submit(3, cancellation("alice", 0)),
    ];
    cluster.run(10_000);
    expect(ids.map((id) => cluster.replyTo(id)?.status)).toEqual(["superseded", "superseded", "final"]);
  });

  it("commits on a lock certificate in such a slot, though the Byzantine validator only votes", () => {
    const cluster = again();
    cluster.cut = (from, to, message) =>
      (message.type === "offer" && to === FULL) ||
      (from === BYZANTINE && !(message.type === "consensus" && message.body.type === "vote"));
    const paid = cluster.submit(2, payment("bob", 0, "carol", 10n));
    cluster.run(5_000);
    expect(cluster.replyTo(paid)?.status).toBe("final");
  });

  it("opens no slot for what proves nothing", () => {
    const cluster = again();
    const [mine, yours] = [payment("alice", 0, "bob", 1n), payment("alice", 0, "carol", 1n)];
    const slot = accountSlot("alice");
    const { value } = contentOf(mine);
    const forged = { ...cancellation("alice", 0), signature: cancellation("carol", 0).signature };
    const lock = certificateOf("lock", slot, valueHash(value));
    const messages: readonly PeerMessage[] = [
      carried(roundChange(slot)),
      carried(roundChange(slot), cancelling(forged, mine)),
      carried(roundChange(slot), cancelling(cancellation("carol", 0), mine)),
      carried(roundChange(slot), { kind: "equivocation", proof: { first: mine, second: mine }, votes: [] }),
      carried(roundChange(accountSlot("alice", 1)), cancelling(cancellation("alice", 0), mine)),
      carried(roundChange(accountSlot("poor")), cancelling(cancellation("poor", 0), payment("poor", 0, "bob", 1n))),
      carried({ type: "proposal", epoch: EPOCH, slot, round: 1 as Round, value: valueHash(value), justification: [] }),
      {
        type: "consensus",
        body: { ...lock, seals: lock.seals.slice(1) },
        contents: [],
        reason: undefined,
      } as PeerMessage,
    ];
    for (const message of messages) cluster.inject(BYZANTINE, FULL, message);
    cluster.run(cluster.now);
    expect(cluster.node(FULL).slots.records.size).toBe(OPEN_SLOTS);
    const proof: Reason = { kind: "equivocation", proof: { first: mine, second: yours }, votes: [] };
    cluster.inject(BYZANTINE, FULL, carried(roundChange(slot), proof));
    cluster.run(cluster.now);
    expect(cluster.node(FULL).slots.records.has(slotKey(slot))).toBe(true);
  });
});
