import { expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { joinNames, shortId, slotKeyName, slotName, slotOf, valueName, valueText } from "../../src/invariants/text.ts";
import { checkpoint, checkpointSlot, closing, epochSlotOf, parametersOf } from "./closings.ts";
import { ALICE, accountSlot, hash, setting, tokenSlot, USD } from "./vocabulary.ts";

test("lists of names read as text", () => {
  expect([joinNames([]), joinNames(["v1"]), joinNames(["v1", "v2"]), joinNames(["v1", "v2", "v3"])]).toEqual([
    "none",
    "v1",
    "v1 and v2",
    "v1, v2 and v3",
  ]);
  expect(joinNames(Array.from({ length: 20 }, (_, place) => `v${place + 1}`))).toBe(
    "v1, v2, v3, v4, v5, v6, v7, v8 and 12 more",
  );
});

test("a slot is read back from its key and named alike either way", () => {
  for (const slot of [accountSlot(ALICE, 12), tokenSlot(3)]) {
    expect(slotOf(slotKey(slot))).toEqual(slot);
    expect(slotKeyName(slotKey(slot))).toBe(slotName(slot));
  }
  for (const slot of [checkpointSlot(3), epochSlotOf(2)]) {
    expect(slotOf(slotKey(slot))).toBeUndefined();
    expect(slotKeyName(slotKey(slot))).toBe(slotName(slot));
  }
  expect(slotName(epochSlotOf(2))).toBe("the closing of epoch 2");
  expect(slotOf("nonsense")).toBeUndefined();
  expect(shortId(ALICE)).toBe("0x616c6963…");
});

test("values that decide differently have different texts", () => {
  const id = hash("b");
  const next = parametersOf(setting());
  const texts = [
    valueText({ type: "operation", id }),
    valueText({ type: "burn", id, outcome: "burned" }),
    valueText({ type: "burn", id, outcome: "failed" }),
    valueText({ type: "skip", by: "recovery", id, displaced: [id], feeToken: undefined }),
    valueText({ type: "skip", by: "recovery", id, displaced: [id], feeToken: USD }),
    valueText({ type: "list", ids: [id] }),
    valueText(checkpoint(1, [])),
    valueText(closing({ next })),
    valueText(closing({ next: { ...next, epochLength: 3 } })),
    valueText(closing({ next, epoch: 1 })),
  ];
  expect(new Set(texts).size).toBe(texts.length);
});

test("a closing is named by its epoch and its place in the chain", () => {
  const name = valueName(closing({ next: parametersOf(setting()), epoch: 1, number: 7 }));
  expect(name).toMatch(/^the closing of epoch 1 as checkpoint 7 of 0 slots with state root 0x/);
});
