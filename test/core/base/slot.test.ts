import { describe, expect, test } from "vitest";
import { toAddress } from "../../../src/core/base/ids.ts";
import { parseSlotKey, type Slot, slotKey } from "../../../src/core/base/slot.ts";

const ADDRESS = toAddress(`0x${"ab".repeat(20)}`);

describe("slot keys", () => {
  test.each<Slot>([
    { kind: "account", address: ADDRESS, sequence: 7 as never },
    { kind: "token", token: ADDRESS, version: 0 as never },
    { kind: "checkpoint", number: 12 as never },
    { kind: "epoch", epoch: 3 as never },
  ])("say which slot they are of: $kind", (slot) => expect(parseSlotKey(slotKey(slot))).toEqual(slot));

  test.each([
    "",
    "account",
    `account/${ADDRESS}/7`,
    `account/${ADDRESS}`,
    `epoch/${ADDRESS}/0000000000000007`,
    `token/${ADDRESS.slice(0, -1)}/0000000000000007`,
    "checkpoint/0000000000000007/",
    "checkpoint/-000000000000007",
  ])("are nothing else: %j", (key) => expect(() => parseSlotKey(key)).toThrow(RangeError));
});
