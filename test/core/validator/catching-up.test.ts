/** Synchronization, at once if a client or slot waits for it (protocol 10; 4.3). */
import { describe, expect, it } from "vitest";
import type { Epoch, Round, Version } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import type { FinalityCertificate } from "../../../src/core/consensus/message.ts";
import { versionOf } from "../../../src/core/ledger/state.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { FETCH_COUNT, FETCHES_PER_PEER, SYNC_IDLE_MS, SYNC_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, by, certificateOf, contentOf, decisionOf, EPOCH, NAMES } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, idOf, mint, pause, payment, USD } from "./support/operations.ts";
import { envelope, only, Single } from "./support/single.ts";

const LAST = 3;

/** Long enough for every validator to have reported to every other one that nothing happens. */
const IDLE_MS = 8 * SYNC_IDLE_MS;

function isAbout(message: PeerMessage, name: string): boolean {
  const prefix = slotKey(accountSlot(name)).slice(0, -16);
  return message.type === "consensus" && slotKey(message.body.slot).startsWith(prefix);
}

describe("a validator that was down", () => {
  it("has all that the others applied after one response, however rarely they exchange status", () => {
    const cluster = new Cluster(4);
    cluster.stop(LAST);
    cluster.submit(0, payment("alice", 0, "bob", 10n));
    cluster.run(IDLE_MS);
    cluster.restart(LAST);
    cluster.run(IDLE_MS + 1_100);
    expect(cluster.roots()).toHaveLength(1);
  });
});

describe("a decision whose content is not here", () => {
  const PAID = payment("alice", 0, "bob", 10n);
  const CERTIFICATE = decisionOf(PAID, accountSlot("alice"));

  /** Only v1 holds the certificate, and the first responses of the others are lost. */
  function bare(): Cluster {
    const cluster = new Cluster(4);
    cluster.begin();
    const decided: PeerMessage = {
      type: "decisions",
      decided: [{ certificate: CERTIFICATE, content: contentOf(PAID) }],
      contents: [],
    };
    for (const node of [1, 2, 3]) cluster.inject(node, node, decided);
    cluster.cut = (_, to, message) => to === 0 && message.type === "decisions";
    cluster.inject(1, 0, { type: "consensus", body: CERTIFICATE, contents: [], reason: undefined });
    cluster.run(500);
    return cluster;
  }

  it("is requested again, by the validator's own clock, if the responses were lost", () => {
    const cluster = bare();
    expect(cluster.roots()).toHaveLength(2);
    cluster.cut = () => false;
    cluster.run(2 * SYNC_MS + 100);
    expect(cluster.roots()).toHaveLength(1);
    expect(cluster.node(0).sync.log.size).toBe(1);
  });

  it("is requested after a restart, too", () => {
    const cluster = bare();
    cluster.restart(0);
    cluster.run(600);
    cluster.cut = () => false;
    cluster.run(2 * SYNC_MS + 700);
    expect(cluster.roots()).toHaveLength(1);
  });
});

