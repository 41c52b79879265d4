import { describe, expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { agreement } from "../../src/invariants/oracles/agreement.ts";
import { checkpoint, checkpointSlot, claim, closing, epochSlotOf, POLICY, parametersOf } from "./closings.ts";
import { details, judged, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  address,
  BOB,
  CAROL,
  hash,
  members,
  own,
  payment,
  receiptOf,
  type SettingOptions,
  setting,
} from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("value x"), hash("value y")];
const DECISION = own("x", 0, payment(ALICE, 0, BOB, 1));
const OTHER = own("y", 0, payment(ALICE, 0, CAROL, 1));

function split(byzantine: readonly string[]): Stream {
  return new Stream(setting({ byzantine })).content(X, DECISION).content(Y, OTHER);
}

test("two values with q commits in one round are found, delivered or not, and double signers reported faulty", () => {
  const stream = split(["v3", "v4"]);
  stream.vote(["v1", "v3", "v4"], SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  stream.commit(["v1", "v3", "v4"], SLOT, X).commit(["v2", "v3", "v4"], SLOT, Y);
  const found = judged(agreement(stream.setting), stream).filter(({ detail }) => detail.includes("two values"));
  expect(found).toHaveLength(1);
  expect(found[0]?.faulty).toEqual([address("v3"), address("v4")]);
  expect(found[0]?.detail).toContain("v1, v3 and v4");
});

test("two values with q commits in different rounds are found", () => {
  const stream = split(["v3", "v4"]);
  stream.vote(["v1", "v3", "v4"], SLOT, X).commit(["v1", "v3", "v4"], SLOT, X);
  stream
    .change(["v2", "v3", "v4"], SLOT, 1)
    .vote(["v2", "v3", "v4"], SLOT, Y, 1)
    .commit(["v2", "v3", "v4"], SLOT, Y, 1);
  expect(details(agreement(stream.setting), stream).join()).toContain("in round 0 by v1, v3 and v4 and operation");
});

test("one value with q commits in two rounds is no violation", () => {
  const stream = split([]);
  stream.vote(stream.names(), SLOT, X).commit(["v1", "v2", "v3"], SLOT, X);
  stream
    .change(["v4", "v1", "v2"], SLOT, 1, { round: 0, value: X })
    .vote(stream.names(), SLOT, X, 1)
    .commit(stream.names(), SLOT, X, 1);
  expect(details(agreement(stream.setting), stream)).toEqual([]);
});

test("two lock certificates of one round are found", () => {
  const stream = split([]);
  stream.vote(["v1", "v2", "v3"], SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  expect(details(agreement(stream.setting), stream)).toEqual([expect.stringContaining("two lock certificates")]);
});

test("an honest commit on fewer than q votes is found", () => {
  const stream = split([]).vote(["v1", "v2"], SLOT, X).commit(["v1"], SLOT, X);
  expect(details(agreement(stream.setting), stream)).toEqual([
    expect.stringContaining("v1 committed to operation 0x78"),
  ]);
});

test.each([
  ["too few signers", ["v1", "v2"], "2 of 3 commits"],
  ["a signer counted twice", ["v1", "v2", "v2"], "repeated signer"],
  ["an outsider", ["v1", "v2", "stranger"], "is not a member"],
  ["a member that did not commit", ["v1", "v2", "v4"], "v4 has no such commit"],
])("an accepted certificate with %s is found", (_what, signers, words) => {
  const stream = split([])
    .vote(["v1", "v2", "v3"], SLOT, X)
    .commit(["v1", "v2", "v3"], SLOT, X)
    .decide("v1", SLOT, X, signers);
  expect(details(agreement(stream.setting), stream)).toEqual([expect.stringContaining(words)]);
});

test("commits of another round do not make a certificate", () => {
  const stream = split([])
    .vote(["v1", "v2", "v3"], SLOT, X)
    .commit(["v1", "v2", "v3"], SLOT, X)
    .decide("v1", SLOT, X, ["v1", "v2", "v3"], 1);
  expect(details(agreement(stream.setting), stream)).toHaveLength(1);
});

test.each([
  ["fewer than q commits", { slot: SLOT, value: X, quorum: 2 }, "with 2 commits verified, expected 3"],
  ["a value that no quorum committed", { slot: SLOT, value: Y, quorum: 3 }, "has no quorum of commits"],
  ["no slot", { quorum: 3 }, "without the decided value and slot"],
])("a client that calls final on %s is found", (_what, more, words) => {
  const stream = split([]).vote(["v1", "v2", "v3"], SLOT, X).commit(["v1", "v2", "v3"], SLOT, X);
  stream.answer("alice", "x", { status: "final", receipt: receiptOf("x", SLOT, 1) }, more);
  expect(details(agreement(stream.setting), stream)).toEqual([expect.stringContaining(words)]);
});

test("a client that takes another operation's certificate for its own is found", () => {
  const stream = split([]).vote(["v1", "v2", "v3"], SLOT, X).commit(["v1", "v2", "v3"], SLOT, X);
  stream.answer(
    "alice",
    "y",
    { status: "final", receipt: receiptOf("y", SLOT, 1) },
    { slot: SLOT, value: X, quorum: 3 },
  );
  expect(details(agreement(stream.setting), stream)[0]).toContain(`slot 0 of account`);
  expect(slotKey(SLOT)).toContain("account/");
});

test("a client that takes another operation's receipt for its own is found", () => {
  const received = (name: string): readonly string[] => {
    const stream = split([]).vote(["v1", "v2", "v3"], SLOT, X).commit(["v1", "v2", "v3"], SLOT, X);
    const receipt = receiptOf(name, SLOT, 1);
    stream.answer("alice", "x", { status: "final", receipt }, { slot: SLOT, value: X, quorum: 3 });
    return details(agreement(stream.setting), stream);
  };
  expect(received("x")).toEqual([]);
  expect(received("y")).toEqual([expect.stringContaining("but the receipt is for")]);
});

const THREE = ["v1", "v2", "v3"];

function fresh(options: SettingOptions = {}): Stream {
  return new Stream(setting(options)).content(X, DECISION).content(Y, OTHER);
}

function found(stream: Stream): readonly string[] {
  return details(agreement(stream.setting), stream);
}

/** Final in epoch 0, unknown to every node. */
function hidden(stream: Stream): Stream {
  return stream.vote(THREE, SLOT, X).commit(THREE, SLOT, X);
}

describe("the closing of an epoch that breaks agreement", () => {
  test("neither lists nor follows what is final there", () => {
    expect(found(hidden(fresh()).turn())).toEqual([
      expect.stringMatching(/^operation 0x78.* is final in slot 0 .*, and the closing of epoch 0 neither lists nor/),
    ]);
  });

  test("is known before the last commit was signed", () => {
    const stream = fresh().vote(THREE, SLOT, X).commit(["v1", "v2"], SLOT, X).turn();
    stream.epoch = 0;
    expect(found(stream)).toEqual([]);
    expect(found(stream.commit(["v3"], SLOT, X))).toEqual([expect.stringContaining("neither lists nor follows it")]);
  });

  test("lists another value than is final", () => {
    const stream = hidden(fresh()).turn([], { listing: [[OTHER, "y"]] });
    expect(found(stream)).toEqual([expect.stringContaining("and the closing of epoch 0 decides operation 0x79")]);
  });

  test("decides another value than the next epoch", () => {
    const stream = fresh().turn([claim(SLOT, X, { locked: 0 })], { listing: [[DECISION, "x"]] });
    stream.vote(THREE, SLOT, Y).commit(THREE, SLOT, Y);
    expect(found(stream)).toEqual([
      expect.stringContaining("in round 0 of epoch 1 by v1, v2 and v3 is final in slot 0"),
    ]);
  });

  test("is not the only one", () => {
    const stream = fresh().turn();
    stream.epoch = 0;
    const other = closing({ next: parametersOf(stream.setting), listing: [[DECISION, "x"]] });
    stream.content(hash("other"), { value: other, operations: DECISION.operations });
    const slot = epochSlotOf(0);
    stream.change(THREE, slot, 1).vote(THREE, slot, hash("other"), 1).commit(THREE, slot, hash("other"), 1);
    expect(found(stream)).toEqual([expect.stringContaining("the closing of epoch 0 has two values with 3 commits")]);
  });

  test("left out what a later one decides otherwise", () => {
    const stream = fresh().vote(THREE, SLOT, X).commit(["v1", "v2"], SLOT, X).turn();
    stream.vote(THREE, SLOT, Y).turn([claim(SLOT, Y, { locked: 0 })], { number: 2, listing: [[OTHER, "y"]] });
    stream.epoch = 0;
    expect(found(stream.commit(["v3"], SLOT, X))).toEqual([
      expect.stringContaining("and the closing of epoch 0 neither lists nor follows it"),
    ]);
  });

  test("builds on an earlier checkpoint than is final", () => {
    const stream = fresh({ genesis: { checkpoints: POLICY } });
    const first = hash("checkpoint 1");
    stream.content(first, { value: checkpoint(1, []), operations: [] });
    stream.vote(THREE, checkpointSlot(1), first).commit(THREE, checkpointSlot(1), first);
    stream.turn([], { name: "closing" });
    expect(found(stream)).toEqual([
      expect.stringMatching(/is final in checkpoint 1, and the closing of epoch 0 decides the closing of epoch 0/),
    ]);
  });

  test("is left out by what a quorum makes final in the slots of two epochs", () => {
    const stream = hidden(fresh()).turn();
    stream.vote(THREE, SLOT, Y).commit(THREE, SLOT, Y);
    expect(found(stream)).toHaveLength(2);
    expect(found(stream)[1]).toContain("has two values with 3 commits: operation 0x78");
  });
});

describe("agreement holds across epochs", () => {
  test("where the closing lists what is final, or what was only locked", () => {
    expect(found(hidden(fresh()).turn([claim(SLOT, X)], { listing: [[DECISION, "x"]] }))).toEqual([]);
    const locked = fresh().vote(THREE, SLOT, X).commit(["v1"], SLOT, X);
    locked.turn([claim(SLOT, X, { locked: 0 })], { listing: [[DECISION, "x"]] });
    locked.epoch = 0;
    expect(found(locked.commit(["v2", "v3"], SLOT, X))).toEqual([]);
  });

  test("where the closing follows a checkpoint that lists it, be it only locked", () => {
    const stream = hidden(fresh({ genesis: { checkpoints: POLICY } }));
    const first = hash("checkpoint 1");
    stream.content(first, { value: checkpoint(1, [[DECISION, "x"]]), operations: DECISION.operations });
    stream.vote(THREE, checkpointSlot(1), first).commit(["v1", "v2"], checkpointSlot(1), first);
    stream.turn([claim(checkpointSlot(1), first, { locked: 0 })], { number: 2 });
    expect(found(stream)).toEqual([]);
  });

  test("where a void slot is decided otherwise in the next epoch", () => {
    const stream = fresh().vote(["v1", "v2"], SLOT, X).turn();
    expect(found(stream.vote(THREE, SLOT, Y).commit(THREE, SLOT, Y))).toEqual([]);
  });

  test("and signatures of one epoch make no certificate of another", () => {
    const stream = fresh()
      .vote(THREE, SLOT, X)
      .commit(["v1"], SLOT, X)
      .turn([claim(SLOT, X, { locked: 0 })], {
        listing: [[DECISION, "x"]],
      });
    stream.vote(["v4"], SLOT, Y).commit(["v2", "v3"], SLOT, X);
    expect(found(stream).filter((detail) => detail.includes("two values"))).toEqual([]);
    expect(found(stream)).toEqual([
      expect.stringContaining("v2 committed to operation 0x78"),
      expect.stringContaining("v3 committed to operation 0x78"),
    ]);
  });
});

/** Epoch 1 has the committee v3 to v6, of six nodes. */
function afterHandover(byzantine: readonly string[] = []): Stream {
  const base = setting({ validators: 6, byzantine });
  const first = members(["v1", "v2", "v3", "v4"]);
  const stream = new Stream({ ...base, genesis: { ...base.genesis, validators: first } });
  stream.content(X, DECISION).content(Y, OTHER);
  const next = { ...parametersOf(stream.setting), validators: members(["v3", "v4", "v5", "v6"]) };
  return stream.turn([], { next, nodes: ["v1", "v2", "v3", "v4"], appliers: stream.names() });
}

describe("a certificate of an epoch", () => {
  test("counts with that epoch's committee", () => {
    const good = ["v4", "v5", "v6"];
    const stream = afterHandover().vote(good, SLOT, X).commit(good, SLOT, X).decide("v1", SLOT, X, good);
    expect(found(stream)).toEqual([]);
  });

  test("does not count with an earlier one's, in a node or at a client", () => {
    const old = ["v1", "v2"];
    const stream = afterHandover().vote(old, SLOT, X).commit(old, SLOT, X).decide("v1", SLOT, X, THREE);
    expect(found(stream)).toEqual([
      expect.stringMatching(
        /in epoch 1: v1 is not a member; v2 is not a member; v3 has no such commit; 0 of 3 commits/,
      ),
    ]);
    stream.answer(
      "alice",
      "x",
      { status: "final", receipt: receiptOf("x", SLOT, 1) },
      { slot: SLOT, value: X, quorum: 3 },
    );
    expect(found(stream)[1]).toContain("has no quorum of commits");
  });

  test("of an epoch that no node has opened is invalid", () => {
    const stream = fresh();
    stream.epoch = 1;
    stream.vote(THREE, SLOT, X).commit(THREE, SLOT, X).decide("v1", SLOT, X, THREE);
    expect(found(stream)).toEqual([expect.stringContaining("no honest validator has opened that epoch")]);
  });

  test("needs as many commits as its own committee's quorum", () => {
    const stream = new Stream(setting({ validators: 7 })).content(X, DECISION);
    const next = { ...parametersOf(stream.setting), validators: members(["v1", "v2", "v3", "v4"]) };
    stream.turn([], { next }).vote(THREE, SLOT, X).commit(THREE, SLOT, X).decide("v1", SLOT, X, THREE);
    const answer = { status: "final" as const, receipt: receiptOf("x", SLOT, 1) };
    stream.answer("alice", "x", answer, { slot: SLOT, value: X, quorum: 3 });
    expect(found(stream)).toEqual([]);
    stream.answer("alice", "x", answer, { slot: SLOT, value: X, quorum: 2 });
    expect(found(stream)).toEqual([expect.stringContaining("with 2 commits verified, expected 3")]);
  });

  test("may contain signatures from before the epoch opened", () => {
    const stream = fresh({ byzantine: ["v1", "v2"] });
    stream.epoch = 1;
    stream
      .vote(["v1", "v2"], SLOT, X)
      .vote(["v1", "v2"], SLOT, Y)
      .commit(["v1", "v2"], SLOT, X)
      .commit(["v1", "v2"], SLOT, Y);
    stream.epoch = 0;
    stream.turn().vote(["v3"], SLOT, X).commit(["v3"], SLOT, X);
    expect(found(stream)).toEqual([]);
    stream.vote(["v4"], SLOT, Y).commit(["v4"], SLOT, Y);
    const breaks = judged(agreement(stream.setting), stream).filter(({ detail }) => detail.includes("two values"));
    expect(breaks.map(({ faulty }) => faulty)).toEqual([[address("v1"), address("v2")]]);
  });

  test("is made by such signatures alone as soon as they count", () => {
    const stream = fresh({ byzantine: THREE });
    stream.epoch = 1;
    for (const value of [X, Y]) stream.vote(THREE, SLOT, value).commit(THREE, SLOT, value);
    expect(found(stream)).toEqual([]);
    stream.epoch = 0;
    expect(found(stream.turn())).toEqual([
      expect.stringContaining("two lock certificates"),
      expect.stringContaining("two values with 3 commits"),
    ]);
  });
});

test("a client may be shown the closing that decides its locked operation", () => {
  const stream = fresh().vote(THREE, SLOT, X);
  stream.turn([claim(SLOT, X, { locked: 0 })], { listing: [[DECISION, "x"]] });
  const more = { slot: epochSlotOf(0), value: hash("checkpoint 1"), quorum: 3 };
  stream.answer("alice", "x", { status: "final", receipt: receiptOf("x", SLOT, 1) }, more);
  expect(found(stream)).toEqual([]);
  stream.answer("alice", "y", { status: "final", receipt: receiptOf("y", SLOT, 1) }, more);
  expect(found(stream)).toEqual([expect.stringContaining("but the closing of epoch 0 decided")]);
});
