import { expect, test } from "vitest";
import type { Change } from "../../src/invariants/observation.ts";
import { conservation } from "../../src/invariants/oracles/conservation.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import { ALICE, amount, BOB, ISSUER, list, own, payment, setting, signed, USD } from "./vocabulary.ts";

const PAYMENT = own("x", 0, payment(ALICE, 0, BOB, 100));

function shifted(address: string, by: bigint): (effects: AppliedEffects) => AppliedEffects {
  const shift = (change: Change): Change =>
    change.of === "balance" && change.address === address ? { ...change, after: amount(change.after + by) } : change;
  return (effects) => ({ ...effects, changes: effects.changes.map(shift) });
}

test("a recipient credited once too much is found at the node that did it", () => {
  const stream = new Stream(setting())
    .settle("x", PAYMENT, { alter: (effects, node) => (node === "v2" ? shifted(BOB, 100n)(effects) : effects) })
    .end();
  const found = details(conservation(stream.setting), stream);
  expect(found).toEqual([
    expect.stringContaining("changed by 200, but the receipts explain 100"),
    expect.stringContaining("USD is not conserved"),
  ]);
  expect(found.join()).not.toContain("v1");
});

test("money moved between accounts against the receipts is found, though the sum holds", () => {
  const stream = new Stream(setting())
    .apply("v1", PAYMENT, (effects) => shifted(ALICE, -7n)(shifted(BOB, 7n)(effects)))
    .end();
  expect(details(conservation(stream.setting), stream)).toHaveLength(2);
});

test("a balance change without a receipt is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({ ...effects, receipts: [] })).end();
  expect(details(conservation(stream.setting), stream)).toHaveLength(3);
});

test("a broken sum is reported once, not after every later slot", () => {
  const stream = new Stream(setting())
    .apply("v1", PAYMENT, shifted(BOB, 1n))
    .apply("v1", own("y", 1, payment(ALICE, 1, BOB, 5)))
    .end();
  expect(
    details(conservation(stream.setting), stream).filter((detail) => detail.includes("not conserved")),
  ).toHaveLength(1);
});

test("mints, burns and a restart from genesis are conserved", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(50) });
  const stream = new Stream(setting()).govern("m", 0, 0, mint);
  stream.settle("b", own("b", 1, signed("burn", ISSUER, 1, { token: USD, value: amount(0) })));
  stream.crash("v1").restart("v1").apply("v1", PAYMENT).end();
  expect(details(conservation(stream.setting), stream)).toEqual([]);
});

test("a node whose count of minted tokens does not follow the receipts is found", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(50) });
  const more = (change: Change): Change =>
    change.of === "token" ? { ...change, after: { ...change.after, minted: amount(7) } } : change;
  const stream = new Stream(setting()).govern("m", 0, 0, mint);
  const again = signed("mint", ISSUER, 1, { token: USD, recipient: BOB, value: amount(1) });
  stream.settle("n", own("n", 1, again));
  stream.settle("n list", list(1, [["n", again]]), {
    alter: (effects) => ({ ...effects, changes: effects.changes.map(more) }),
  });
  stream.end();
  expect(
    details(conservation(stream.setting), stream).filter((detail) => detail.includes("shows 7 minted")),
  ).toHaveLength(4);
});
