/** Messages, timers and records that a validator sends, sets and keeps once, however often it is told (protocol 10; 4.2; 6.1). */
import { describe, expect, it } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { CheckpointNumber, Epoch, Hash, Millis, Round } from "../../../src/core/base/ids.ts";
import { type AccountSlot, type Slot, slotKey } from "../../../src/core/base/slot.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { FETCH_MS, WAIT_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, Status } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import type { StepContext } from "../../../src/core/validator/step-context.ts";
import { fetchSlots } from "../../../src/core/validator/sync/sync.ts";
import { accountSlot, by, contentOf, EPOCH } from "./support/certificates.ts";
import { checkpointOf, checkpointSlot, decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, payment } from "./support/operations.ts";
import { envelope, only, Single, sent, signed, timers } from "./support/single.ts";

const POLICY: CheckpointPolicy = { intervalMs: 3_600_000, slots: 100, limit: 100, periodSeconds: 0, empty: false };
const POOR = payment("bob", 0, "carol", 5_000n);

function single(policy?: CheckpointPolicy): Single {
  return new Single(new Cluster(4, 5, rules, policy).node(0));
}

const outputsOf = (cluster: Cluster, node: number): readonly Output[] =>
  (cluster.recorded[node] ?? []).flatMap(({ outputs }) => outputs);
const offer = (name: string, nonce: number, signedOne = payment(name, nonce, "carol", 1n)): PeerMessage => ({
  type: "offer",
  slot: accountSlot(name, nonce),
  content: contentOf(signedOne),
});

describe("requests", () => {
  const status = (more: Partial<Status>): Status => ({
    type: "status",
    epoch: EPOCH,
    checkpoint: 0 as CheckpointNumber,
    applied: [],
    answer: true,
    ...more,
  });

  it("go to no validator itself", () => {
    const { state } = single();
    const { self } = state.environment;
    const at = 0 as Millis;
    const context: StepContext = { state, at, clock: at, from: self, outputs: [], agenda: [] };
    fetchSlots(context, self, [accountSlot("alice")]);
    expect(context.outputs).toEqual([]);
    fetchSlots(context, addressOf("v2"), [accountSlot("alice")]);
    expect(sent(context.outputs, "fetch")).toHaveLength(1);
  });

  it("name a slot at least: none is sent where the earlier slots are decided and wait for funds", () => {
    const one = single();
    one.take(decisionOn(accountSlot("bob"), contentOf(POOR)));
    expect(sent(one.take(offer("bob", 1)), "fetch")).toEqual([]);
    expect(sent(one.take(offer("bob", 2)), "fetch").map(({ slots }) => slots)).toEqual([[accountSlot("bob", 1)]]);
  });

  it("for how the epoch closed go out once a while to each peer", () => {
    const one = single();
    const later = status({ epoch: 1 as Epoch });
    const count = (from: string): number => sent(one.take(later, from), "fetch").length;
    expect([count("v2"), count("v2"), count("v3")]).toEqual([1, 0, 1]);
    one.at += FETCH_MS;
    expect(count("v2")).toBe(1);
  });

  it("for what a peer has applied go out only for what is not decided here", () => {
    const one = single();
    one.take(decisionOn(accountSlot("alice"), contentOf(payment("alice", 0, "bob", 1n))));
    const asked = (...applied: AccountSlot[]): readonly (readonly Slot[])[] =>
      sent(one.take(status({ applied })), "fetch").map(({ slots }) => slots);
    expect(asked()).toEqual([]);
    expect(asked(accountSlot("alice"))).toEqual([]);
    expect(asked(accountSlot("alice"), accountSlot("bob"))).toEqual([[accountSlot("bob")]]);
  });

  it("are answered with a status where the peer does not show what is applied here, once a while", () => {
    const one = single();
    one.take(decisionOn(accountSlot("alice"), contentOf(payment("alice", 0, "bob", 1n))));
    const count = (more: Partial<Status>): number => sent(one.take(status(more)), "status").length;
    expect(count({ answer: false, applied: [accountSlot("alice")] })).toBe(0);
    expect(count({ answer: true })).toBe(0);
    expect([count({ answer: false }), count({ answer: false })]).toEqual([1, 0]);
    one.at += FETCH_MS;
    expect(count({ answer: false })).toBe(1);
  });

  it("and status have no receiver in a committee of one", () => {
    const alone = new Single(new Cluster(1).node(0));
    expect(alone.fire("sync")).toEqual([]);
  });
});

