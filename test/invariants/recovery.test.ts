import { expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import type { DurableStatement } from "../../src/invariants/observation.ts";
import { recovery } from "../../src/invariants/oracles/recovery.ts";
import { details, Stream } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, USD } = v;

const SLOT = v.accountSlot(ALICE, 0);
const X = v.payment(ALICE, 0, BOB, 5);
const Y = v.payment(ALICE, 0, v.CAROL, 5);
const FREED: v.Decision = {
  slot: SLOT,
  value: { type: "skip", by: "recovery", id: v.hash("r"), displaced: [v.hash("x"), v.hash("y")], feeToken: USD },
  operations: [X, Y],
};

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(v.setting({ byzantine })).content(v.hash("value x"), v.own("x", 0, X));
}

function blocked(): Stream {
  return fresh().vote(["v1", "v2"], SLOT, v.hash("value x"));
}

function found(stream: Stream): readonly string[] {
  return details(recovery(), stream.end());
}

// holds: 80
test("a recovery of an account for whose nonce nobody has voted is found, once", () => {
  expect(found(blocked().apply("v1", FREED).apply("v2", FREED))).toEqual([]);
  expect(found(fresh().apply("v1", FREED).apply("v2", FREED))).toEqual([
    expect.stringContaining("frees an account that nothing blocked"),
  ]);
});

test("a vote that a node recorded, and may not have sent before it crashed, blocks the nonce", () => {
  const vote = (kind: "vote" | "proposal", round: number) =>
    ({ kind, epoch: 0, slot: slotKey(SLOT), round, value: v.hash("value x") }) as DurableStatement;
  const restarted = (...statements: readonly DurableStatement[]): Stream =>
    fresh().crash("v1").restart("v1", statements).apply("v1", FREED);
  expect(found(restarted(vote("vote", 0)))).toEqual([]);
  for (const statement of [vote("vote", 1), vote("proposal", 0)]) expect(found(restarted(statement))).toHaveLength(1);
});

test("a nonce whose cancellation the owner has submitted may be recovered instead, and no other nonce", () => {
  const submitted = (nonce: number): Stream => fresh().submit("alice", "c", v.signed("cancellation", ALICE, nonce, {}));
  expect(found(submitted(0).apply("v1", FREED))).toEqual([]);
  expect(found(submitted(1).apply("v1", FREED))).toHaveLength(1);
});

test("votes for a forced burn block no nonce", () => {
  const BURNED = { type: "burn", id: v.hash("b"), outcome: "burned" } as const;
  const burn: v.Decision = { slot: SLOT, value: BURNED, operations: [] };
  const voted = fresh().content(v.hash("value b"), burn).vote(["v1", "v2"], SLOT, v.hash("value b"));
  expect(found(voted.apply("v1", FREED))).toEqual([expect.stringContaining("nobody had voted for an operation")]);
});

test("what a Byzantine validator signs in the slot may have blocked it", () => {
  expect(found(fresh(["v4"]).change(["v4"], SLOT, 1).apply("v1", FREED))).toEqual([]);
  expect(found(fresh(["v4"]).change(["v3"], SLOT, 1).apply("v1", FREED))).toHaveLength(1);
});

test("a recovery that changes more than the counters and the fee of its account is found", () => {
  const more = (address: typeof ALICE) =>
    blocked().apply("v1", FREED, (effects) => ({
      ...effects,
      changes: [...effects.changes, { of: "balance", address, token: USD, before: 0n, after: 1n }],
    }));
  expect(found(more(BOB))).toEqual([expect.stringContaining("changes the USD balance of")]);
  expect(found(more(ALICE))).toEqual([]);
  const burned = blocked().apply("v1", FREED, (effects) => ({
    ...effects,
    changes: [...effects.changes, { of: "burned", token: USD, before: v.amount(0), after: v.amount(1) }],
  }));
  expect(found(burned)).toEqual([expect.stringContaining("changes the count of burned USD")]);
});

test("a recovery that uses up another number of nonces than one is found", () => {
  const twice = blocked().apply("v1", FREED, (effects) => ({
    ...effects,
    changes: effects.changes.map((change) => (change.of === "account" ? { ...change, nonce: 2 as never } : change)),
  }));
  expect(found(twice)).toEqual([expect.stringContaining("leads to nonce 2, and its evidence is of nonce 0")]);
});

test("a recovery where another validator has applied one of the payments is found", () => {
  const overruled = blocked()
    .apply("v1", v.own("x", 0, X))
    .apply("v2", FREED);
  expect(found(overruled)).toEqual([expect.stringContaining("overrules 0x78")]);
  // A cancellation that is applied beside it is no recovery: `agreement` has it.
  expect(
    found(
      blocked()
        .apply("v1", FREED)
        .apply("v2", v.own("x", 0, X)),
    ),
  ).toEqual([]);
});
