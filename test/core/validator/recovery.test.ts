/** Cancellations, recoveries, and the round changes that show them (protocol 3.2). */

import { describe, expect, it } from "vitest";
import { slotKey } from "../../../src/core/base/slot.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { EVIDENCE_MS } from "../../../src/core/validator/limits.ts";
import { accountSlot, changeBy, contentOf, envelope } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, payment, recovery } from "./support/operations.ts";
import { Single } from "./support/single.ts";

const X = payment("alice", 0, "bob", 100n);
const Y = payment("alice", 0, "carol", 100n);

describe("a recovery with evidence", () => {
  it("begins to wait with the first vote, where the proof came before it", () => {
    const cluster = new Cluster(4);
    cluster.cut = () => true;
    cluster.submit(0, recovery(X, Y));
    cluster.run(1_000);
    cluster.submit(0, X);
    cluster.run(1_000 + EVIDENCE_MS - 50);
    expect(cluster.coverage.get("round change by equivocation proof")).toBeUndefined();
    cluster.run(1_000 + EVIDENCE_MS + 50);
    expect(cluster.coverage.get("round change by equivocation proof")).toBe(1);
  });
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

it.each([
  ["a member has signed it", "v4", "v4", 1],
  ["its signer has not signed it", "v4", "v3", 0],
  ["its signer is no member", "mallory", "mallory", 0],
])("a round change with a proof is followed at once where %s", (_, signer, key, round) => {
  const one = new Single(new Cluster(4).node(0));
  const slot = accountSlot("alice");
  const body = { ...changeBy(key, slot), signer: addressOf(signer) };
  const reason = { kind: "equivocation", proof: { first: X, second: Y } } as const;
  one.take(envelope(body, [], reason), "v4");
  expect(one.state.slots.records.get(slotKey(slot))?.round ?? 0).toBe(round);
});

it("a proof of a later nonce counts once that nonce is the next, and is not kept before", () => {
  const cluster = new Cluster(4);
  cluster.cut = (from, to, message) => from === 0 && to === 1 && "reason" in message && message.reason !== undefined;
  const slot = accountSlot("alice", 1);
  const show = (nonce: number): void => {
    const [first, second] = ["bob", "carol"].map((to) => payment("alice", nonce, to, 1n)) as [typeof X, typeof X];
    const reason = { kind: "equivocation", proof: { first, second } } as const;
    cluster.inject(0, 1, envelope(changeBy("v1", slot), [], reason));
  };
  const known = (): unknown => {
    const { reasons, records } = cluster.node(1).slots;
    return [reasons.size, records.get(slotKey(slot))?.round];
  };
  for (let nonce = 20; nonce > 0; nonce--) show(nonce);
  cluster.run(10);
  expect(known()).toEqual([0, 0]);
  cluster.submit(2, payment("alice", 0, "bob", 1n));
  cluster.run(100);
  expect(known()).toEqual([0, 0]);
  for (const nonce of [2, 0, 1]) show(nonce);
  cluster.run(110);
  expect(known()).toEqual([1, 1]);
});
