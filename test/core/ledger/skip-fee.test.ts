import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { FeeStep, SkipValue, Slot } from "../../../src/core/base/slot.ts";
import { apply } from "../../../src/core/ledger/apply.ts";
import { feesFault, type SkipBy, skipFee, skipFeeAmount } from "../../../src/core/ledger/fees.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { accountOf, balanceOf, type LedgerState, poolOf } from "../../../src/core/ledger/state.ts";
import { address, signed } from "./support/operations.ts";
import {
  amount,
  BOB,
  burn,
  CAROL,
  CLUB,
  COIN,
  decide,
  isConserved,
  LISTER,
  list,
  MASTER,
  mint,
  pause,
  pay,
  play,
  start,
} from "./support/world.ts";

const NOWHERE = address(0xcf);
const slot: Slot = { kind: "account", address: CAROL, sequence: 0 as never };

/** Carol with this balance of the coin. */
function carolWith(balance: number): LedgerState {
  return balance === 0 ? start() : play(start(), [MASTER, mint(CAROL, balance)]);
}

function skipOf(by: SkipBy, feeStep: FeeStep, feeToken = COIN): SkipValue {
  const id = operationId(signed(CAROL, 0, { kind: "cancellation" }));
  return { type: "skip", by, id, displaced: [operationId(payment)], feeToken, feeStep };
}

const payment = signed(CAROL, 0, pay(BOB, 9));

describe("the fee of a skip", () => {
  test.each<readonly [SkipBy, number, FeeStep]>([
    ["cancellation", 0, "zero"],
    ["cancellation", 1, "zero"],
    ["cancellation", 2, "payment"],
    ["cancellation", 4, "payment"],
    ["cancellation", 5, "full"],
    ["recovery", 6, "payment"],
    ["recovery", 7, "full"],
  ])("of a %s with a balance of %i is the %s one", (by, balance, feeStep) => {
    const state = carolWith(balance);
    expect(skipFee(state, CAROL, by, [payment])).toEqual({ feeToken: COIN, feeStep });
    const { state: after, receipts } = decide(state, slot, skipOf(by, feeStep));
    const fee = skipFeeAmount(state.parameters.fees, by, COIN, feeStep);
    expect([balanceOf(after, CAROL, COIN), poolOf(after, COIN)]).toEqual([BigInt(balance) - fee, fee]);
    expect(receipts).toMatchObject([{ success: true, fee, feeToken: COIN }]);
    expect(accountOf(after, CAROL)).toEqual({ nonce: 1, sequence: 1 });
    expect(isConserved(after, COIN)).toBe(true);
  });

  // holds: 14
  test("costs more than a payment, for a cancellation and for a recovery", () => {
    const { fees } = start().parameters;
    const at = (by: SkipBy, step: FeeStep) => skipFeeAmount(fees, by, COIN, step);
    expect([
      at("cancellation", "full"),
      at("recovery", "full"),
      at("recovery", "payment"),
      at("recovery", "zero"),
    ]).toEqual([5n, 7n, 2n, 0n]);
  });

  test("is none where nothing moves or the token does not exist here", () => {
    const none = { feeToken: undefined, feeStep: "zero" };
    const state = carolWith(100);
    for (const displaced of [
      signed(CAROL, 0, mint(BOB, 1)),
      signed(CAROL, 0, burn(1)),
      signed(CAROL, 0, pay(BOB, 1, NOWHERE)),
    ]) {
      expect(skipFee(state, CAROL, "recovery", [displaced])).toEqual(none);
    }
    expect(skipFee(state, CAROL, "cancellation", [])).toEqual(none);
    const free: SkipValue = {
      type: "skip",
      by: "recovery",
      id: operationId(payment),
      displaced: [],
      feeToken: undefined,
      feeStep: "zero",
    };
    expect(decide(state, slot, free).receipts).toMatchObject([{ success: true, fee: 0n, feeToken: undefined }]);
  });

  test("is nothing at any step where no token is named", () => {
    const { fees } = start().parameters;
    for (const step of ["full", "payment", "zero"] as const)
      expect(skipFeeAmount(fees, "recovery", undefined, step)).toBe(0n);
  });

  test("is paid in the token of the operation with the lowest id that moves one, in any order", () => {
    const inClub = signed(CAROL, 0, pay(BOB, 9, CLUB));
    const lowest = operationId(payment) < operationId(inClub) ? COIN : CLUB;
    const idle = signed(CAROL, 0, mint(BOB, 1));
    for (const displaced of [
      [payment, inClub, idle],
      [idle, inClub, payment],
    ]) {
      expect(skipFee(start(), CAROL, "recovery", displaced).feeToken).toBe(lowest);
    }
  });

  test("does not care about pause and lists", () => {
    const state = play(carolWith(10), [LISTER, list("blacklist", "Add", CAROL)], [MASTER, pause("Pause")]);
    expect(skipFee(state, CAROL, "cancellation", [payment]).feeStep).toBe("full");
    expect(poolOf(decide(state, slot, skipOf("cancellation", "full")).state, COIN)).toBe(5n);
  });

  test("waits, once decided, until the balance is here", () => {
    const waiting = apply(carolWith(4), slot, skipOf("cancellation", "full"), undefined);
    expect(waiting).toMatchObject({
      outcome: "waiting",
      missing: { code: "business_insufficient_funds", balance: 4n, need: 5n },
    });
  });

  test("is the payment's at least where payments are free", () => {
    const fees = { default: { payment: amount(0), cancellation: amount(1), recovery: amount(1) }, tokens: new Map() };
    expect(skipFee(start({ fees }), CAROL, "recovery", [payment]).feeStep).toBe("payment");
  });
});

describe("fees", () => {
  const faultOf = (payment: bigint, cancellation: bigint, recovery: bigint) =>
    feesFault({
      default: { payment: amount(1), cancellation: amount(2), recovery: amount(2) },
      tokens: new Map([
        [COIN, { payment: amount(payment), cancellation: amount(cancellation), recovery: amount(recovery) }],
      ]),
    });

  test("are 0 to 2^256 - 1", () => {
    expect(faultOf(0n, AMOUNT_MAX, AMOUNT_MAX)).toBeUndefined();
    for (const [fault, got] of [
      [faultOf(-1n, 2n, 2n), -1n],
      [faultOf(1n, AMOUNT_MAX + 1n, 2n), AMOUNT_MAX + 1n],
      [faultOf(1n, 2n, AMOUNT_MAX + 1n), AMOUNT_MAX + 1n],
    ])
      expect(fault).toBe(`fees: ${COIN}: expected 0 to 2^256 - 1, got ${got}`);
  });

  // holds: 14
  test("are higher for a cancellation and for a recovery than for a payment", () => {
    expect(faultOf(3n, 4n, 4n)).toBeUndefined();
    for (const fault of [faultOf(3n, 3n, 4n), faultOf(3n, 4n, 3n)]) expect(fault).toContain("must cost more");
  });
});
