import { expect, test } from "vitest";
import type { Change } from "../../src/invariants/observation.ts";
import { fees } from "../../src/invariants/oracles/fees.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import {
  ALICE,
  amount,
  BOB,
  cancelled,
  type Decision,
  ISSUER,
  list,
  own,
  payment,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

const PAYMENT = own("x", 0, payment(ALICE, 0, BOB, 100));

function found(stream: Stream): readonly string[] {
  return details(fees(stream.setting), stream.end());
}

function paying(fee: number): (effects: AppliedEffects) => AppliedEffects {
  return (effects) => ({
    changes: effects.changes.map(
      (change): Change => (change.of === "pool" ? { ...change, after: amount(fee) } : change),
    ),
    receipts: effects.receipts.map((receipt) => ({ ...receipt, fee: amount(fee), feeToken: USD })),
  });
}

function skip(): Decision {
  return cancelled(["c", signed("cancellation", ALICE, 0, {})], ["x", payment(ALICE, 0, BOB, 5)]);
}

test("a payment that pays another fee than the schedule's is found", () => {
  expect(found(new Stream(setting()).apply("v1", PAYMENT, paying(2)))).toEqual([
    expect.stringContaining("where a payment costs 1 USD"),
  ]);
});

test("a mint that pays is found", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(1) });
  const stream = new Stream(setting()).settle("m", own("m", 0, mint));
  stream.apply("v1", list(0, [["m", mint]]), paying(1));
  expect(found(stream)[0]).toContain("an operation of kind mint costs 0");
});

test("a skip that costs another fee than the schedule's is found", () => {
  expect(found(new Stream(setting()).apply("v1", skip()))).toEqual([]);
  expect(found(new Stream(setting()).apply("v1", skip(), paying(2)))[0]).toContain("a skip by cancellation costs 3");
});

test("what a balance owes of a fee is in no pool, and what a credit pays of it is", () => {
  const poor = (after: bigint, pool: number): Stream =>
    new Stream(setting()).apply("v1", skip(), (effects) => ({
      ...effects,
      changes: effects.changes.map((change): Change => {
        if (change.of === "pool") return { ...change, after: amount(pool) };
        return change.of === "balance" ? { ...change, before: after + 3n, after } : change;
      }),
    }));
  expect(found(poor(-2n, 1))).toEqual([]);
  expect(found(poor(-2n, 3))).toEqual([expect.stringContaining("is 3, the fees that were paid sum to 1")]);
  const paid = (pool: number): Stream =>
    poor(-2n, 1).apply("v1", PAYMENT, (effects) => ({
      ...effects,
      changes: [
        { of: "balance", address: BOB, token: USD, before: -5n, after: -1n },
        { of: "pool", token: USD, before: amount(1), after: amount(pool) },
      ],
    }));
  expect(found(paid(6))).toEqual([]);
  expect(found(paid(2))).toEqual([expect.stringContaining("is 2, the fees that were paid sum to 6")]);
});

test("a pool that is not the sum of the fees is found", () => {
  const more = (change: Change): Change => (change.of === "pool" ? { ...change, after: amount(5) } : change);
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.map(more),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("is 5, the fees that were paid sum to 1")]);
});

test("a fee that never reaches the pool is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.filter(({ of }) => of !== "pool"),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("did not change")]);
});
