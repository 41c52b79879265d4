/** Catching up: statuses, requests and what is served (protocol 4.3, 9.2, 10). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/core/base/entry.ts";
import type { Epoch, Version } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import { versionOf } from "../../../src/core/ledger/state.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import {
  FETCH_COUNT,
  FETCH_MS,
  FETCHES_PER_PEER,
  SERVED_PER_SECOND,
  STATUS_SLOTS,
  SYNC_MS,
} from "../../../src/core/validator/limits.ts";
import { contentSize } from "../../../src/core/validator/mempool/budget.ts";
import type { Fetch, PeerMessage } from "../../../src/core/validator/message.ts";
import {
  accountSlot,
  certificateOf,
  changeBy,
  contentOf,
  decisionOf,
  envelope,
  NAMES,
} from "./support/certificates.ts";
import { decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, idOf, pause, payment, USD } from "./support/operations.ts";
import { only, Single, sent } from "./support/single.ts";

const LAST = 3;

describe("an offer", () => {
  it("for a slot that is decided is answered with the decision, and with no vote", () => {
    const cluster = new Cluster(4);
    const paid = payment("alice", 0, "bob", 10n);
    const answer = decisionOn(accountSlot("alice"), contentOf(paid));
    cluster.inject(1, 0, answer);
    cluster.run(1);
    const other = contentOf(payment("alice", 0, "carol", 10n));
    for (const content of [contentOf(paid), other])
      cluster.inject(2, 0, { type: "offer", slot: accountSlot("alice"), content });
    cluster.run(2);
    const sent = cluster.recorded[0]?.slice(-2).map(({ outputs }) => outputs);
    expect(sent).toEqual([0, 1].map(() => [{ type: "send", to: [cluster.address(2)], message: answer }]));
  });

  it("is made in round 0 only", () => {
    const cluster = new Cluster(4);
    const [paid, cancelled] = [payment("alice", 0, "bob", 10n), cancellation("alice", 0)];
    const slot = accountSlot("alice");
    const reason = { kind: "cancellation", cancellation: cancelled, displaced: paid } as const;
    cluster.inject(1, 0, envelope(changeBy("v2", slot), [], reason));
    cluster.submit(0, paid);
    cluster.run(1);
    expect(cluster.node(0).slots.records.get(slotKey(slot))?.round).toBe(1);
    expect(cluster.statuses(idOf(paid))).toEqual(["pending"]);
    expect(sent(cluster.outputs(0), "offer")).toEqual([]);
  });
});

describe("an answer to a fetch", () => {
  it(`holds ${FETCH_COUNT} decisions and as many contents, and none answers one that asks for more`, () => {
    const cluster = new Cluster(4);
    const paid = Array.from({ length: FETCH_COUNT + 5 }, (_, nonce) => payment("alice", nonce, "bob", 1n));
    for (const [nonce, one] of paid.entries())
      cluster.inject(1, 0, decisionOn(accountSlot("alice", nonce), contentOf(one)));
    const slots = paid.map((_, nonce) => accountSlot("alice", nonce));
    const values = paid.slice(0, FETCH_COUNT).map((one) => valueHash(contentOf(one).value));
    cluster.run(1);
    cluster.inject(2, 0, { type: "fetch", epoch: 0 as Epoch, slots, values });
    cluster.inject(2, 0, { type: "fetch", epoch: 0 as Epoch, slots: slots.slice(0, FETCH_COUNT), values });
    cluster.run(1);
    const answers = sent(cluster.outputs(0), "decisions");
    expect(answers.map(({ decided, contents }) => [decided.length, contents.length])).toEqual([
      [FETCH_COUNT, FETCH_COUNT],
    ]);
  });
});

describe("a decision that waits", () => {
  it("for its content requests it from all its signers", () => {
    const cluster = new Cluster(4);
    const paid = payment("alice", 0, "bob", 10n);
    const [down, up] = [1, 2].sort((a, b) => (cluster.address(a) < cluster.address(b) ? -1 : 1)) as [number, number];
    cluster.inject(LAST, up, { type: "offer", slot: accountSlot("alice"), content: contentOf(paid) });
    cluster.run(1);
    cluster.stop(down);
    cluster.inject(up, 0, envelope(decisionOf(paid, accountSlot("alice"))));
    cluster.run(50);
    expect(cluster.node(0).sync.log.size).toBe(1);
  });

  it("for its content requests it from the others, however much the first signer gave it to ask for", () => {
    const one = new Single(new Cluster(4).node(3));
    const certificate = decisionOf(payment("alice", 0, "bob", 1n), accountSlot("alice"));
    const [first = "", ...others] = NAMES.slice(0, 3).sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
    for (let at = 0; at < FETCHES_PER_PEER; at++)
      one.take(envelope(changeBy(first, accountSlot(`stranger ${at}`, 5))), first);
    const outputs = one.take(envelope(certificate), first);
    const asked = only(outputs, "send").flatMap(({ to, message }) => (message.type === "fetch" ? to : []));
    expect(asked).toEqual(others.map(addressOf));
  });

  it("for the slot that authorised it gets that slot from the peer with which it compares at once", () => {
    const cluster = new Cluster(4);
    const paused = pause("issuer", 0, "Pause");
    const certificates = [decisionOf(paused, accountSlot("issuer"))];
    const list: Content = { value: { type: "list", ids: [idOf(paused)] }, operations: [paused], certificates };
    const dollar: Slot = { kind: "token", token: USD, version: 0 as Version };
    for (const node of [1, 2, LAST]) cluster.inject(0, node, decisionOn(accountSlot("issuer"), contentOf(paused)));
    cluster.inject(1, 0, decisionOn(dollar, list));
    cluster.run(1);
    expect(versionOf(cluster.node(0).ledger, USD)).toBe(0);
    cluster.run(SYNC_MS / 2);
    expect(versionOf(cluster.node(0).ledger, USD)).toBe(1);
  });
});

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
    ["a round change", envelope(changeBy("v2", SLOT))],
    [
      "a lock of another value",
      envelope(certificateOf("lock", SLOT, valueHash(contentOf(cancellation("alice", 0)).value))),
    ],
  ])("answers %s in a decided slot with the decision, and with nothing else", (_, asking) => {
    const one = new Single(new Cluster(4).node(0));
    const decided = decisionOn(SLOT, CONTENT);
    one.take(decided);
    const outputs = one.take(asking, "v2").filter(({ type }) => type !== "coverage");
    expect(outputs).toEqual([{ type: "send", to: [addressOf("v2")], message: decided }]);
  });

  it("answers a fetch that names one slot many times with no more than the bound, and at least one", () => {
    const repeated = { ...FETCH, slots: Array.from({ length: 64 }, () => SLOT) };
    const counts = [0, 1, 5].map((left) =>
      sent(almostServed(left).take(repeated, "v2"), "decisions").map(({ decided }) => decided.length),
    );
    expect(counts).toEqual([[], [1], [5]]);
  });

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
});

/** Validator with more applied slots than two statuses show. */
function muchApplied(): { readonly one: Single; readonly count: number } {
  const one = new Single(new Cluster(4).node(0));
  const count = 2 * STATUS_SLOTS + 1;
  for (let sequence = 0; sequence < count; sequence++) one.state.sync.log.set(sequence, accountSlot("alice", sequence));
  return { one, count };
}

it("the statuses of a validator name all that it has applied, if more than one shows", () => {
  const { one, count } = muchApplied();
  const shown = new Map<string, Set<string>>();
  for (let round = 0; round < 9; round++)
    for (const { to, message } of only(one.fire("sync"), "send")) {
      if (message.type !== "status") continue;
      expect(message.applied.length).toBeLessThanOrEqual(STATUS_SLOTS);
      for (const peer of to)
        for (const slot of message.applied) entryOf(shown, peer, () => new Set<string>()).add(slotKey(slot));
    }
  expect([...shown.values()].map(({ size }) => size)).toEqual([count, count, count]);
});

it("the answers to a peer that compares itself name all that is applied, as soon as it has asked for each part", () => {
  const { one, count } = muchApplied();
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
