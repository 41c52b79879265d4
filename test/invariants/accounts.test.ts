import { expect, test } from "vitest";
import type { Nonce, Sequence } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import type { Change } from "../../src/invariants/observation.ts";
import { accounts } from "../../src/invariants/oracles/accounts.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import { ALICE, accountSlot, amount, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const PAYMENT = own("x", 0, payment(ALICE, 0, BOB, 100));

function withCounters(nonce: number, sequence: number): (effects: AppliedEffects) => AppliedEffects {
  const change = (one: Change): Change =>
    one.of === "account" ? { ...one, nonce: nonce as Nonce, sequence: sequence as Sequence } : one;
  return (effects) => ({ ...effects, changes: effects.changes.map(change) });
}

function found(stream: Stream): readonly string[] {
  return details(accounts(stream.setting), stream.end());
}

test("a balance below 0 is found", () => {
  const stream = new Stream(setting()).apply("v1", own("x", 0, payment(ALICE, 0, BOB, 1000)));
  expect(found(stream)).toEqual([expect.stringContaining("is -1, below 0")]);
});

test("a balance above 2^256 - 1 is found", () => {
  const after = amount(1n << 256n);
  const grow = (change: Change): Change => (change.of === "balance" ? { ...change, after } : change);
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.map(grow),
  }));
  expect(found(stream)[0]).toContain("above 2^256 - 1");
});

test("a nonce that rises by two is found", () => {
  expect(found(new Stream(setting()).apply("v1", PAYMENT, withCounters(2, 1)))).toEqual([
    expect.stringContaining("nonce went from 0 to 2"),
  ]);
});

test("a sequence that stands still is found", () => {
  expect(found(new Stream(setting()).apply("v1", PAYMENT, withCounters(1, 0)))).toEqual([
    expect.stringContaining("sequence went from 0 to 0"),
  ]);
});

test("a slot that moves no counters of its account is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.filter(({ of }) => of !== "account"),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("was applied and the account's sequence did not rise")]);
});

test("a receipt that names another slot than its own is found", () => {
  const slot = slotKey(accountSlot(ALICE, 1));
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    receipts: effects.receipts.map((receipt) => ({ ...receipt, slot })),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("in slot 0 of account")]);
  expect(found(stream)[0]).toMatch(/names slot 1 of account/);
});

test("a slot that leaves one out is found", () => {
  const stream = new Stream(setting()).apply("v1", own("x", 1, payment(ALICE, 0, BOB, 1)));
  expect(found(stream)).toEqual([expect.stringContaining("slot 1 was applied where slot 0 is next")]);
});

test("a nonce used twice is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT).apply("v1", own("y", 1, payment(ALICE, 0, BOB, 1)));
  expect(found(stream)).toEqual([expect.stringContaining("used nonce 0 where 1 is next")]);
});

test("a forced burn that uses a nonce of the owner's is found", () => {
  const stream = new Stream(setting()).apply(
    "v1",
    { ...PAYMENT, value: { type: "burn", id: hash("b"), outcome: "failed" } },
    () => ({
      changes: [{ of: "account", address: ALICE, nonce: 1 as Nonce, sequence: 1 as Sequence }],
      receipts: [],
    }),
  );
  expect(found(stream)).toEqual([expect.stringContaining("a forced burn uses no nonce")]);
});

test("an operation executed in two slots is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT).apply("v1", own("x", 1, payment(ALICE, 1, BOB, 1)));
  expect(found(stream)).toEqual([expect.stringContaining("executed twice")]);
});

test("an account whose counters move in another's slot is found", () => {
  const stray: Change = { of: "account", address: BOB, nonce: 1 as Nonce, sequence: 1 as Sequence };
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: [...effects.changes, stray],
  }));
  expect(found(stream)).toEqual([expect.stringContaining("in a slot of another account")]);
});

test("a restarted node counts from genesis again", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT).crash("v1").restart("v1").apply("v1", PAYMENT);
  expect(found(stream)).toEqual([]);
});
