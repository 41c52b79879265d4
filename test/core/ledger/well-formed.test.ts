import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { Operation } from "../../../src/core/base/operation.ts";
import { formFault } from "../../../src/core/ledger/check.ts";
import * as limits from "../../../src/core/ledger/limits.ts";
import { anyOperation, CHAIN, type Draft, signed } from "./support/operations.ts";
import { ALICE, BOB, burn, COIN, edit, grant, issue, list, mint, pause, pay } from "./support/world.ts";

function fault(draft: Draft, changes: object = {}): string | undefined {
  return formFault({ ...signed(ALICE, 0, draft).operation, ...changes } as Operation, CHAIN)?.code;
}

const CANCEL: Draft = { kind: "cancellation" };

describe("form", () => {
  test.each([
    pay(BOB, 1),
    CANCEL,
    issue("EUR"),
    mint(BOB, 1),
    burn(1),
    burn(1, BOB),
    edit("n"),
    list("blacklist", "Add", BOB),
    grant("Pause", BOB),
    pause("Pause"),
  ])("a plain $kind has no fault", (draft) => expect(fault(draft)).toBeUndefined());

  test("no operation is at fault in a way that throws", () => {
    fc.assert(
      fc.property(anyOperation, (operation) => {
        formFault(operation, CHAIN);
      }),
    );
  });

  test("another chain is refused", () => expect(fault(CANCEL, { chainId: 1 })).toBe("validation_chain_id"));

  test.each(["recentEpoch", "recentCheckpoint"])("%s is a count of any size (wire 3.3)", (name) => {
    const faultOf = (count: number) => fault(CANCEL, { recentCheckpoint: 3, [name]: count });
    for (const count of [0, 1, Number.MAX_SAFE_INTEGER]) expect(faultOf(count)).toBeUndefined();
    for (const count of [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])
      expect(faultOf(count)).toBe("validation_layout");
  });

  test("no epoch is signed without a checkpoint: its bytes would be those of a checkpoint", () => {
    expect(fault(CANCEL, { recentEpoch: 3 })).toBe("validation_layout");
  });

  test.each([-1, 0.5, Number.NaN, limits.NONCE_MAX + 1])("nonce %s is refused", (nonce) => {
    expect(fault(CANCEL, { nonce })).toBe("validation_nonce");
  });

  test("the largest nonce is allowed", () => expect(fault(CANCEL, { nonce: limits.NONCE_MAX })).toBeUndefined());

  test.each([pay, mint, (_: unknown, value: bigint) => burn(value)])(
    "amounts moved are from 1 to 2^256 - 1",
    (make) => {
      const faults = [0n, -1n, AMOUNT_MAX + 1n].map((value) => fault(make(BOB, value)));
      expect(faults).toEqual(Array(3).fill("validation_amount"));
      expect([1n, AMOUNT_MAX].map((value) => fault(make(BOB, value)))).toEqual([undefined, undefined]);
    },
  );

  test("an allowance may be 0", () => {
    const faults = [0n, AMOUNT_MAX, -1n, AMOUNT_MAX + 1n].map((value) => fault(grant("MintTokens", BOB, value)));
    expect(faults).toEqual([undefined, undefined, "validation_amount", "validation_amount"]);
  });

  test.each([
    [0, undefined],
    [18, undefined],
    [19, "validation_decimals"],
    [-1, "validation_decimals"],
    [1.5, "validation_decimals"],
  ])("%s decimals: %s", (decimals, code) => expect(fault(issue("EUR"), { decimals })).toBe(code));

  test.each<readonly [string, Draft, (text: string) => object, number]>([
    ["symbol", issue("EUR"), (symbol) => ({ symbol }), limits.SYMBOL_BYTES],
    ["name", issue("EUR"), (name) => ({ name }), limits.NAME_BYTES],
    ["new name", edit("n"), (name) => ({ name }), limits.NAME_BYTES],
    ["uri", edit("n"), (uri) => ({ uri }), limits.URI_BYTES],
    ["key", edit("n"), (key) => ({ additional: [[key, "v"]] }), limits.ADDITIONAL_KEY_BYTES],
    ["value", edit("n"), (value) => ({ additional: [["k", value]] }), limits.ADDITIONAL_VALUE_BYTES],
    ["memo type", CANCEL, (type) => ({ memo: { type, format: "", data: "" } }), limits.MEMO_BYTES.type],
    ["memo format", CANCEL, (format) => ({ memo: { type: "", format, data: "" } }), limits.MEMO_BYTES.format],
    ["memo data", CANCEL, (data) => ({ memo: { type: "", format: "", data } }), limits.MEMO_BYTES.data],
  ])("a %s has a limit in bytes, and no lone surrogates", (_, draft, change, limit) => {
    expect(fault(draft, change("x".repeat(limit)))).toBeUndefined();
    expect(fault(draft, change("x".repeat(limit + 1)))).toBe("validation_text");
    expect(fault(draft, change(`${"x".repeat(limit - 1)}é`))).toBe("validation_text");
    expect(fault(draft, change("\ud800"))).toBe("validation_text");
  });

  test("a symbol is not empty", () => expect(fault(issue(""))).toBe("validation_text"));

  test("a symbol and a name show what they hold, and a master is somebody", () => {
    const changes: object[] = ["\0", "a\u0007", "\u007f", "\u0085"].flatMap((text) => [
      { symbol: text },
      { name: text },
    ]);
    for (const change of [...changes, { name: "" }, { masterAuthority: `0x${"00".repeat(20)}` }])
      expect(fault(issue("X"), change)).toBe("validation_text");
  });

  test("a key of metadata stands once", () => {
    const additional = [["k", "a"] as const, ["l", "b"] as const, ["k", "c"] as const];
    expect(fault(edit("n"), { additional })).toBe("validation_text");
    expect(fault(edit("n"), { additional: additional.slice(0, 2) })).toBeUndefined();
  });

  test("metadata has a bounded number of pairs", () => {
    const pairs = (count: number) => ({ additional: Array.from({ length: count }, (_one, at) => [`k${at}`, "v"]) });
    expect(fault(edit("n"), pairs(limits.ADDITIONAL_PAIRS))).toBeUndefined();
    expect(fault(edit("n"), pairs(limits.ADDITIONAL_PAIRS + 1))).toBe("validation_text");
  });

  test("a memo's type and format are URL-safe, its data holds no control characters", () => {
    const memo = (type: string, format: string, data: string) => fault(CANCEL, { memo: { type, format, data } });
    expect(memo("purpose/SALA", "text/plain;q=1%20", "größer 😀")).toBeUndefined();
    expect([memo("a b", "", ""), memo("", "é", ""), memo("", "", "a\nb")]).toEqual(Array(3).fill("validation_text"));
  });

  test("a field that the layout does not sign is refused", () => {
    const memo = { type: "", format: "", data: "" };
    expect(fault(pay(BOB, 1), { layout: "spec", memo })).toBe("validation_layout");
    expect(fault(pay(BOB, 1), { layout: "client-json" })).toBe("validation_layout");
    expect(fault(issue("EUR"), { layout: "spec", clawbackEnabled: true })).toBe("validation_layout");
    expect(fault(issue("EUR"), { isPrivate: undefined })).toBe("validation_layout");
    expect(fault(issue("EUR"), { layout: "spec", isPrivate: undefined })).toBeUndefined();
  });

  test.each<readonly [string, Draft]>([
    ["list action", list("blacklist", "add", BOB)],
    ["blacklisting on the whitelist", list("whitelist", "Blacklist", BOB)],
    ["role", grant("Master", BOB)],
    ["a role of no token", grant("Bridges", BOB)],
    ["pause action", { kind: "pause", token: COIN, action: "Stop" }],
    ["grant action", { ...grant("Pause", BOB), action: "Take" } as Draft],
  ])("an unknown %s is refused", (_, draft) => expect(fault(draft)).toBe("validation_action"));
});
