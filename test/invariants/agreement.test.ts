import { describe, expect, test } from "vitest";
import { agreement } from "../../src/invariants/oracles/agreement.ts";
import { checkpoint, checkpointSlot, claim, closing, epochSlotOf, POLICY, parametersOf } from "./closings.ts";
import { finder, judged, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const SLOT = v.accountSlot(v.ALICE, 0);
const [X, Y] = [v.hash("value x"), v.hash("value y")];
const DECISION = v.own("x", 0, v.payment(v.ALICE, 0, v.BOB, 1));
const OTHER = v.own("y", 0, v.payment(v.ALICE, 0, v.CAROL, 1));
const THREE = ["v1", "v2", "v3"];
const LAST = ["v2", "v3", "v4"];
const find = finder(agreement);

const fresh = (options: v.SettingOptions = {}): Stream =>
  new Stream(v.setting(options)).content(X, DECISION).content(Y, OTHER);
/** A quorum of x, or of another value. */
const final = (stream = fresh(), value = X, nodes: readonly string[] = THREE, round = 0): Stream =>
  stream.vote(nodes, SLOT, value, round).commit(nodes, SLOT, value, round);

/** A client calls the operation of this name final, with the receipt of another one or its own. */
const called = (name: string, more: Parameters<Stream["answer"]>[3], receipt = name): Stream =>
  final().answer("alice", name, { status: "final", receipt: v.receiptOf(receipt, SLOT, 1) }, more);
const decided = (signers: readonly string[], round = 0): Stream => final().decide("v1", SLOT, X, signers, round);

test("two values with q commits in one round are found, delivered or not, and double signers reported faulty", () => {
  const stream = final(final(fresh({ byzantine: ["v3", "v4"] }), X, ["v1", "v3", "v4"]), Y, LAST);
  const found = judged(agreement(), stream).filter(({ detail }) => detail.includes("two values"));
  expect(found).toMatchObject([
    { faulty: [v.address("v3"), v.address("v4")], detail: expect.stringContaining("v1, v3 and v4") },
  ]);
});

describe("found is", () =>
  testRuns(find, [
    [
      "two values with q commits in different rounds",
      () => final(final(fresh({ byzantine: ["v3", "v4"] }), X, ["v1", "v3", "v4"]).change(LAST, SLOT, 1), Y, LAST, 1),
      "in round 0 by v1, v3 and v4 and operation",
    ],
    [
      "not one value in two rounds",
      () => final(final().change(["v4", "v1", "v2"], SLOT, 1, { round: 0, value: X }), X, [...THREE, "v4"], 1),
    ],
    ["two lock certificates", () => fresh().vote(THREE, SLOT, X).vote(LAST, SLOT, Y), "two lock certificates"],
    [
      "an honest commit on fewer than q votes",
      () => fresh().vote(["v1", "v2"], SLOT, X).commit(["v1"], SLOT, X),
      "v1 committed to operation 0x78",
    ],
    ["a certificate with too few signers", () => decided(["v1", "v2"]), "2 of 3 commits"],
    ["a certificate with a signer twice", () => decided(["v1", "v2", "v2"]), "repeated signer"],
    ["a certificate with an outsider", () => decided(["v1", "v2", "stranger"]), "is not a member"],
    ["a certificate with one that did not commit", () => decided(["v1", "v2", "v4"]), "v4 has no such commit"],
    ["a certificate of another round", () => decided(THREE, 1), ""],
    [
      "final on too few commits",
      () => called("x", { slot: SLOT, value: X, quorum: 2 }),
      "with 2 commits verified, expected 3",
    ],
    ["final on another value", () => called("x", { slot: SLOT, value: Y, quorum: 3 }), "has no quorum of commits"],
    ["final on no slot", () => called("x", { quorum: 3 }), "without the decided value and slot"],
    [
      "final on another operation's certificate",
      () => called("y", { slot: SLOT, value: X, quorum: 3 }),
      "slot 0 of account",
    ],
    ["not final on its own", () => called("x", { slot: SLOT, value: X, quorum: 3 })],
    [
      "final on another operation's receipt",
      () => called("x", { slot: SLOT, value: X, quorum: 3 }, "y"),
      "but the receipt is for",
    ],
  ]));

const FIRST = v.hash("checkpoint 1");
const LOCKED = claim(SLOT, X, { locked: 0 });
const linked = (listing: readonly (readonly [typeof DECISION, string])[], committers: readonly string[]): Stream =>
  fresh({ genesis: { checkpoints: POLICY } })
    .content(FIRST, { value: checkpoint(1, listing), operations: listing.flatMap(([one]) => one.operations) })
    .vote(THREE, checkpointSlot(1), FIRST)
    .commit(committers, checkpointSlot(1), FIRST);
const almost = (): Stream => fresh().vote(THREE, SLOT, X).commit(["v1", "v2"], SLOT, X);

/** A second closing of the first epoch is final. */
function closedTwice(): Stream {
  const stream = fresh().turn().inEpoch(0);
  const [slot, name] = [epochSlotOf(0), v.hash("other")];
  const value = closing({ next: parametersOf(stream.setting), listing: [[DECISION, "x"]] });
  stream.content(name, { value, operations: DECISION.operations });
  return stream.change(THREE, slot, 1).vote(THREE, slot, name, 1).commit(THREE, slot, name, 1);
}

describe("the closing of an epoch breaks agreement that", () =>
  testRuns(find, [
    [
      "neither lists nor follows what is final there",
      () => final().turn(),
      /^operation 0x78.* is final in slot 0 .*, and the closing of epoch 0 neither lists nor/,
    ],
    ["does not yet, before the last commit was signed", () => almost().turn().inEpoch(0)],
    ["does so then", () => almost().turn().inEpoch(0).commit(["v3"], SLOT, X), "neither lists nor follows it"],
    [
      "lists another value than is final",
      () => final().turn([], { listing: [[OTHER, "y"]] }),
      "and the closing of epoch 0 decides operation 0x79",
    ],
    [
      "decides another value than the next epoch",
      () => final(fresh().turn([LOCKED], { listing: [[DECISION, "x"]] }), Y),
      "in round 0 of epoch 1 by v1, v2 and v3 is final in slot 0",
    ],
    ["is not the only one", closedTwice, "the closing of epoch 0 has two values with 3 commits"],
    [
      "left out what a later one decides otherwise",
      () =>
        almost()
          .turn()
          .vote(THREE, SLOT, Y)
          .turn([claim(SLOT, Y, { locked: 0 })], { number: 2, listing: [[OTHER, "y"]] })
          .inEpoch(0)
          .commit(["v3"], SLOT, X),
      "and the closing of epoch 0 neither lists nor follows it",
    ],
    [
      "builds on an earlier checkpoint than is final",
      () => linked([], THREE).turn([], { name: "closing" }),
      /is final in checkpoint 1, and the closing of epoch 0 decides the closing of epoch 0/,
    ],
    [
      "is left out by what a quorum makes final in the slots of two epochs",
      () => final(final().turn(), Y),
      "neither lists nor follows it",
      "has two values with 3 commits: operation 0x78",
    ],
  ]));

const seven = (quorum?: number): Stream => {
  const stream = new Stream(v.setting({ validators: 7 })).content(X, DECISION);
  const next = { ...parametersOf(stream.setting), validators: v.members([...THREE, "v4"]) };
  final(stream.turn([], { next })).decide("v1", SLOT, X, THREE);
  return quorum === undefined
    ? stream
    : stream.answer(
        "alice",
        "x",
        { status: "final", receipt: v.receiptOf("x", SLOT, 1) },
        { slot: SLOT, value: X, quorum },
      );
};

/** A client is shown the closing that decides a locked operation, for the operation of this name. */
const shown = (name: string): Stream =>
  fresh()
    .vote(THREE, SLOT, X)
    .turn([LOCKED], { listing: [[DECISION, "x"]] })
    .answer(
      "alice",
      name,
      { status: "final", receipt: v.receiptOf(name, SLOT, 1) },
      { slot: epochSlotOf(0), value: FIRST, quorum: 3 },
    );

/** Byzantine nodes sign both values for the next epoch. */
const early = (nodes: string[]): Stream =>
  final(final(fresh({ byzantine: nodes }).inEpoch(1), X, nodes), Y, nodes).inEpoch(0);

const splitAcross = (): Stream =>
  fresh()
    .vote(THREE, SLOT, X)
    .commit(["v1"], SLOT, X)
    .turn([LOCKED], { listing: [[DECISION, "x"]] })
    .vote(["v4"], SLOT, Y)
    .commit(["v2", "v3"], SLOT, X);

/** Epoch 1 has the committee v3 to v6, of six nodes; these sign x there, and v1 decides it with these signers. */
function afterHandover(nodes: readonly string[], signers: readonly string[]): Stream {
  const base = v.setting({ validators: 6 });
  const stream = new Stream({ ...base, genesis: { ...base.genesis, validators: v.members([...THREE, "v4"]) } });
  const next = { ...parametersOf(stream.setting), validators: v.members(["v3", "v4", "v5", "v6"]) };
  stream.content(X, DECISION).turn([], { next, nodes: [...THREE, "v4"], appliers: stream.names() });
  return final(stream, X, nodes).decide("v1", SLOT, X, signers);
}
const GOOD = ["v4", "v5", "v6"];
const FINAL = { status: "final", receipt: v.receiptOf("x", SLOT, 1) } as const;

describe("a certificate of an epoch", () =>
  testRuns(find, [
    ["counts with that epoch's committee", () => afterHandover(GOOD, GOOD)],
    [
      "does not count with an earlier one's, in a node or at a client",
      () => afterHandover(["v1", "v2"], THREE).answer("alice", "x", FINAL, { slot: SLOT, value: X, quorum: 3 }),
      /in epoch 1: v1 is not a member; v2 is not a member; v3 has no such commit; 0 of 3 commits/,
      "has no quorum of commits",
    ],
    [
      "that no node has opened is invalid",
      () => final(fresh().inEpoch(1)).decide("v1", SLOT, X, THREE),
      "no honest validator has opened that epoch",
    ],
  ]));

describe("agreement holds across epochs", () =>
  testRuns(find, [
    ["where the closing lists what is final", () => final().turn([claim(SLOT, X)], { listing: [[DECISION, "x"]] })],
    [
      "where it lists what was only locked",
      () =>
        fresh()
          .vote(THREE, SLOT, X)
          .commit(["v1"], SLOT, X)
          .turn([LOCKED], { listing: [[DECISION, "x"]] })
          .inEpoch(0)
          .commit(["v2", "v3"], SLOT, X),
    ],
    [
      "where it follows a checkpoint that lists it, be it only locked",
      () =>
        final(linked([[DECISION, "x"]], ["v1", "v2"])).turn([claim(checkpointSlot(1), FIRST, { locked: 0 })], {
          number: 2,
        }),
    ],
    ["where a void slot is decided otherwise", () => final(fresh().vote(["v1", "v2"], SLOT, X).turn(), Y)],
    ["with the quorum of its own committee", () => seven(3)],
    ["not with fewer commits", () => seven(2), "with 2 commits verified, expected 3"],
    ["with signatures from before it opened", () => final(early(["v1", "v2"]).turn(), X, ["v3"])],
    [
      "until such signatures alone break it",
      () => early(THREE).turn(),
      "two lock certificates",
      "two values with 3 commits",
    ],
    ["not before they count", () => early(THREE)],
    ["where a client is shown the closing that decides its locked operation", () => shown("x")],
    ["not where it decides another one", () => shown("y"), "but the closing of epoch 0 decided"],
    [
      "where signatures of one epoch make no certificate of another",
      splitAcross,
      "v2 committed to operation 0x78",
      "v3 committed to operation 0x78",
    ],
  ]));

test("signatures from before the epoch opened count, and name who signed twice", () => {
  const stream = final(final(early(["v1", "v2"]).turn(), X, ["v3"]), Y, ["v4"]);
  const breaks = judged(agreement(), stream).filter(({ detail }) => detail.includes("two values"));
  expect(breaks.map(({ faulty }) => faulty)).toEqual([[v.address("v1"), v.address("v2")]]);
});
