import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOf, checksummed } from "../../../src/server/wire/values.ts";
import { anyAddress } from "../../core/ledger/support/operations.ts";

describe("addresses as clients write them", () => {
  /** From EIP-55. */
  test.each([
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])("%s is its own checksum", (text) => {
    const read = addressOf(text);
    expect(read).toEqual({ address: text.toLowerCase() });
    if ("address" in read) expect(checksummed(read.address)).toBe(text);
  });

  // holds: 23
  test("are read in either letter case and with their checksum, and in no other case", () => {
    fc.assert(
      fc.property(anyAddress, fc.nat(39), (address, at) => {
        const mixed = checksummed(address);
        for (const text of [address, mixed, `0x${address.slice(2).toUpperCase()}`])
          expect(addressOf(text)).toEqual({ address });
        const digit = mixed.charAt(at + 2);
        const flipped = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
        const text = mixed.slice(0, at + 2) + flipped + mixed.slice(at + 3);
        const isOther = text !== mixed && /[a-f]/.test(text) && /[A-F]/.test(text);
        if (isOther) expect(addressOf(text)).toHaveProperty("expected", expect.stringContaining(mixed));
      }),
    );
  });

  // holds: 22
  test("are 0x and 40 hex digits", () => {
    for (const text of ["", "0x", "0x1", `0x${"1".repeat(41)}`, `0X${"1".repeat(40)}`, ` 0x${"1".repeat(40)}`])
      expect(addressOf(text)).toEqual({ expected: "0x and 40 hex digits" });
  });
});
