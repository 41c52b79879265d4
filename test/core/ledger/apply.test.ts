import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import { AssertionError } from "../../../src/core/base/assert.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type LedgerSlot, type LedgerValue, slotKey } from "../../../src/core/base/slot.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { authorisedKey } from "../../../src/core/ledger/authorised.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { ledgerRules } from "../../../src/core/ledger/rules.ts";
import { type AuthorisedOperation, supplyOf } from "../../../src/core/ledger/state.ts";
import { signed } from "./support/operations.ts";
import { apply, executeOne } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CLUB, COIN, MASTER } = w;

const payment = signed(ALICE, 0, w.pay(BOB, 100));
const id = operationId(payment);
const operationValue = (operation: SignedOperation): LedgerValue => ({ type: "operation", id: operationId(operation) });
const value = operationValue(payment);
const slot = (sequence: number, address = ALICE): LedgerSlot => ({
  kind: "account",
  address,
  sequence: sequence as never,
});

describe("applying a slot", () => {
  test.each<readonly [string, LedgerSlot, LedgerValue, SignedOperation | undefined]>([
    ["a slot past the next", slot(1), value, payment],
    [
      "a token's slot past the next",
      { kind: "token", token: COIN, version: 1 as never },
      { type: "list", ids: [] },
      undefined,
    ],
    ["no content", slot(0), value, undefined],
    ["another operation's content", slot(0), value, signed(ALICE, 0, w.pay(BOB, 101))],
  ])("stops the run at %s", (_, at, decided, content) => {
    expect(() => apply(w.start(), at, decided, content)).toThrow(AssertionError);
  });

  const cancelled = signed(ALICE, 0, { kind: "cancellation" });
  const later = signed(ALICE, 3, w.pay(BOB, 1));
  const skip = { type: "skip", by: "cancellation", id, displaced: [id], feeToken: undefined } as const;
  const ofToken = (token: Address): LedgerSlot => ({ kind: "token", token, version: 0 as never });
  test.each<readonly [string, LedgerSlot, LedgerValue, SignedOperation | undefined, string]>([
    ["another account's operation", slot(0, BOB), value, payment, `operation ${id} is of ${ALICE}`],
    ["a skip of another nonce", slot(0), skip, later, `skip ${id} is for nonce 3 of ${ALICE}, expected nonce 0`],
    ["a list of no token", ofToken(BOB), { type: "list", ids: [] }, undefined, "does not exist after its list"],
    ["a list in an account's slot", slot(0), { type: "list", ids: [id] }, undefined, "decides no list"],
    ["an operation in a token's slot", ofToken(COIN), value, payment, "decides no operation"],
    ["a cancellation", slot(0), operationValue(cancelled), cancelled, "is decided as an operation, expected a skip"],
    ["a later nonce", slot(0), operationValue(later), later, "has nonce 3, expected 0"],
  ])("is impossible for %s", (_, at, decided, content, reason) => {
    const expected = { outcome: "impossible", reason: expect.stringContaining(reason) };
    expect(apply(w.start(), at, decided, content)).toMatchObject(expected);
  });

  test.each([
    ["a payment", 2n, (sum: bigint) => w.pay(BOB, sum)],
    ["a batch", 2n, (sum: bigint) => w.batch([BOB, sum - 1n], [w.CAROL, 1])],
    ["a burn and bridge", 2n, (sum: bigint) => w.bridgeBurn(ALICE, sum, 2)],
  ])("is impossible for %s that passes 2^256 - 1 with its fee, and waits for funds up to there", (_, fee, fields) => {
    const outcomeOf = (sum: bigint): string => {
      const operation = signed(ALICE, 0, fields(sum));
      return apply(w.start(), slot(0), operationValue(operation), operation).outcome;
    };
    expect([outcomeOf(1_000n - fee), outcomeOf(1_001n - fee)]).toEqual(["applied", "waiting"]);
    expect([outcomeOf(AMOUNT_MAX - fee), outcomeOf(AMOUNT_MAX - fee + 1n)]).toEqual(["waiting", "impossible"]);
  });

  test("waits for the funds of a clawback from its signer", () => {
    const outcomeOf = (value: number): string => {
      const operation = signed(ALICE, 0, w.clawback(ALICE, BOB, value));
      return apply(w.start(), slot(0), operationValue(operation), operation).outcome;
    };
    expect([outcomeOf(1_000), outcomeOf(1_001)]).toEqual(["applied", "waiting"]);
  });

  test.each([w.pay(BOB, 1), w.burn(1), { kind: "cancellation" as const }])(
    "executes no $kind in a token's slot",
    (fields) => {
      const entry: AuthorisedOperation = {
        id,
        signed: signed(MASTER, 0, fields),
        authorisedBy: slotKey(slot(0)),
        sequence: 0 as never,
      };
      const execute = () =>
        executeOne(w.start(), COIN, entry, slotKey({ kind: "token", token: COIN, version: 0 as never }));
      expect(execute).toThrow("takes no effect on a token's policy");
    },
  );

  test("stops the run where more was burned than minted, and where an own operation is to wait for another slot", () => {
    const burned = { ...w.start(), burned: Trie.of([[COIN, w.amount(2_001)] as const]) };
    expect(() => supplyOf(burned, COIN)).toThrow(AssertionError);
    for (const fields of [w.pay(BOB, 1), { kind: "cancellation" as const }]) {
      const entry = { id, signed: signed(ALICE, 0, fields), authorisedBy: slotKey(slot(0)), sequence: 0 as never };
      expect(() => authorisedKey(entry)).toThrow("waits for no other");
    }
  });

  test("waits if the debited balance is short here, and is applied once the credit is", () => {
    const large = signed(ALICE, 0, w.pay(BOB, 1_500));
    const missing = { code: "business_insufficient_funds", token: COIN, balance: 1_000n, need: 1_502n };
    expect(apply(w.start(), slot(0), operationValue(large), large)).toEqual({ outcome: "waiting", missing });
    const funded = w.play(w.start(), [MASTER, w.mint(ALICE, 502)]);
    expect(apply(funded, slot(0), operationValue(large), large)).toMatchObject({
      outcome: "applied",
      receipts: [{ success: true }],
    });
  });

  test("checks no rule of a decided payment again", () => {
    const outside = signed(ALICE, 0, w.pay(MASTER, 10, CLUB));
    const done = apply(w.start(), slot(0), operationValue(outside), outside);
    expect(done).toMatchObject({ outcome: "applied", receipts: [{ success: true, fee: 2n, feeToken: CLUB }] });
  });

  test("takes its parts from the given record", () => {
    const free = { ...ledgerRules, paymentFee: () => w.amount(0) };
    const done = ledgerRules.apply(w.start(), slot(0), value, payment, free);
    expect(done).toMatchObject({ outcome: "applied", receipts: [{ fee: 0n }] });
  });
});