describe("timers", () => {
  it("of retries are set once by a relay that votes and commits", () => {
    const cluster = new Cluster(4);
    const id = cluster.submit(0, payment("alice", 0, "bob", 1n));
    cluster.run(200);
    expect(cluster.replyTo(id)?.status).toBe("final");
    expect(timers(outputsOf(cluster, 0)).filter((name) => name.startsWith("retry"))).toEqual([
      `retry ${slotKey(accountSlot("alice"))}`,
    ]);
  });

  it("of a waiting offer are set once: no repetition makes it wait for longer", () => {
    const one = single();
    const message = offer("bob", 0, POOR);
    const name = `wait ${slotKey(accountSlot("bob"))} ${valueHash(contentOf(POOR).value)}`;
    expect(timers(one.take(message))).toEqual([name]);
    one.at = WAIT_MS - 1;
    expect(timers(one.take(message, "v3"))).toEqual([]);
  });

  it("of an offer for a later slot stay while earlier ones are applied", () => {
    const one = single();
    expect(timers(one.take(offer("alice", 2)))).toHaveLength(1);
    const outputs = one.take(decisionOn(accountSlot("alice"), contentOf(payment("alice", 0, "bob", 1n))));
    expect(only(outputs, "event").map(({ event }) => event.type)).toContain("applied");
    expect(only(outputs, "cancelTimer").filter(({ name }) => name.startsWith("wait"))).toEqual([]);
    expect(one.state.slots.waiting.size).toBe(1);
  });

  it("of a due checkpoint are set by the first slot that it has to list, and by no later one", () => {
    const cluster = new Cluster(4, 5, rules, POLICY);
    for (let nonce = 0; nonce < 5; nonce++) {
      cluster.submit(0, payment("alice", nonce, "bob", 1n));
      cluster.run(cluster.now + 100);
    }
    expect(cluster.node(0).sync.log.size).toBe(5);
    expect(timers(outputsOf(cluster, 0)).filter((name) => name.startsWith("due"))).toHaveLength(1);
  });

  it("of open slots stay when a checkpoint ends those of the slots that it lists", () => {
    const cluster = new Cluster(4, 5, rules, { ...POLICY, slots: 1 });
    const carol = slotKey(accountSlot("carol"));
    cluster.cut = (_, __, message) =>
      message.type === "consensus" && message.body.type === "vote" && slotKey(message.body.slot) === carol;
    cluster.submit(1, payment("carol", 0, "bob", 1n));
    cluster.submit(0, payment("alice", 0, "bob", 1n));
    cluster.run(200);
    expect(cluster.node(1).checkpoints.last.header.number).toBe(1);
    expect([...cluster.node(1).slots.retries.entries()]).toEqual([[carol, 0]]);
    expect(only(outputsOf(cluster, 1), "cancelTimer").map(({ name }) => name)).not.toContain(`retry ${carol}`);
  });
});

it("a checkpoint is not proposed before its voters can accept its time", () => {
  const cluster = new Cluster(4, 5, rules, { ...POLICY, slots: 1, periodSeconds: 60 });
  const proposals = (): number =>
    cluster.signatures.filter(({ type, slot }) => type === "proposal" && slot.kind === "checkpoint").length;
  cluster.submit(0, payment("alice", 0, "bob", 1n));
  cluster.run(54_000);
  expect(proposals()).toBe(0);
  cluster.run(61_000);
  expect(proposals()).toBe(1);
});

it("a checkpoint erases the records of the slots that it lists, and no record that there never was", () => {
  const erased = (decisions: readonly PeerMessage[]): readonly string[] => {
    const one = single(POLICY);
    const [slot, operation] = [accountSlot("alice"), payment("alice", 0, "bob", 10n)] as const;
    for (const message of decisions) one.take(message);
    const first = checkpointOf(one.state, one.state.checkpoints.last, [[slot, operation]]);
    return only(one.take(decisionOn(checkpointSlot(1), first)), "erase").map(({ key }) => key);
  };
  expect(erased([])).toEqual([]);
  const known = decisionOn(accountSlot("alice"), contentOf(payment("alice", 0, "bob", 10n)));
  expect(erased([known])).toEqual([slotKey(accountSlot("alice"))]);
});

describe("a vote", () => {
  const value = valueHash(contentOf(payment("alice", 0, "bob", 1n)).value) as Hash;
  const slot = accountSlot("alice");

  it("opens no record: it answers a request, and there was none", () => {
    const one = single();
    for (const type of ["vote", "commit"] as const)
      one.take(envelope(by("v2", { type, epoch: EPOCH, slot, round: 0 as Round, value })));
    expect(one.state.slots.records.size).toBe(0);
  });

  it("is not repeated for a proposal by a validator whose turn it is not", () => {
    const cluster = new Cluster(4, 5, rules, { ...POLICY, slots: 1 });
    cluster.submit(0, payment("alice", 0, "bob", 1n));
    const voted = () =>
      cluster.nodes.findIndex(({ slots }) => (slots.records.get(slotKey(checkpointSlot(1)))?.votes.length ?? 0) > 0);
    while (voted() < 0 && cluster.step(1_000));
    const state = cluster.node(voted());
    const record = requireDefined(state.slots.records.get(slotKey(checkpointSlot(1))), "record");
    const [proposal] = record.proposals.values();
    const { signature: _, signer, ...body } = requireDefined(proposal, "proposal");
    const voter = new Single(state, cluster.now);
    expect(signed(voter.take(envelope(requireDefined(proposal, "proposal"))), "vote")).toHaveLength(1);
    for (const name of ["v1", "v2", "v3", "v4"].filter((one) => addressOf(one) !== signer))
      expect(signed(voter.take(envelope(by(name, body)), name), "vote")).toEqual([]);
  });
});