describe("a log", () => {
  it("is read from its start again after its owner restarted: it comes back in another order", () => {
    const cluster = new Cluster(4);
    const [first, last] = ["alice", "bob"].sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1)) as [string, string];
    cluster.submit(0, payment(last, 0, "carol", 1n));
    cluster.run(IDLE_MS);
    cluster.cut = (_, to) => to === LAST;
    cluster.submit(0, payment(first, 0, "carol", 1n));
    cluster.run(IDLE_MS + 100);
    cluster.restart(0);
    for (const node of [1, 2]) cluster.stop(node);
    cluster.cut = () => false;
    cluster.run(3 * IDLE_MS);
    expect(cluster.roots()).toHaveLength(1);
    expect(cluster.node(LAST).sync.log.size).toBe(2);
  });

  it("of the same length with other entries is read, too", () => {
    const cluster = new Cluster(4);
    for (const node of [2, 3]) cluster.stop(node);
    for (const [node, name] of ["alice", "bob"].entries()) {
      const paid = payment(name, 0, "carol", 1n);
      const certificate = decisionOf(paid, accountSlot(name));
      cluster.inject(2, node, {
        type: "decisions",
        decided: [{ certificate, content: contentOf(paid) }],
        contents: [],
      });
    }
    cluster.run(IDLE_MS);
    expect(cluster.nodes.map(({ sync: { log } }) => log.size)).toEqual([2, 2, 0, 0]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it(`brings all that fits in a status at once`, () => {
    const cluster = new Cluster(4);
    cluster.stop(LAST);
    for (let nonce = 0; nonce < 266; nonce++) {
      const paid = payment("alice", nonce, "bob", 1n);
      const certificate = decisionOf(paid, accountSlot("alice", nonce));
      cluster.inject(1, 0, { type: "decisions", decided: [{ certificate, content: contentOf(paid) }], contents: [] });
    }
    for (const node of [1, 2]) cluster.stop(node);
    cluster.run(IDLE_MS);
    cluster.restart(LAST);
    // It sends its status to the first one, and the first one responds.
    cluster.run(cluster.now + SYNC_MS + 100);
    expect(cluster.node(LAST).sync.log.size).toBe(266);
  });
});

describe("an offer", () => {
  it("for a slot that is decided is answered with the decision, and with no vote", () => {
    const cluster = new Cluster(4);
    const paid = payment("alice", 0, "bob", 10n);
    const decision = { certificate: decisionOf(paid, accountSlot("alice")), content: contentOf(paid) };
    cluster.inject(1, 0, { type: "decisions", decided: [decision], contents: [] });
    cluster.run(1);
    const other = contentOf(payment("alice", 0, "carol", 10n));
    for (const content of [contentOf(paid), other])
      cluster.inject(2, 0, { type: "offer", slot: accountSlot("alice"), content });
    cluster.run(2);
    const answer = { type: "decisions", decided: [decision], contents: [] };
    const sent = cluster.recorded[0]?.slice(-2).map(({ outputs }) => outputs);
    expect(sent).toEqual([0, 1].map(() => [{ type: "send", to: [cluster.address(2)], message: answer }]));
  });

  it("is made in round 0 only", () => {
    const cluster = new Cluster(4);
    const offers = (): number =>
      (cluster.recorded[0] ?? []).flatMap(({ outputs }) =>
        outputs.filter((output) => output.type === "send" && output.message.type === "offer"),
      ).length;
    const [paid, cancelled] = [payment("alice", 0, "bob", 10n), cancellation("alice", 0)];
    const slot = accountSlot("alice");
    const body = by("v2", { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined });
    const reason = { kind: "cancellation", cancellation: cancelled, displaced: paid } as const;
    cluster.inject(1, 0, { type: "consensus", body, contents: [], reason });
    cluster.submit(0, paid);
    cluster.run(1);
    expect(cluster.node(0).slots.records.get(slotKey(slot))?.round).toBe(1);
    expect(cluster.statuses(idOf(paid))).toEqual(["pending"]);
    expect(offers()).toBe(0);
  });
});

describe("an answer to a fetch", () => {
  it(`holds ${FETCH_COUNT} decisions and as many contents, and none answers one that asks for more`, () => {
    const cluster = new Cluster(4);
    const paid = Array.from({ length: FETCH_COUNT + 5 }, (_, nonce) => payment("alice", nonce, "bob", 1n));
    for (const [nonce, one] of paid.entries()) {
      const certificate = decisionOf(one, accountSlot("alice", nonce));
      cluster.inject(1, 0, { type: "decisions", decided: [{ certificate, content: contentOf(one) }], contents: [] });
    }
    const slots = paid.map((_, nonce) => accountSlot("alice", nonce));
    const values = paid.slice(0, FETCH_COUNT).map((one) => valueHash(contentOf(one).value));
    cluster.run(1);
    cluster.inject(2, 0, { type: "fetch", epoch: 0 as Epoch, slots, values });
    cluster.inject(2, 0, { type: "fetch", epoch: 0 as Epoch, slots: slots.slice(0, FETCH_COUNT), values });
    cluster.run(1);
    const answers = (cluster.recorded[0] ?? []).flatMap(({ outputs }) =>
      outputs.flatMap((output) =>
        output.type === "send" && output.message.type === "decisions" ? [output.message] : [],
      ),
    );
    expect(answers.map(({ decided, contents }) => [decided.length, contents.length])).toEqual([
      [FETCH_COUNT, FETCH_COUNT],
    ]);
  });
});

describe("a decision that waits", () => {
  it("for credits requests them from a peer at once", () => {
    const cluster = new Cluster(4);
    cluster.run(IDLE_MS);
    cluster.cut = (_, to, message) => to === LAST && isAbout(message, "bob");
    cluster.submit(0, payment("bob", 0, "alice", 900n));
    cluster.run(IDLE_MS + 200);
    const paid = cluster.submit(0, payment("alice", 0, "carol", 1_500n));
    cluster.run(IDLE_MS + 400);
    expect(cluster.statuses(paid)).toEqual(["pending", "final"]);
    expect(cluster.coverage.get("decision waited for funds")).toBeGreaterThan(0);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("for credits is applied when a mint brings them", () => {
    const cluster = new Cluster(4);
    const isDollar = (slot: Slot): boolean => slot.kind === "token";
    cluster.cut = (_, to, message) =>
      to === LAST &&
      ((message.type === "consensus" && isDollar(message.body.slot)) ||
        (message.type === "decisions" && message.decided.some(({ certificate }) => isDollar(certificate.slot))));
    cluster.submit(0, mint("issuer", 0, "dave", 50n));
    cluster.run(500);
    const paid = cluster.submit(0, payment("dave", 0, "carol", 40n));
    cluster.run(700);
    expect(cluster.statuses(paid)).toEqual(["pending", "final"]);
    expect(cluster.coverage.get("decision waited for funds")).toBeGreaterThan(0);
    cluster.cut = () => false;
    cluster.run(700 + IDLE_MS);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("for its content requests it from all its signers", () => {
    const cluster = new Cluster(4);
    const paid = payment("alice", 0, "bob", 10n);
    const [down, up] = [1, 2].sort((a, b) => (cluster.address(a) < cluster.address(b) ? -1 : 1)) as [number, number];
    cluster.inject(LAST, up, { type: "offer", slot: accountSlot("alice"), content: contentOf(paid) });
    cluster.run(1);
    cluster.stop(down);
    const body = decisionOf(paid, accountSlot("alice"));
    cluster.inject(up, 0, { type: "consensus", body, contents: [], reason: undefined });
    cluster.run(50);
    expect(cluster.node(0).sync.log.size).toBe(1);
  });

  it("for its content requests it from the others, however much the first signer gave it to ask for", () => {
    const one = new Single(new Cluster(4).node(3));
    const certificate = decisionOf(payment("alice", 0, "bob", 1n), accountSlot("alice"));
    const [first = "", ...others] = NAMES.slice(0, 3).sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
    for (let at = 0; at < FETCHES_PER_PEER; at++) {
      const slot = accountSlot(`stranger ${at}`, 5);
      one.take(
        envelope(by(first, { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: undefined })),
        first,
      );
    }
    const outputs = one.take({ type: "consensus", body: certificate, contents: [], reason: undefined }, first);
    const asked = only(outputs, "send").flatMap(({ to, message }) => (message.type === "fetch" ? to : []));
    expect(asked).toEqual(others.map(addressOf));
  });

  it("for the slot that authorised it gets that slot from the peer with which it compares at once", () => {
    const cluster = new Cluster(4);
    const paused = pause("issuer", 0, "Pause");
    const authorised = decisionOf(paused, accountSlot("issuer"));
    const list: Content = {
      value: { type: "list", ids: [idOf(paused)] },
      operations: [paused],
      certificates: [authorised],
    };
    const dollar: Slot = { kind: "token", token: USD, version: 0 as Version };
    const certificate = certificateOf("finality", dollar, valueHash(list.value)) as FinalityCertificate;
    const decided = [{ certificate: authorised, content: contentOf(paused) }];
    for (const node of [1, 2, LAST]) cluster.inject(0, node, { type: "decisions", decided, contents: [] });
    cluster.inject(1, 0, { type: "decisions", decided: [{ certificate, content: list }], contents: [] });
    cluster.run(1);
    expect(versionOf(cluster.node(0).ledger, USD)).toBe(0);
    cluster.run(SYNC_MS / 2);
    expect(versionOf(cluster.node(0).ledger, USD)).toBe(1);
  });
});
