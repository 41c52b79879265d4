import { expect, test } from "vitest";
import type { Epoch, Nonce } from "../../src/core/base/ids.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, CAROL, hash, own, payment, receiptOf, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const FIRST = own("x", 0, payment(ALICE, 0, BOB, 1));
const SECOND = own("y", 0, payment(ALICE, 0, CAROL, 1));
const FINAL: ClientReply = { status: "final", receipt: receiptOf("x", SLOT, 1) };
const SUPERSEDED: ClientReply = { status: "superseded", by: hash("y") };
const refused = (disclosed: boolean): ClientReply => ({
  status: "refused",
  refusal: { code: "business_decided_otherwise", nonce: 0 as Nonce, by: hash("y") },
  disclosed,
});

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine })).content(hash("value x"), FIRST).content(hash("value y"), SECOND);
}

test("an honest node that applies another value than a client saw as final is found", () => {
  const stream = fresh().answer("alice", "x", FINAL, { slot: SLOT, value: hash("value x"), quorum: 3 });
  stream.apply("v2", SECOND).end();
  expect(details(irreversibility(stream.setting), stream)).toEqual([expect.stringContaining("was final and changed")]);
});

test("a node that ends with another value after a restart is found", () => {
  const stream = fresh().settle("x", FIRST).crash("v1").restart("v1").apply("v1", SECOND).end();
  expect(details(irreversibility(stream.setting), stream)).toEqual([
    expect.stringContaining("v1 applied operation 0x79"),
  ]);
});

test("a node that applies the same again after a restart is right", () => {
  const stream = fresh().settle("x", FIRST).crash("v1").restart("v1").apply("v1", FIRST).end();
  expect(details(irreversibility(stream.setting), stream)).toEqual([]);
});

test("a Byzantine node may apply anything", () => {
  const stream = fresh(["v4"])
    .settle("x", FIRST, { nodes: ["v1", "v2", "v3"] })
    .apply("v4", SECOND)
    .end();
  expect(details(irreversibility(stream.setting), stream)).toEqual([]);
});

test.each([
  ["final, then superseded", FINAL, SUPERSEDED],
  ["superseded, then final", SUPERSEDED, FINAL],
  ["final, then refused for good", FINAL, refused(true)],
  ["refused for good, then final", refused(true), FINAL],
])("a client told %s is found", (_what, first, second) => {
  const stream = fresh().answer("alice", "x", first).answer("alice", "x", second, { from: "v2" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([expect.stringContaining("contradictory replies")]);
});

test("a refusal for lack of room is not binding, though it says disclosed: others may bring the operation", () => {
  const full: ClientReply = { status: "refused", refusal: { code: "system_queue_full", limit: 1 }, disclosed: true };
  const stream = fresh().ask("v1", "x").reply("v1", "x", full).answer("alice", "x", full).settle("x", FIRST);
  stream.answer("alice", "x", FINAL, { from: "v2" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([]);
});

test("an undisclosed refusal contradicts nothing", () => {
  const stream = fresh()
    .answer("alice", "x", refused(false))
    .answer("alice", "x", FINAL)
    .answer("alice", "x", refused(false), { from: "v3" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([]);
});

test("an unproven reply of a Byzantine validator contradicts nothing", () => {
  const stream = fresh(["v4"]).answer("alice", "x", FINAL).answer("alice", "x", SUPERSEDED, { from: "v4" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([]);
});

test("an operation that takes effect after a superseded reply is found", () => {
  const stream = fresh().answer("alice", "x", SUPERSEDED).settle("x", FIRST).end();
  expect(details(irreversibility(stream.setting), stream)).toEqual([expect.stringContaining("took effect at v1")]);
});

test("an operation called superseded by the node at which it failed is found", () => {
  const failure: AppliedEffects["receipts"][number] = {
    ...receiptOf("x", FIRST.slot, 0),
    success: false,
    error: { code: "business_insufficient_funds" } as Refusal,
  };
  const stream = fresh()
    .settle("x", FIRST, { alter: (effects) => ({ ...effects, receipts: [failure] }) })
    .answer("alice", "x", SUPERSEDED, { from: "v3" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([
    expect.stringContaining("but it ended there in slot 0 of account"),
  ]);
});

test("an operation called superseded by any node after it took effect is found", () => {
  const stream = fresh().settle("x", FIRST).answer("alice", "x", SUPERSEDED, { from: "v3" });
  expect(details(irreversibility(stream.setting), stream)).toEqual([
    expect.stringContaining("but it took effect at v1"),
  ]);
});

const voided = (epoch: number) => ({ status: "void" as const, epoch: epoch as Epoch });

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
