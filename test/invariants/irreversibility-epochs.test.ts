import { expect, test } from "vitest";
import type { Epoch, Nonce } from "../../src/core/base/ids.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { details, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, CAROL, hash, own, payment, receiptOf, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const FIRST = own("x", 0, payment(ALICE, 0, BOB, 1));
const SECOND = own("y", 0, payment(ALICE, 0, CAROL, 1));
const voided = (epoch: number) => ({ status: "void" as const, epoch: epoch as Epoch });

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine })).content(hash("value x"), FIRST).content(hash("value y"), SECOND);
}

function found(stream: Stream): readonly string[] {
  return details(irreversibility(stream.setting), stream.end());
}

test("an operation void in one epoch may be final in the next one, even after a late void reply", () => {
  const stream = fresh().turn().answer("alice", "x", voided(0)).settle("x", FIRST);
  stream.answer(
    "alice",
    "x",
    { status: "final", receipt: receiptOf("x", SLOT, 1) },
    { slot: SLOT, value: hash("value x"), quorum: 3 },
  );
  expect(found(stream.answer("alice", "x", voided(0), { from: "v3" }))).toEqual([]);
});

test("a slot that is void may be decided for something else", () => {
  const stream = fresh().vote(["v1", "v2"], SLOT, hash("value x")).turn().settle("y", SECOND);
  expect(found(stream)).toEqual([]);
});

test("an operation that was decided in an epoch and is called void there is found", () => {
  const stream = fresh()
    .settle("x", FIRST)
    .turn([], { listing: [[FIRST, "x"]] });
  expect(found(stream.answer("alice", "x", voided(0)))).toEqual([
    expect.stringContaining("void in epoch 0 from v1, but it was decided in epoch 0: 0x78"),
  ]);
});

test("an operation that was only authorised and is called void is found", () => {
  const pause = own("p", 0, {
    ...payment(ALICE, 0, BOB, 1),
    operation: { ...payment(ALICE, 0, BOB, 1).operation, kind: "pause" } as never,
  });
  const stream = fresh()
    .settle("p", pause)
    .turn([], { listing: [[pause]] });
  expect(found(stream.answer("alice", "p", voided(0)))).toHaveLength(1);
});

test("an operation that is decided in an epoch in which it was called void is found", () => {
  const stream = fresh().answer("alice", "x", voided(0)).apply("v1", FIRST);
  expect(found(stream)).toEqual([
    expect.stringContaining("in epoch 0, but client alice received void in epoch 0 from v1"),
  ]);
  const next = fresh().turn().answer("alice", "x", voided(1), { from: "v2" });
  expect(found(next.apply("v1", FIRST))).toEqual([
    expect.stringContaining("in epoch 1, but client alice received void"),
  ]);
});

test("a Byzantine validator may reply void for anything", () => {
  expect(found(fresh(["v4"]).settle("x", FIRST).answer("alice", "x", voided(0), { from: "v4" }))).toEqual([]);
});

test("what a node has seen as final in one epoch and another one applies otherwise in the next is found", () => {
  const stream = fresh().decide("v1", SLOT, hash("value x"), ["v1", "v2", "v3"]).turn().apply("v2", SECOND);
  expect(found(stream)).toEqual([expect.stringContaining("was final and changed: v1 decided")]);
});

test("a binding refusal holds in later epochs too", () => {
  const refused = {
    status: "refused" as const,
    refusal: { code: "business_decided_otherwise" as const, nonce: 0 as Nonce, by: hash("y") },
    disclosed: true,
  };
  expect(found(fresh().answer("alice", "x", refused).turn().apply("v1", FIRST))).toEqual([
    expect.stringContaining("took effect at v1"),
  ]);
});
