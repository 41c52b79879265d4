/** Protocol 9.1: a validator replies to every submission, if only with `pending`. */
import { expect, test } from "vitest";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { details, Stream } from "./support.ts";
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
