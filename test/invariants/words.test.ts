import { expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { listed, short, slotKeyName, slotName, slotOf, valueText } from "../../src/invariants/words.ts";
import { ALICE, accountSlot, hash, tokenSlot } from "./vocabulary.ts";

test("names are listed as people list them", () => {
  expect([listed([]), listed(["v1"]), listed(["v1", "v2"]), listed(["v1", "v2", "v3"])]).toEqual([
    "nobody",
    "v1",
    "v1 and v2",
    "v1, v2 and v3",
  ]);
  expect(listed(Array.from({ length: 20 }, (_, place) => `v${place + 1}`))).toBe(
    "v1, v2, v3, v4, v5, v6, v7, v8 and 12 more",
  );
});

test("a slot is read back from its key and named alike either way", () => {
  for (const slot of [accountSlot(ALICE, 12), tokenSlot(3)]) {
    expect(slotOf(slotKey(slot))).toEqual(slot);
    expect(slotKeyName(slotKey(slot))).toBe(slotName(slot));
  }
  expect(slotOf("nonsense")).toBeUndefined();
  expect(short(ALICE)).toBe("0x616c6963…");
});

test("values that decide differently have different texts", () => {
  const id = hash("b");
  const texts = [
    valueText({ type: "operation", id }),
    valueText({ type: "burn", id, outcome: "burned" }),
    valueText({ type: "burn", id, outcome: "failed" }),
    valueText({ type: "skip", by: "recovery", id, feeToken: undefined, feeStep: "full" }),
    valueText({ type: "skip", by: "recovery", id, feeToken: undefined, feeStep: "zero" }),
    valueText({ type: "list", ids: [id] }),
  ];
  expect(new Set(texts).size).toBe(texts.length);
});
