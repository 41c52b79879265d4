/** Fees of skips in a network: none is evaded, and want of funds stops none (protocol 3.2, 4.4). */
import { expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import { EVIDENCE_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, SlotReason } from "../../../src/core/validator/message.ts";
import { accountSlot, by, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, FUNDS, mint, payment, SKIP_FEE } from "./support/operations.ts";

const BYZANTINE = 3;

function shown(name: string, reason: SlotReason): PeerMessage {
  const slot = accountSlot(name);
  const body = by("v4", { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined });
  return { type: "consensus", body, contents: [], reason };
}

const nonceOf = (cluster: Cluster, name: string): readonly (number | undefined)[] =>
  [0, 1, 2].map((at) => cluster.node(at).ledger.accounts.get(addressOf(name))?.nonce);

const FREE = [mint("alice", 0, "bob", 1n), mint("alice", 0, "carol", 1n)] as const;

it.each<[string, SlotReason]>([
  ["cancellation", { kind: "cancellation", cancellation: cancellation("alice", 0), displaced: FREE[0] }],
  ["recovery", { kind: "equivocation", proof: { first: FREE[0], second: FREE[1] } }],
])("an owner evades no fee by a free %s, where one validator knows its payment", (_by, reason) => {
  const cluster = new Cluster(4);
  cluster.cut = (_, __, message) => cluster.now < 2 * EVIDENCE_MS && message.type === "offer";
  cluster.submit(2, payment("alice", 0, "bob", 10n));
  cluster.run(20);
  for (const to of [0, 1, 2]) cluster.inject(BYZANTINE, to, shown("alice", reason));
  cluster.stop(BYZANTINE);
  cluster.run(20_000);
  expect(nonceOf(cluster, "alice")).toEqual([1, 1, 1]);
  expect(cluster.balances("alice")).toEqual([FUNDS - SKIP_FEE]);
});

it("a cancellation of an account without funds is decided, for nothing", () => {
  const cluster = new Cluster(4);
  const displaced = payment("poor", 0, "bob", 10n);
  const reason: SlotReason = { kind: "cancellation", cancellation: cancellation("poor", 0), displaced };
  for (const to of [0, 1, 2]) cluster.inject(BYZANTINE, to, shown("poor", reason));
  cluster.stop(BYZANTINE);
  cluster.run(10_000);
  expect(nonceOf(cluster, "poor")).toEqual([1, 1, 1]);
  expect(cluster.balances("poor")).toEqual([0n]);
});
