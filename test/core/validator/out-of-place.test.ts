/** Messages and certificates that are out of place, and requests that are sent once. */

import { describe, expect, it } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { CheckpointNumber, Epoch, Hash, Round, Version } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type AccountSlot, type Slot, slotKey, type TokenSlot } from "../../../src/core/base/slot.ts";
import type { LockCertificate, Vote } from "../../../src/core/consensus/message.ts";
import { newSlot } from "../../../src/core/consensus/slot-state.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { BURN_RELAY_MS, FETCH_MS, OWNERS_TURN_MS, WAIT_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, Reason, Status } from "../../../src/core/validator/message.ts";
import type { SlotRecord } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { votesOf } from "../../../src/core/validator/slots/round-change-reasons.ts";
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
  envelope,
  NAMES,
  proposalOn,
  proposerIn,
  voteOn,
} from "./support/certificates.ts";
import { CLOSING, checkpointOf, checkpointSlot, decisionOn, type Part } from "./support/closings.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { addressOf, burn, cancellation, idOf, pause, payment, proposalOf, USD } from "./support/operations.ts";
import { contextOf, only, Single, sent, signed, timers } from "./support/single.ts";

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

const reasonToClose = ({ state }: Single) =>
  ({ kind: "closing", cause: { kind: "proposal", signed: proposalOf(state.ledger.parameters, EPOCH) } }) as const;

function closed(one: Single): Single {
  one.take({ type: "disclosure", slot: CLOSING, reason: reasonToClose(one) });
  expect(one.state.epochs.closed).toBeDefined();
  return one;
}

const roundChange = (name: string, slot: Slot, reason?: Reason): PeerMessage =>
  envelope(changeBy(name, slot), [], reason);

/** The validator that proposes in round 1 of a slot, and the round changes that ask it to. */
const proposerOfRound1 = (slot: Slot, cluster = new Cluster(4)): Single =>
  new Single(cluster.node(NAMES.indexOf(proposerIn(slot, 1))));
const proposalsIn = (one: Single, slot: Slot): number =>
  NAMES.slice(0, 3).flatMap((name) => signed(one.take(roundChange(name, slot)), "proposal")).length;

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
      const one = proposerOfRound1(ALICE);
      const proof = { first: X, second: payment("alice", 0, "carol", 10n) };
      one.take({ type: "disclosure", slot: ALICE, reason: { kind: "equivocation", proof } });
      const outputs = NAMES.slice(0, 3).flatMap((name, at) =>
        one.take(roundChange(name, ALICE, isEnd && at === 2 ? reasonToClose(one) : undefined)),
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
  one.take(roundChange("v2", ALICE, reasonToClose(one)));
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

it("a closing that a lock forces is voted for before the end of the epoch is heard of, and no close is sent", () => {
  const one = single();
  const proposer = proposerIn(CLOSING, 1);
  const lock = certificateOf("lock", CLOSING, valueHash(LIST.value)) as LockCertificate;
  const justification = NAMES.slice(0, 3).map((name) => changeBy(name, CLOSING, 1, lock));
  const { body } = proposalOn(proposer, CLOSING, LIST, 1, justification);
  expect(signed(one.take(envelope(body), proposer), "vote")).toHaveLength(1);
  expect(one.state.epochs.closed).toBeUndefined();
  expect(signed(one.fire(`retry ${slotKey(CLOSING)}`), "close")).toEqual([]);
});

it("the content of a decision that its certificate does not prove is not kept", () => {
  const one = single();
  const certificate = { ...decisionOf(X, ALICE), seals: [] };
  one.take({ type: "decisions", decided: [{ certificate, content: contentOf(X) }], contents: [] });
  expect(one.state.slots.contents.size).toBe(0);
});

describe("a reason of a burn", () => {
  const vote = voteOn("v2", ALICE, contentOf(X)).body as Vote;
  const shown = (slot: Slot, content: Content): PeerMessage =>
    roundChange("v2", slot, { kind: "burn", content, vote: { ...vote, slot } });

  it.each([
    ["in the account's slot", ALICE, BURN, 1],
    ["that shows what is no burn", ALICE, contentOf(X), 0],
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
      const one = proposerOfRound1(
        DAVE,
        new Cluster(4, 5, { ...rules, validator: { ...rules.validator, contentFault } }),
      );
      one.take({ type: "disclosure", slot: DAVE, reason });
      return proposalsIn(one, DAVE);
    };
    expect([proposals(rules.validator.contentFault), proposals(() => "no proof")]).toEqual([1, 0]);
  });
});

