/**
 * Protocol 9.1: a validator replies to every submission, if only with `pending`; 9.2: an entry validator refuses for lack
 * of room only at its bound of open submissions.
 */
import { expect, test } from "vitest";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { details, PENDING, Stream } from "./support.ts";
import { ALICE, BOB, own, payment, setting } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 5);
const SETTLED: ClientReply = { status: "settled" };

/** x is decided, so that no other obligation is open. */
function decided(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine })).submitPending("alice", "x", X).settle("x", own("x", 0, X));
}

function found(stream: Stream): readonly string[] {
  return details(liveness(stream.setting), stream.end());
}

test("a validator that never responds to a second submission is found", () => {
  expect(found(decided().ask("v2", "x").heal())).toEqual([
    expect.stringMatching(/^v2 received .* and never responded$/),
  ]);
});

test("one that responds is not, whatever the response", () => {
  expect(found(decided().ask("v2", "x").reply("v2", "x", SETTLED).heal())).toEqual([]);
});

test("another's answer is no answer of its own", () => {
  expect(found(decided().ask("v2", "x").reply("v3", "x", SETTLED).heal())).toHaveLength(1);
});

test("a crash discards the open submissions", () => {
  expect(found(decided().ask("v2", "x").crash("v2").restart("v2").heal())).toEqual([]);
});

test("a Byzantine validator owes no response", () => {
  expect(found(decided(["v4"]).ask("v4", "x").heal())).toEqual([]);
});

test("nothing is demanded before the healing", () => {
  expect(found(decided().ask("v2", "x"))).toEqual([]);
});

const FULL: ClientReply = { status: "refused", refusal: { code: "system_queue_full", limit: 2 }, disclosed: false };
const GAP: ClientReply = {
  status: "refused",
  refusal: { code: "business_nonce_gap", expected: 0 as never, got: 1 as never },
  disclosed: false,
};

/** Healed network in which v1 admitted these operations. */
function admitted(...ids: readonly string[]): Stream {
  const stream = new Stream(setting({ byzantine: ["v4"] })).heal();
  for (const id of ids) stream.ask("v1", id).reply("v1", id, PENDING);
  return stream;
}

test("a validator that refuses for want of room while it has room is found", () => {
  expect(found(admitted("x").ask("v1", "y").reply("v1", "y", FULL))).toEqual([
    expect.stringMatching(
      /^v1 refused 0x79.* its queue of 2 is full, but at most 1 other submissions were open there$/,
    ),
  ]);
});

test("one that is full is not", () => {
  expect(found(admitted("x", "z").ask("v1", "y").reply("v1", "y", FULL))).toEqual([]);
});

test("what has ended, was refused or was lost in a crash fills no queue", () => {
  const ended = admitted("x", "z").reply("v1", "x", GAP).ask("v1", "y").reply("v1", "y", FULL);
  expect(found(ended)).toHaveLength(1);
  const refused = admitted("x").ask("v1", "u").reply("v1", "u", FULL).ask("v1", "y").reply("v1", "y", FULL);
  expect(found(refused)).toHaveLength(2);
  const crashed = admitted("x", "z").crash("v1").restart("v1").ask("v1", "y").reply("v1", "y", FULL);
  expect(found(crashed)).toHaveLength(1);
});

test("what other validators admitted fills no queue here", () => {
  const stream = admitted("x").ask("v2", "z").reply("v2", "z", PENDING).ask("v1", "y").reply("v1", "y", FULL);
  expect(found(stream)).toHaveLength(1);
});

test("one operation that several clients ask for counts for each: listeners are bounded, too", () => {
  expect(found(admitted("x", "x").ask("v1", "x").reply("v1", "x", FULL))).toEqual([]);
});

test("nothing is demanded before the healing, nor of a Byzantine validator", () => {
  const early = new Stream(setting()).ask("v1", "y").reply("v1", "y", FULL).heal();
  expect(found(early)).toEqual([]);
  expect(found(admitted().ask("v4", "y").reply("v4", "y", FULL))).toEqual([]);
});
