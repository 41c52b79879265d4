import { expect, test } from "vitest";
import type { LivenessState } from "../../src/invariants/oracles/liveness/liveness.ts";
import { servedLiveness } from "../../src/invariants/oracles/liveness/served-liveness.ts";
import { details, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, CAROL, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const X = payment(ALICE, 0, BOB, 5);
const Y = payment(ALICE, 0, CAROL, 5);

function fresh(): Stream {
  return new Stream(setting()).content(hash("value x"), own("x", 0, X)).content(hash("value y"), own("y", 0, Y));
}

/** Virtual time passes, second by second. */
function wait(stream: Stream, seconds: number): Stream {
  for (let second = 0; second < seconds; second++) stream.later(999).push({ type: "timePassed" });
  return stream;
}

function found(stream: Stream): readonly string[] {
  return details(servedLiveness(stream.setting), stream);
}

test("what is undecided for longer than the bound is reported once, with the time that the bound counts from", () => {
  const stream = fresh().heal().submitPending("alice", "x", X, "v1", false).vote(["v1", "v3"], SLOT, hash("value x"));
  expect(found(wait(stream, 4))).toEqual([]);
  const [first, ...others] = found(wait(stream, 95));
  expect(first).toContain("submitted to v1, is undecided; the bound is 5000 ms after its submission.");
  expect(first).toContain("one more vote of v2 or v4");
  expect(others).toEqual([]);
});

test("nothing is owed while a fault is in force, and the whole bound after it", () => {
  const stream = fresh().heal().submitPending("alice", "x", X, "v1", false).push({ type: "disturbed" });
  expect(found(wait(stream, 100))).toEqual([]);
  expect(found(wait(stream.heal(), 5))).toEqual([]);
  expect(found(wait(stream, 2))).toHaveLength(1);
});

test("an operation behind a gap counts from the submission that fills it", () => {
  const stream = fresh()
    .heal()
    .submitPending("alice", "x1", payment(ALICE, 1, BOB, 5), "v1", false);
  expect(found(wait(stream, 100))).toEqual([]);
  stream.submitPending("alice", "x", X, "v1", false);
  expect(found(wait(stream, 4))).toEqual([]);
  const details = found(wait(stream, 3));
  expect(details).toHaveLength(1);
  expect(details[0]).toContain("1 further operation");
});

test("an account whose owner signed two operations for a nonce is owed nothing", () => {
  const stream = fresh().heal().submitPending("alice", "x", X, "v1", false).submitPending("alice", "y", Y, "v2", false);
  stream.vote(["v1", "v3"], SLOT, hash("value x")).vote(["v2", "v4"], SLOT, hash("value y"));
  expect(found(wait(stream, 200))).toEqual([]);
});

test("what no validator keeps any more is forgotten", () => {
  const stream = fresh().heal().submitPending("alice", "x", X, "v1", false).push({ type: "crashed", node: "v1" });
  expect(found(wait(stream, 100))).toEqual([]);
});

test("its memory does not depend on the number of settled payments", () => {
  const sizes = [10, 40].map((payments) => {
    const stream = new Stream(setting()).heal();
    for (let nonce = 0; nonce < payments; nonce++) {
      const name = `p${nonce}`;
      const operation = payment(ALICE, nonce, BOB, 1);
      stream.submitPending("alice", name, operation, "v1", false);
      for (const node of ["v1", "v2", "v3", "v4"]) stream.apply(node, own(name, nonce, operation));
      stream.answer("alice", name, { status: "superseded", by: hash("another") });
    }
    const oracle = servedLiveness(stream.setting);
    details(oracle, stream);
    const { accounts, waiting, byNonce, settled, due, balances } = (oracle.capture() as LivenessState).cases;
    expect(accounts.get(ALICE)?.nonce).toBe(payments);
    return [waiting, byNonce, settled, due, balances].map(({ size }) => size);
  });
  expect(sizes[0]?.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect(sizes[1]).toEqual(sizes[0]);
});

test("a permanent outcome is remembered until its nonce is used", () => {
  const stream = fresh().heal().submitPending("alice", "x", X, "v1", false);
  stream.answer("alice", "x", { status: "superseded", by: hash("y") }).submitPending("alice", "x", X, "v2", false);
  expect(found(wait(stream, 100))).toEqual([]);
});

test("an epoch that does not close within the bound is reported", () => {
  const stream = fresh().heal().close(["v1"]);
  expect(found(wait(stream, 4))).toEqual([]);
  expect(found(wait(stream, 2))).toEqual([
    expect.stringMatching(/^epoch 0 did not close within 6000 ms of its cause; the closing of epoch 0: closes of v1; /),
  ]);
});
