/** Bound of the answers to one peer in a second; a later request is served (protocol 9.2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Epoch } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { FETCH_MS, SERVED_PER_SECOND, STATUS_SLOTS } from "../../../src/core/validator/limits.ts";
import { contentSize } from "../../../src/core/validator/mempool/budget.ts";
import type { Fetch, PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";
import { only, Single, sent } from "./support/single.ts";

const CONTENT = contentOf(payment("alice", 0, "bob", 1n));
const SLOT = accountSlot("alice");
const FETCH: Fetch = { type: "fetch", epoch: 0 as Epoch, slots: [SLOT], values: [] };

const OFFER: PeerMessage = { type: "offer", slot: SLOT, content: CONTENT };

/** Validator that has served v2 almost all of a second's worth, and how many more answers fit. */
function almostServed(left: number): Single {
  const one = new Single(new Cluster(4).node(0));
  one.take(decisionOn(SLOT, CONTENT));
  const { served } = one.state.sync;
  one.take(FETCH, "v2");
  for (const [peer, last] of served.entries())
    served.set(peer, { ...last, size: SERVED_PER_SECOND - left * contentSize(CONTENT) });
  return one;
}

describe("a validator", () => {
  it.each<[string, PeerMessage]>([
    ["a fetch", FETCH],
    ["an offer in a decided slot", OFFER],
  ])(
    "answers %s of one peer no more in a second than the bound, of others meanwhile, and again in the next",
    (_, request) => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 4 }), (left, more) => {
          const one = almostServed(left);
          const answers = (from: string): number => sent(one.take(request, from), "decisions").length;
          const counts = Array.from({ length: left + more }, () => answers("v2"));
          expect(counts).toEqual([...Array(left).fill(1), ...Array(more).fill(0)]);
          expect(answers("v3")).toBe(1);
          one.at += 1_000;
          expect(answers("v2")).toBe(1);
        }),
      );
    },
  );

  it("answers a fetch that names one slot many times with no more than the bound, and at least one", () => {
    const repeated = { ...FETCH, slots: Array.from({ length: 64 }, () => SLOT) };
    const counts = [0, 1, 5].map((left) =>
      sent(almostServed(left).take(repeated, "v2"), "decisions").map(({ decided }) => decided.length),
    );
    expect(counts).toEqual([[], [1], [5]]);
  });
});

it("the statuses of a validator name all that it has applied, if more than one shows", () => {
  const one = new Single(new Cluster(4).node(0));
  const count = 2 * STATUS_SLOTS + 1;
  for (let sequence = 0; sequence < count; sequence++) one.state.sync.log.set(sequence, accountSlot("alice", sequence));
  const shown = new Map<string, Set<string>>();
  for (let round = 0; round < 9; round++) {
    for (const { to, message } of only(one.fire("sync"), "send")) {
      if (message.type !== "status") continue;
      expect(message.applied.length).toBeLessThanOrEqual(STATUS_SLOTS);
      for (const peer of to) {
        const known = shown.get(peer) ?? new Set();
        for (const slot of message.applied) known.add(slotKey(slot));
        shown.set(peer, known);
      }
    }
  }
  expect([...shown.values()].map(({ size }) => size)).toEqual([count, count, count]);
});

it("the answers to a peer that compares itself name all that is applied, as soon as it has asked for each part", () => {
  const one = new Single(new Cluster(4).node(0));
  const count = 2 * STATUS_SLOTS + 1;
  for (let sequence = 0; sequence < count; sequence++) one.state.sync.log.set(sequence, accountSlot("alice", sequence));
  const { ledger, checkpoints } = one.state;
  const behind = { epoch: ledger.epoch, checkpoint: checkpoints.last.header.number, applied: [], answer: false };
  const named = new Set<string>();
  for (const from of ["v2", "v3", "v2", "v3", "v2"]) {
    one.at += FETCH_MS;
    const answers = sent(one.take({ type: "status", ...behind }, from), "status");
    if (from === "v2") for (const slot of answers.flatMap(({ applied }) => applied)) named.add(slotKey(slot));
  }
  expect(named.size).toBe(count);
});
