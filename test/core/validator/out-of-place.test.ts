/** Messages and certificates that are out of place, and requests that are sent once. */

import { describe, expect, it } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { CheckpointNumber, Epoch, Hash, Millis, Round, Version } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type AccountSlot, type Slot, slotKey, type TokenSlot } from "../../../src/core/base/slot.ts";
import type { LockCertificate, RoundChange } from "../../../src/core/consensus/message.ts";
import { newSlot } from "../../../src/core/consensus/slot-state.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { BURN_RELAY_MS, FETCH_MS, OWNERS_TURN_MS, WAIT_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, Status } from "../../../src/core/validator/message.ts";
import type { Output, SlotRecord } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { votesOf } from "../../../src/core/validator/slots/round-change-reasons.ts";
import type { StepContext } from "../../../src/core/validator/step-context.ts";
import { barringRefusal } from "../../../src/core/validator/submit.ts";
import { fetchSlots } from "../../../src/core/validator/sync/sync.ts";
import {
  accountSlot,
  by,
  certificateOf,
  changeBy,
  contentOf,
  decisionOf,
  EPOCH,
  NAMES,
  proposerIn,
} from "./support/certificates.ts";
import { CLOSING, checkpointOf, checkpointSlot, decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, cancellation, idOf, pause, payment, proposalOf, USD } from "./support/operations.ts";
import { envelope, only, Single, sent, signed, timers } from "./support/single.ts";

const POLICY: CheckpointPolicy = { intervalMs: 3_600_000, slots: 100, limit: 100, periodSeconds: 0, empty: false };
const [ALICE, BURNER, ISSUER] = [accountSlot("alice"), accountSlot("burner"), accountSlot("issuer")];
const X = payment("alice", 0, "bob", 10n);
const PAUSED = pause("issuer", 0, "Pause");
const BURNED = burn("burner", 0, "alice", 10n);
const DOLLAR: TokenSlot = { kind: "token", token: USD, version: 0 as Version };
const LIST: Content = {
  value: { type: "list", ids: [idOf(PAUSED)] },
  operations: [PAUSED],
  certificates: [decisionOf(PAUSED, ISSUER)],
};

const BURN: Content = {
  value: { type: "burn", id: idOf(BURNED), outcome: "burned" },
  operations: [BURNED],
  certificates: [decisionOf(BURNED, BURNER)],
};

function single(policy?: CheckpointPolicy): Single {
  return new Single(new Cluster(4, 5, rules, policy).node(0));
}

/** One that has applied these operations, each in the first slot of its account. */
function applied(...operations: readonly (readonly [AccountSlot, SignedOperation])[]): Single {
  const one = single();
  for (const [slot, operation] of operations) one.take(decisionOn(slot, contentOf(operation)));
  return one;
}

function closed(one: Single): Single {
  const cause = { kind: "proposal", signed: proposalOf(one.state.ledger.parameters, EPOCH) } as const;
  one.take({ type: "disclosure", slot: { kind: "epoch", epoch: EPOCH }, reason: { kind: "closing", cause } });
  expect(one.state.epochs.closed).toBeDefined();
  return one;
}

const roundChange = (name: string, slot: Slot): PeerMessage => envelope(changeBy(name, slot));

