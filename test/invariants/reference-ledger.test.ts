import { expect, test } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { applySlot, type ModelResult } from "../../src/invariants/reference/ledger.ts";
import { countersOf, genesisLedger, type LedgerState } from "../../src/invariants/reference/state.ts";
import { amount, BOB, ISSUER, list, own, type SettingOptions, setting, signed, USD } from "./vocabulary.ts";

/** Reference ledger whose next operations are those of the issuer. */
class Ledger {
  readonly #state: LedgerState;
  #version = 0;

  constructor(options: SettingOptions = {}) {
    this.#state = genesisLedger(setting(options).genesis);
  }

  /** Decides an operation of the issuer in its next slot. */
  own(kind: SignedOperation["operation"]["kind"], fields: object): ModelResult {
    const { nonce, sequence } = countersOf(this.#state, ISSUER);
    const { slot, value, operations } = own(`n${nonce}`, sequence, signed(kind, ISSUER, nonce, fields));
    return applySlot(this.#state, slot, value, operations);
  }

  /** Authorises an operation of the token and executes it alone; returns the codes of its receipt, none on success. */
  govern(kind: SignedOperation["operation"]["kind"], fields: object): readonly string[] {
    const { nonce } = countersOf(this.#state, ISSUER);
    this.own(kind, fields);
    const { slot, value, operations } = list(this.#version++, [[`n${nonce}`, signed(kind, ISSUER, nonce, fields)]]);
    return applySlot(this.#state, slot, value, operations).receipts[0]?.reasons ?? ["no receipt"];
  }

  mint(value: bigint): readonly string[] {
    return this.govern("mint", { token: USD, recipient: BOB, value: amount(value) });
  }

  list(kind: "blacklist" | "whitelist", to: Address, action: string): readonly string[] {
    return this.govern("list", { list: kind, token: USD, address: to, action });
  }
}

test("all that was ever minted stays below 2^256, burned or not", () => {
  const ledger = new Ledger();
  expect(ledger.mint((1n << 256n) - 2001n)).toEqual([]);
  expect(ledger.own("burn", { token: USD, value: amount(0) }).receipts[0]?.success).toBe(true);
  expect(ledger.mint(1n)).toEqual(["business_amount_overflow"]);
});

test("lists follow the kind of the token, and entries are neither doubled nor removed twice", () => {
  const open = new Ledger();
  expect(open.list("whitelist", BOB, "Add")).toEqual(["business_list_kind"]);
  expect(open.list("blacklist", BOB, "Blacklist")).toEqual([]);
  expect(open.list("blacklist", BOB, "Add")).toEqual(["business_list_state"]);
  expect(open.list("blacklist", BOB, "Remove")).toEqual([]);
  expect(open.list("blacklist", BOB, "Remove")).toEqual(["business_list_state"]);
  expect(open.list("blacklist", BOB, "Add")).toEqual([]);
  expect(open.list("blacklist", BOB, "Whitelist")).toEqual([]);
  expect(open.list("blacklist", BOB, "Whitelist")).toEqual(["business_list_state"]);
  const closed = new Ledger({ token: { isPrivate: true } });
  expect(closed.list("blacklist", BOB, "Add")).toEqual(["business_list_kind"]);
  expect(closed.mint(1n)).toEqual(["business_not_whitelisted"]);
  expect(closed.list("whitelist", BOB, "Whitelist")).toEqual([]);
  expect(closed.mint(1n)).toEqual([]);
});
