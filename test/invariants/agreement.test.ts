import { expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { agreement } from "../../src/invariants/oracles/agreement.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, BOB, CAROL, hash, own, payment, receiptOf, setting } from "./vocabulary.ts";

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