describe("once it has closed the epoch a validator", () => {
  it("discloses no further submission", () => {
    const one = closed(single());
    const outputs = one.submit(X);
    expect(only(outputs, "reply").map(({ reply }) => reply.status)).toEqual(["pending"]);
    expect(sent(outputs, "offer")).toEqual([]);
    expect(timers(outputs)).toEqual([]);
  });

  it("opens no slot of a token", () => {
    const decision = decisionOn(ISSUER, contentOf(PAUSED));
    const timer = `token ${slotKey(DOLLAR)}`;
    expect(timers(single().take(decision))).toContain(timer);
    expect(timers(closed(single()).take(decision))).not.toContain(timer);
  });

  it("proposes nothing, though the message that ends the epoch completes its justification", () => {
    const proposalsAfter = (isEnd: boolean): readonly [sent: number, durable: number] => {
      const cluster = new Cluster(4);
      const evidence = { first: X, second: payment("alice", 0, "carol", 10n) };
      const one = new Single(cluster.node(NAMES.indexOf(proposerIn(ALICE, 1))));
      one.take({ type: "disclosure", slot: ALICE, reason: { kind: "equivocation", proof: evidence } });
      const cause = { kind: "proposal", signed: proposalOf(one.state.ledger.parameters, EPOCH) } as const;
      const changes = NAMES.slice(0, 3).map(
        (name) => roundChange(name, ALICE) as Extract<PeerMessage, { type: "consensus" }>,
      );
      const outputs = changes.flatMap((change, at) =>
        one.take(isEnd && at === 2 ? { ...change, reason: { kind: "closing", cause } } : change),
      );
      const records = only(outputs, "persist").flatMap(({ record }) => (record.of === "slot" ? [record] : []));
      return [signed(outputs, "proposal").length, records.filter(({ proposed }) => proposed !== undefined).length];
    };
    expect([proposalsAfter(false), proposalsAfter(true)]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });
});

it("a round change ends the epoch, though its slot is decided and waits for the content", () => {
  const one = single();
  one.take(envelope(decisionOf(X, ALICE)));
  expect(one.state.slots.records.get(slotKey(ALICE))?.decided).toBeDefined();
  const cause = { kind: "proposal", signed: proposalOf(one.state.ledger.parameters, EPOCH) } as const;
  one.take({ ...roundChange("v2", ALICE), reason: { kind: "closing", cause } } as PeerMessage);
  expect(one.state.epochs.closed).toBeDefined();
});

describe("a record without its contents", () => {
  const record = (slot: Slot, more: Partial<SlotRecord>): readonly [string, SlotRecord] => [
    slotKey(slot),
    { of: "slot", ...newSlot(slot, EPOCH), contents: [], reasons: [], ...more },
  ];
  const value = valueHash(LIST.value) as Hash;
  const round = 0 as Round;

  it("repeats no proposal after a restart, which would prove nothing", () => {
    const proposed = { round, value, justification: [] };
    const restarted = (contents: readonly Content[]): number =>
      signed(single().restart(record(DOLLAR, { proposed, contents })), "proposal").length;
    expect([restarted([LIST]), restarted([])]).toEqual([1, 0]);
  });

  it("raises no barrier", () => {
    const raised = (contents: readonly Content[]): number => {
      const one = single();
      one.restart(record(DOLLAR, { commits: [{ round, value }], contents }));
      return one.state.slots.barriers.size;
    };
    expect([raised([LIST]), raised([])]).toEqual([1, 0]);
  });
});

describe("a token's slot", () => {
  it("takes no offer: its values are proposed", () => {
    const one = applied([ISSUER, PAUSED]);
    const outputs = one.take({ type: "offer", slot: DOLLAR, content: LIST });
    expect(outputs).toEqual([]);
    expect(one.state.slots.records.has(slotKey(DOLLAR))).toBe(false);
  });

  it("leaves round 0 at the end of its timer, if something is due in it", () => {
    const one = applied([ISSUER, PAUSED]);
    expect(signed(one.fire(`token ${slotKey(DOLLAR)}`), "roundChange")).toHaveLength(1);
  });

  it.each<[string, () => Single]>([
    ["where nothing is due", () => single()],
    [
      "once it is applied, though more is due in the next one",
      () => {
        const one = applied([ISSUER, PAUSED]);
        one.take(decisionOn(DOLLAR, LIST));
        one.take(decisionOn(accountSlot("issuer", 1), contentOf(pause("issuer", 1, "Unpause"))));
        expect(one.state.ledger.authorised.size).toBe(1);
        return one;
      },
    ],
  ])("keeps no reason %s", (_, make) => {
    const one = make();
    expect(one.fire(`token ${slotKey(DOLLAR)}`)).toEqual([]);
    expect(one.state.slots.reasons.size).toBe(0);
  });
});

describe("a closing at a validator that has not heard of the end of the epoch", () => {
  const value = valueHash(LIST.value) as Hash;
  const justification = (lock?: LockCertificate): readonly RoundChange[] =>
    NAMES.slice(0, 3).map((name) => changeBy(name, CLOSING, 1, lock));

  it("is voted for where a lock forces it, and the retries of that vote send no close", () => {
    const one = single();
    const proposer = proposerIn(CLOSING, 1);
    const lock = certificateOf("lock", CLOSING, value) as LockCertificate;
    const round = 1 as Round;
    const body = by(proposer, {
      type: "proposal",
      epoch: EPOCH,
      slot: CLOSING,
      round,
      value,
      justification: justification(lock),
    });
    expect(signed(one.take(envelope(body), proposer), "vote")).toHaveLength(1);
    expect(one.state.epochs.closed).toBeUndefined();
    expect(signed(one.fire(`retry ${slotKey(CLOSING)}`), "close")).toEqual([]);
  });

  it("is not proposed: it has no close to show", () => {
    const one = new Single(new Cluster(4).node(NAMES.indexOf(proposerIn(CLOSING, 1))));
    const outputs = justification().flatMap((change) => one.take(envelope(change)));
    expect(one.state.slots.records.get(slotKey(CLOSING))?.round).toBe(1);
    expect(signed(outputs, "proposal")).toEqual([]);
  });
});

it.each([
  ["by its certificate", decisionOf(X, ALICE).seals, 1],
  ["by no certificate", [], 0],
])("the content of a decision that is proved %s is kept, or not", (_, seals, count) => {
  const one = single();
  const certificate = { ...decisionOf(X, ALICE), seals };
  one.take({ type: "decisions", decided: [{ certificate, content: contentOf(X) }], contents: [] });
  expect(one.state.slots.contents.size).toBe(count);
});

describe("a reason of a burn", () => {
  const shown = (slot: Slot, content: Content): PeerMessage => {
    const vote = by("v2", {
      type: "vote",
      epoch: EPOCH,
      slot,
      round: 0 as Round,
      value: valueHash(contentOf(X).value),
    });
    return { ...roundChange("v2", slot), reason: { kind: "burn", content, vote } } as PeerMessage;
  };

  it.each([
    ["in the account's slot", ALICE, BURN, 1],
    ["that shows what is no burn", ALICE, contentOf(X), 0],
    ["in the slot of a token", DOLLAR, BURN, 0],
  ])("is kept with its content, or neither is: %s", (_, slot, content, count) => {
    const one = applied([BURNER, BURNED]);
    const before = one.state.slots.contents.size;
    one.take(shown(slot, content));
    const { contents, reasons } = one.state.slots;
    expect([contents.size - before, reasons.size]).toEqual([count, count]);
  });
});

describe("a skip", () => {
  const DAVE = accountSlot("dave");
  const reason = {
    kind: "cancellation",
    cancellation: cancellation("dave", 0),
    displaced: payment("dave", 0, "bob", 1n),
  } as const;

  it("that does not prove itself to its proposer is not proposed", () => {
    const proposals = (contentFault: typeof rules.validator.contentFault): number => {
      const cluster = new Cluster(4, 5, { ...rules, validator: { ...rules.validator, contentFault } });
      const one = new Single(cluster.node(NAMES.indexOf(proposerIn(DAVE, 1))));
      one.take({ type: "disclosure", slot: DAVE, reason });
      return signed(
        NAMES.slice(0, 3).flatMap((name) => one.take(roundChange(name, DAVE))),
        "proposal",
      ).length;
    };
    expect([proposals(rules.validator.contentFault), proposals(() => "no proof")]).toEqual([1, 0]);
  });
});

describe("a list", () => {
  it("is proposed without the decisions that authorised it, as after a state transfer", () => {
    const proposals = (isKnown: boolean): number => {
      const cluster = new Cluster(4);
      const one = new Single(cluster.node(NAMES.indexOf(proposerIn(DOLLAR, 1))));
      one.take(decisionOn(ISSUER, contentOf(PAUSED)));
      if (!isKnown) one.state.slots.records.delete(slotKey(ISSUER));
      return signed(
        NAMES.slice(0, 3).flatMap((name) => one.take(roundChange(name, DOLLAR))),
        "proposal",
      ).length;
    };
    expect([proposals(true), proposals(false)]).toEqual([1, 1]);
  });
});

it("the timer of a checkpoint that is not the next one opens no slot", () => {
  const one = single(POLICY);
  const outputs = one.fire(`checkpoint ${slotKey(checkpointSlot(5))}`);
  expect(signed(outputs, "roundChange")).toEqual([]);
  expect(one.state.slots.records.size).toBe(0);
  expect(signed(one.fire(`checkpoint ${slotKey(checkpointSlot(1))}`), "roundChange")).toHaveLength(1);
});

describe("a vote", () => {
  const vote = (slot: AccountSlot, operation: SignedOperation): PeerMessage => {
    const content = contentOf(operation);
    const value = valueHash(content.value) as Hash;
    const body = by("v2", { type: "vote", epoch: EPOCH, slot, round: 0 as Round, value });
    return { type: "consensus", body, contents: [content], reason: undefined };
  };

  it("reveals a conflict in the next slot only", () => {
    const pendingAfter = (sequence: number): number => {
      const one = single();
      const slot = accountSlot("alice", sequence);
      const other = contentOf(payment("alice", sequence, "carol", 10n));
      const body = certificateOf("lock", slot, valueHash(other.value));
      one.take(envelope(body));
      one.take(vote(slot, payment("alice", sequence, "bob", 10n)));
      return one.state.mempool.pending.size;
    };
    expect([pendingAfter(0), pendingAfter(1)]).toEqual([1, 0]);
  });

  it("is shown with a reason, and no commit is", () => {
    const cluster = new Cluster(4);
    // The relay holds all votes, and the commits of two.
    cluster.cut = (from, _, message) => message.type === "consensus" && message.body.type === "commit" && from > 1;
    cluster.submit(0, X);
    cluster.run(50);
    const state = cluster.node(0);
    const kinds = state.slots.records.get(slotKey(ALICE))?.ballots.map(({ type, seals }) => [type, seals.length]);
    expect(kinds).toContainEqual(["commit", 2]);
    expect(new Set(votesOf(state, ALICE).map(({ type }) => type))).toEqual(new Set(["vote"]));
    expect(votesOf(state, ALICE).length).toBeGreaterThanOrEqual(3);
  });
});

it("a cancellation makes no reason with an operation of a later nonce", () => {
  const one = single();
  one.take({ type: "offer", slot: accountSlot("alice", 1), content: contentOf(payment("alice", 1, "bob", 1n)) });
  const outputs = one.submit(cancellation("alice", 0));
  expect(one.state.mempool.pending.size).toBe(2);
  expect(signed(outputs, "roundChange")).toEqual([]);
  expect(one.state.slots.reasons.size).toBe(0);
});

describe("a due burn", () => {
  it("begins no turn of an owner whose operation came first", () => {
    const one = applied([BURNER, BURNED], [ALICE, X]);
    expect(one.state.ledger.authorised.size).toBe(1);
    expect(one.state.slots.ownersTurns.size).toBe(0);
  });

  it.each([
    ["a cancellation of its nonce is known", "cancellation", OWNERS_TURN_MS],
    ["evidence is known, and nobody has voted", "equivocation", 0],
    ["nothing of the owner can be decided", undefined, 0],
  ])("begins a turn of the owner, or none, where %s", (_, kind, until) => {
    const one = applied([BURNER, BURNED]);
    // Nothing funds either of the two.
    const [first, second] = ["bob", "carol"].map((to) => payment("alice", 0, to, 5_000n)) as [typeof X, typeof X];
    const reason =
      kind === "cancellation"
        ? ({ kind, cancellation: cancellation("alice", 0), displaced: first } as const)
        : ({ kind: "equivocation", proof: { first, second } } as const);
    if (kind !== undefined) one.take({ type: "disclosure", slot: ALICE, reason });
    one.take(decisionOn(ALICE, BURN));
    expect(one.state.slots.ownersTurns.get(ALICE.address)?.until).toBe(until);
  });

  it("waits for nothing in the round in which this validator has voted for it, though a credit changes its outcome", () => {
    const large = burn("burner", 0, "alice", 1_500n);
    const content: Content = {
      value: { type: "burn", id: idOf(large), outcome: "failed" },
      operations: [large],
      certificates: [decisionOf(large, BURNER)],
    };
    const proposer = proposerIn(ALICE, 1);
    const one = new Single(new Cluster(4).node(NAMES.findIndex((name) => name !== proposer)));
    one.take(decisionOn(BURNER, contentOf(large)));
    const [round, value] = [1 as Round, valueHash(content.value)];
    const justification = NAMES.slice(0, 3).map((name) => changeBy(name, ALICE));
    const proposal = by(proposer, { type: "proposal", epoch: EPOCH, slot: ALICE, round, value, justification });
    const outputs = one.take({ type: "consensus", body: proposal, contents: [content], reason: undefined }, proposer);
    expect(signed(outputs, "vote")).toHaveLength(1);
    one.take(decisionOn(accountSlot("bob"), contentOf(payment("bob", 0, "alice", 600n))));
    expect(one.state.slots.waiting.size).toBe(0);
  });

  it("is offered without the decision that authorised it, as after a state transfer", () => {
    const offers = (isKnown: boolean): number => {
      const one = applied([BURNER, BURNED]);
      if (!isKnown) one.state.slots.records.delete(slotKey(BURNER));
      one.at = BURN_RELAY_MS;
      return sent(one.fire(`burn ${ALICE.address}`), "offer").length;
    };
    expect([offers(true), offers(false)]).toEqual([1, 1]);
  });
});

describe("a slot far ahead", () => {
  it("causes requests for its predecessors at a bounded rate", () => {
    const cluster = new Cluster(4);
    const slot = { kind: "checkpoint" as const, number: (2 ** 50) as never };
    for (let round = 1; round <= 50; round++) cluster.inject(1, 0, envelope(changeBy("v2", slot, round)));
    cluster.run(FETCH_MS - 1);
    expect(cluster.messages.filter(({ type }) => type === "fetch")).toHaveLength(1);
  });
});

const POOR = payment("bob", 0, "carol", 5_000n);

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

describe("a vote that is asked for again", () => {
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

it("an offer of a slot that is decided without its content here brings no second round change", () => {
  const [slot, paid] = [accountSlot("alice"), payment("alice", 0, "bob", 1n)];
  const decision = decisionOf(paid, slot);
  const one = new Single(new Cluster(4).node(2));
  const first = [
    envelope(certificateOf("lock", slot, decision.value)),
    ...["v1", "v2"].map((name) => roundChange(name, slot)),
  ].flatMap((message) => signed(one.take(message), "roundChange"));
  expect(first).toMatchObject([{ round: 1, lock: { round: 0, value: decision.value } }]);
  one.take(envelope(decision));
  const second = one.take({ type: "offer", slot, content: contentOf(paid) }, "v4");
  expect(signed(second, "roundChange")).toEqual([]);
  expect(one.state.sync.applied).toBe(1);
});

it("an operation whose nonce is used up, and that waits for its token's slot, is barred by nothing", () => {
  const cluster = new Cluster(4);
  cluster.cut = (_, __, message) => message.type === "consensus" && message.body.slot.kind === "token";
  const paused = pause("issuer", 0, "Pause");
  const id = cluster.submit(0, paused);
  cluster.run(200);
  const { ledger, mempool } = cluster.node(0);
  expect([ledger.authorised.size, mempool.pending.get(id)?.disclosed]).toEqual([1, true]);
  expect(barringRefusal(cluster.node(0), paused)).toBeUndefined();
});
