import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import { check } from "../../../src/core/ledger/check.ts";
import { accountOf, balanceOf, poolOf } from "../../../src/core/ledger/state.ts";
import { signed } from "./support/operations.ts";
import {
  ALICE,
  act,
  amount,
  BOB,
  CAROL,
  CLUB,
  COIN,
  genesisOf,
  isConserved,
  pay,
  play,
  start,
  verdict,
} from "./support/world.ts";

describe("a payment", () => {
  // holds: 2, 74
  test("moves the amount, pays the fee into the pool and uses one nonce and one slot", () => {
    const { state, receipts, id } = act(start(), ALICE, pay(BOB, 100));
    expect([balanceOf(state, ALICE, COIN), balanceOf(state, BOB, COIN), poolOf(state, COIN)]).toEqual([
      898n,
      1_100n,
      2n,
    ]);
    expect(accountOf(state, ALICE)).toEqual({ nonce: 1, sequence: 1 });
    expect(accountOf(state, BOB)).toEqual({ nonce: 0, sequence: 0 });
    const slot = `account/${ALICE}/0000000000000000`;
    expect(receipts).toEqual([{ id, success: true, fee: 2n, feeToken: COIN, error: undefined, slot }]);
  });

  test("to oneself costs the fee and nothing else, and needs the amount", () => {
    const state = play(start(), [ALICE, pay(ALICE, 998)]);
    expect(balanceOf(state, ALICE, COIN)).toBe(998n);
    expect(isConserved(state, COIN)).toBe(true);
    expect(verdict(start(), ALICE, pay(ALICE, 999))).toBe("business_insufficient_funds");
  });

  // holds: 72
  test("of the last unit leaves nothing behind, of one more waits for funds", () => {
    expect(verdict(start(), ALICE, pay(BOB, 999))).toBe("business_insufficient_funds");
    const state = play(start(), [ALICE, pay(BOB, 998)]);
    expect(state.balances.has(`${ALICE}/${COIN}`)).toBe(false);
    expect(check(start(), [], signed(ALICE, 0, pay(BOB, 999)))).toEqual({
      answer: "wait",
      missing: { code: "business_insufficient_funds", token: COIN, balance: 1_000n, need: 1_001n },
    });
  });

  test("that no balance could ever fund, with the fee, is refused for good", () => {
    expect(check(start(), [], signed(ALICE, 0, pay(BOB, AMOUNT_MAX - 2n))).answer).toBe("wait");
    expect(check(start(), [], signed(ALICE, 0, pay(BOB, AMOUNT_MAX - 1n)))).toMatchObject({
      answer: "refuse",
      refusal: { code: "validation_amount", field: "value" },
    });
  });

  // holds: 71
  test("has exactly the next nonce: waits ahead of it, refused behind it", () => {
    const state = play(start(), [ALICE, pay(BOB, 1)]);
    expect(check(state, [], signed(ALICE, 2, pay(BOB, 1)))).toMatchObject({
      answer: "wait",
      missing: { code: "business_nonce_gap" },
    });
    expect(check(state, [], signed(ALICE, 0, pay(BOB, 1)))).toMatchObject({
      answer: "refuse",
      refusal: { code: "business_nonce_too_low" },
    });
    expect(check(state, [], signed(ALICE, 1, pay(BOB, 1)))).toEqual({ answer: "accept" });
    expect(check(state, [], signed(CAROL, 0, { kind: "cancellation" }))).toEqual({ answer: "accept" });
  });

  // holds: 11
  test("pays its own token's fee where the schedule has one", () => {
    const { fees } = genesisOf();
    const own = { payment: amount(50), cancellation: amount(51), recovery: amount(51) };
    const state = start({ fees: { default: fees.default, tokens: new Map([[CLUB, own]]) } });
    const paid = play(state, [ALICE, pay(BOB, 100, CLUB)], [ALICE, pay(BOB, 100, COIN)]);
    expect([poolOf(paid, CLUB), poolOf(paid, COIN)]).toEqual([50n, 2n]);
    expect(balanceOf(paid, ALICE, CLUB)).toBe(850n);
  });

  test("may be free", () => {
    const free = { payment: amount(0), cancellation: amount(1), recovery: amount(1) };
    const state = start({ fees: { default: free, tokens: new Map() } });
    const { state: paid, receipts } = act(state, ALICE, pay(BOB, 1_000));
    expect([balanceOf(paid, BOB, COIN), poolOf(paid, COIN)]).toEqual([2_000n, 0n]);
    expect(paid.pools.has(COIN)).toBe(false);
    expect(receipts[0]?.fee).toBe(0n);
  });
});
