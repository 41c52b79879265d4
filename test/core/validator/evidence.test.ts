/** Equivocation proofs that a validator keeps: true ones of the next nonce, whatever peers show (protocol 3.0, 3.2 b). */
import { expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import type { EquivocationProof } from "../../../src/core/base/operation.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, by, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, payment } from "./support/operations.ts";

const X = payment("alice", 0, "bob", 1n);
const Y = payment("alice", 0, "carol", 1n);

/** A round change of v1 that shows two operations of alice as a proof. */
function shown(first: EquivocationProof["first"], second: EquivocationProof["second"], sequence = 0): PeerMessage {
  const slot = accountSlot("alice", sequence);
  const body = by("v1", { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined });
  return {
    type: "consensus",
    body,
    contents: [],
    reason: { kind: "equivocation", proof: { first, second } },
  };
}

/** v1 shows this to all and is gone, then alice signs both payments. Returns what her clients hear at last. */
function conflictAfter(message: PeerMessage | undefined): readonly (string | undefined)[] {
  const cluster = new Cluster(4);
  if (message !== undefined) for (const to of [1, 2, 3]) cluster.inject(0, to, message);
  cluster.stop(0);
  cluster.run(10);
  const ids = [cluster.submit(1, X), cluster.submit(2, Y)];
  cluster.run(10_000);
  return ids.map((id) => cluster.replyTo(id)?.status);
}

it.each<[string, PeerMessage | undefined]>([
  ["nothing", undefined],
  ["one of the two twice", shown(X, X)],
  ["one of the two with its cancellation", shown(X, cancellation("alice", 0))],
  ["two nonces", shown(X, payment("alice", 1, "bob", 1n))],
  ["a true proof", shown(X, Y)],
])("an account blocked by its owner recovers after a Byzantine validator has shown %s", (_, message) => {
  expect(conflictAfter(message)).toEqual(["superseded", "superseded"]);
});

it("a proof of a later nonce counts once that nonce is the next, and is not kept before", () => {
  const cluster = new Cluster(4);
  cluster.cut = (from, to, message) => from === 0 && to === 1 && "reason" in message && message.reason !== undefined;
  const proof = (nonce: number): PeerMessage =>
    shown(payment("alice", nonce, "bob", 1n), payment("alice", nonce, "carol", 1n), 1);
  const slot = slotKey(accountSlot("alice", 1));
  const known = (): unknown => [cluster.node(1).slots.reasons.size, cluster.node(1).slots.records.get(slot)?.round];
  for (let nonce = 20; nonce > 0; nonce--) cluster.inject(0, 1, proof(nonce));
  cluster.run(10);
  expect(known()).toEqual([0, 0]);
  cluster.submit(2, X);
  cluster.run(100);
  expect(known()).toEqual([0, 0]);
  for (const nonce of [2, 0, 1]) cluster.inject(0, 1, proof(nonce));
  cluster.run(110);
  expect(known()).toEqual([1, 1]);
});