describe("a list", () => {
  it("is proposed without the decisions that authorised it, as after a state transfer", () => {
    const proposals = (isKnown: boolean): number => {
      const one = proposerOfRound1(DOLLAR);
      one.take(decisionOn(ISSUER, contentOf(PAUSED)));
      if (!isKnown) one.state.slots.records.delete(slotKey(ISSUER));
      return proposalsIn(one, DOLLAR);
    };
    expect([proposals(true), proposals(false)]).toEqual([1, 1]);
  });
});

it("the timer of a checkpoint that is not the next one opens no slot", () => {
  const one = single(RARE);
  const outputs = one.fire(`checkpoint ${slotKey(checkpointSlot(5))}`);
  expect(signed(outputs, "roundChange")).toEqual([]);
  expect(one.state.slots.records.size).toBe(0);
  expect(signed(one.fire(`checkpoint ${slotKey(checkpointSlot(1))}`), "roundChange")).toHaveLength(1);
});

describe("a vote", () => {
  it("reveals a conflict in the next slot only", () => {
    const pendingAfter = (sequence: number): number => {
      const one = single();
      const slot = accountSlot("alice", sequence);
      const other = contentOf(payment("alice", sequence, "carol", 10n));
      one.take(envelope(certificateOf("lock", slot, valueHash(other.value))));
      one.take(voteOn("v2", slot, contentOf(payment("alice", sequence, "bob", 10n))));
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
    const justification = NAMES.slice(0, 3).map((name) => changeBy(name, ALICE));
    const outputs = one.take(proposalOn(proposer, ALICE, content, 1, justification), proposer);
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
    const context = contextOf(state);
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
    one.take(decisionOn(ALICE, contentOf(X)));
    const asked = (...applied: AccountSlot[]): readonly (readonly Slot[])[] =>
      sent(one.take(status({ applied })), "fetch").map(({ slots }) => slots);
    expect(asked()).toEqual([]);
    expect(asked(ALICE)).toEqual([]);
    expect(asked(ALICE, accountSlot("bob"))).toEqual([[accountSlot("bob")]]);
  });

  it("are answered with a status where the peer does not show what is applied here, once a while", () => {
    const one = single();
    one.take(decisionOn(ALICE, contentOf(X)));
    const count = (more: Partial<Status>): number => sent(one.take(status(more)), "status").length;
    expect(count({ answer: false, applied: [ALICE] })).toBe(0);
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
    const outputs = one.take(decisionOn(ALICE, contentOf(X)));
    expect(only(outputs, "event").map(({ event }) => event.type)).toContain("applied");
    expect(only(outputs, "cancelTimer").filter(({ name }) => name.startsWith("wait"))).toEqual([]);
    expect(one.state.slots.waiting.size).toBe(1);
  });

  it("of a due checkpoint are set by the first slot that it has to list, and by no later one", () => {
    const cluster = new Cluster(4, 5, rules, RARE);
    for (let nonce = 0; nonce < 5; nonce++) {
      cluster.submit(0, payment("alice", nonce, "bob", 1n));
      cluster.run(cluster.now + 100);
    }
    expect(cluster.node(0).sync.log.size).toBe(5);
    expect(timers(cluster.outputs(0)).filter((name) => name.startsWith("due"))).toHaveLength(1);
  });

  it("of open slots stay when a checkpoint ends those of the slots that it lists", () => {
    const cluster = new Cluster(4, 5, rules, { ...RARE, slots: 1 });
    const carol = slotKey(accountSlot("carol"));
    cluster.cut = (_, __, message) =>
      message.type === "consensus" && message.body.type === "vote" && slotKey(message.body.slot) === carol;
    cluster.submit(1, payment("carol", 0, "bob", 1n));
    cluster.submit(0, payment("alice", 0, "bob", 1n));
    cluster.run(200);
    expect(cluster.node(1).checkpoints.last.header.number).toBe(1);
    expect([...cluster.node(1).slots.retries.entries()]).toEqual([[carol, 0]]);
    expect(only(cluster.outputs(1), "cancelTimer").map(({ name }) => name)).not.toContain(`retry ${carol}`);
  });
});

it("a checkpoint is not proposed before its voters can accept its time", () => {
  const cluster = new Cluster(4, 5, rules, { ...RARE, slots: 1, periodSeconds: 60 });
  const proposals = (): number =>
    cluster.signatures.filter(({ type, slot }) => type === "proposal" && slot.kind === "checkpoint").length;
  cluster.submit(0, payment("alice", 0, "bob", 1n));
  cluster.run(54_000);
  expect(proposals()).toBe(0);
  cluster.run(61_000);
  expect(proposals()).toBe(1);
});

it("a checkpoint erases the records of the slots that it lists, and no record that there never was", () => {
  const alice: Part = [ALICE, X];
  const erased = (decisions: readonly PeerMessage[]): readonly string[] => {
    const one = single(RARE);
    for (const message of decisions) one.take(message);
    const first = checkpointOf(one.state, one.state.checkpoints.last, [alice]);
    return only(one.take(decisionOn(checkpointSlot(1), first)), "erase").map(({ key }) => key);
  };
  expect(erased([])).toEqual([]);
  expect(erased([decisionOn(ALICE, contentOf(X))])).toEqual([slotKey(ALICE)]);
});

describe("a vote that is asked for again", () => {
  it("opens no record: it answers a request, and there was none", () => {
    const one = single();
    const { body } = voteOn("v2", ALICE, contentOf(X));
    for (const type of ["vote", "commit"] as const) one.take(envelope(by("v2", { ...(body as Vote), type })));
    expect(one.state.slots.records.size).toBe(0);
  });

  it("is not repeated for a proposal by a validator whose turn it is not", () => {
    const cluster = new Cluster(4, 5, rules, { ...RARE, slots: 1 });
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
  const decision = decisionOf(X, ALICE);
  const one = new Single(new Cluster(4).node(2));
  const first = [
    envelope(certificateOf("lock", ALICE, decision.value)),
    ...["v1", "v2"].map((name) => roundChange(name, ALICE)),
  ].flatMap((message) => signed(one.take(message), "roundChange"));
  expect(first).toMatchObject([{ round: 1, lock: { round: 0, value: decision.value } }]);
  one.take(envelope(decision));
  const second = one.take({ type: "offer", slot: ALICE, content: contentOf(X) }, "v4");
  expect(signed(second, "roundChange")).toEqual([]);
  expect(one.state.sync.applied).toBe(1);
});

it("an operation whose nonce is used up, and that waits for its token's slot, is barred by nothing", () => {
  const cluster = new Cluster(4);
  cluster.cut = (_, __, message) => message.type === "consensus" && message.body.slot.kind === "token";
  const id = cluster.submit(0, PAUSED);
  cluster.run(200);
  const { ledger, mempool } = cluster.node(0);
  expect([ledger.authorised.size, mempool.pending.get(id)?.disclosed]).toEqual([1, true]);
  expect(barringRefusal(cluster.node(0), PAUSED)).toBeUndefined();
});
