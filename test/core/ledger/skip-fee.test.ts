/** Skips: the check of a cancellation or recovery, and its fee (protocol 3.2, 4.4). */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { Nonce } from "../../../src/core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../../src/core/base/operation.ts";
import type { SkipValue, Slot } from "../../../src/core/base/slot.ts";
import { chargeFee, credit } from "../../../src/core/ledger/balances.ts";
import { feesFault, paymentFee, type SkipKind, skipFee } from "../../../src/core/ledger/fees.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import {
  accountOf,
  balanceOf,
  heldTokens,
  type LedgerState,
  owedFees,
  poolOf,
} from "../../../src/core/ledger/state.ts";
import { address, CHAIN, signed } from "./support/operations.ts";
import { checkCancellation, checkRecovery, skipFeeToken } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, MASTER } = w;

const NOWHERE = address(0xcf);
const slot: Slot = { kind: "account", address: CAROL, sequence: 0 as never };

/** Carol with this balance of the coin. */
function carolWith(balance: number): LedgerState {
  return balance === 0 ? w.start() : w.play(w.start(), [MASTER, w.mint(CAROL, balance)]);
}

function skipOf(by: SkipKind, feeToken: SkipValue["feeToken"] = COIN): SkipValue {
  const id = operationId(signed(CAROL, 0, { kind: "cancellation" }));
  return { type: "skip", by, id, displaced: [operationId(payment)], feeToken };
}

const payment = signed(CAROL, 0, w.pay(BOB, 9));

describe("the fee of a skip", () => {
  test.each<readonly [SkipKind, number, number]>([
    ["cancellation", 0, 5],
    ["cancellation", 4, 1],
    ["cancellation", 9, 0],
    ["recovery", 6, 1],
  ])("of a %s with a balance of %i leaves %i owed", (by, balance, owed) => {
    const state = carolWith(balance);
    const { state: after, receipts } = w.decide(state, slot, skipOf(by));
    const fee = by === "recovery" ? 7 : 5;
    const rest = BigInt(Math.max(0, balance - fee));
    expect([balanceOf(after, CAROL, COIN), owedFees(after, CAROL, COIN)]).toEqual([rest, BigInt(owed)]);
    expect(poolOf(after, COIN)).toBe(BigInt(fee - owed));
    expect(receipts).toMatchObject([{ success: true, fee: BigInt(fee), feeToken: COIN }]);
    expect(accountOf(after, CAROL)).toEqual({ nonce: 1, sequence: 1 });
    expect(w.isConserved(after, COIN)).toBe(true);
  });

  // holds: 14
  test("costs more than a payment, for a cancellation and for a recovery", () => {
    const { fees } = w.start().parameters;
    expect([paymentFee(fees, COIN), skipFee(fees, "cancellation", COIN), skipFee(fees, "recovery", COIN)]).toEqual([
      2n,
      5n,
      7n,
    ]);
  });

  // holds: 14
  test("and credits lead to one state in any order, and none of them makes money", () => {
    const step = fc.oneof(
      fc.record({ credit: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ fee: fc.integer({ min: 1, max: 9 }) }),
    );
    const shuffled = fc
      .array(step, { maxLength: 8 })
      .chain((steps) =>
        fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length })),
      );
    fc.assert(
      fc.property(shuffled, ([steps, others]) => {
        const stateOf = (order: typeof steps): LedgerState =>
          order.reduce<LedgerState>(
            (state, one) =>
              "credit" in one
                ? credit(state, CAROL, COIN, w.amount(one.credit))
                : chargeFee(state, CAROL, COIN, w.amount(one.fee)),
            w.start(),
          );
        const [one, other] = [stateOf(steps), stateOf(others)];
        expect(stateRoot(one)).toBe(stateRoot(other));
        const sum = (name: "credit" | "fee"): bigint =>
          steps.reduce(
            (total, one) => total + BigInt(name in one ? ((one as Record<string, number>)[name] ?? 0) : 0),
            0n,
          );
        const [balance, owed] = [balanceOf(one, CAROL, COIN), owedFees(one, CAROL, COIN)];
        expect([balance - owed, poolOf(one, COIN)]).toEqual([sum("credit") - sum("fee"), sum("credit") - balance]);
        expect(balance === 0n || owed === 0n).toBe(true);
      }),
    );
  });

  test("that is owed has an entry of its own kind in the state, which a share of the pool pays as well", () => {
    const { state } = w.decide(carolWith(1), slot, skipOf("cancellation"));
    const even = w.play(state, [MASTER, w.mint(CAROL, 4)]);
    expect(stateRoot(state)).not.toBe(stateRoot(w.play(state, [MASTER, w.mint(CAROL, 1)])));
    expect([balanceOf(even, CAROL, COIN), owedFees(even, CAROL, COIN), poolOf(even, COIN)]).toEqual([0n, 0n, 5n]);
    expect(heldTokens(state, CAROL)).toEqual([]);
    expect(w.isConserved(even, COIN)).toBe(true);
  });

  test("is owed whatever its amount, again and again", () => {
    const fee = AMOUNT_MAX;
    const twice = chargeFee(chargeFee(w.start(), CAROL, COIN, fee), CAROL, COIN, fee);
    expect([balanceOf(twice, CAROL, COIN), owedFees(twice, CAROL, COIN)]).toEqual([0n, 2n * fee]);
    expect(stateRoot(twice)).not.toBe(stateRoot(w.start()));
  });

  test("is none where no token is named, or none that exists here", () => {
    const state = carolWith(100);
    for (const displaced of [[signed(CAROL, 0, w.pay(BOB, 1, NOWHERE))], []])
      expect(skipFeeToken(state, displaced)).toBeUndefined();
    expect(skipFee(state.parameters.fees, "recovery", undefined)).toBe(0n);
    const free = { ...skipOf("recovery"), feeToken: undefined };
    expect(w.decide(state, slot, free).receipts).toMatchObject([{ success: true, fee: 0n, feeToken: undefined }]);
  });

  test("is paid in the token of the operation with the lowest id that names one, in any order", () => {
    const inClub = signed(CAROL, 0, w.pay(BOB, 9, CLUB));
    const nowhere = signed(CAROL, 0, w.pay(BOB, 9, NOWHERE));
    for (const fields of [w.mint(BOB, 1), w.batch([BOB, 20], [CAROL, 1]), w.bridgeBurn(CAROL, 20)])
      expect(skipFeeToken(w.start(), [signed(CAROL, 0, fields)])).toBe(COIN);
    const [lowest] = [payment, inClub].sort((a, b) => (operationId(a) < operationId(b) ? -1 : 1));
    for (const displaced of [
      [payment, inClub, nowhere],
      [nowhere, inClub, payment],
    ])
      expect(skipFeeToken(w.start(), displaced)).toBe(lowest === payment ? COIN : CLUB);
  });
});

describe("fees", () => {
  const faultOf = (payment: bigint, cancellation: bigint, recovery: bigint) =>
    feesFault({
      default: { payment: w.amount(1), cancellation: w.amount(2), recovery: w.amount(2) },
      tokens: new Map([
        [COIN, { payment: w.amount(payment), cancellation: w.amount(cancellation), recovery: w.amount(recovery) }],
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

const cancel = (nonce: number): SignedOperation => signed(ALICE, nonce, { kind: "cancellation" });
const first = signed(ALICE, 0, w.pay(BOB, 1));
const second = signed(ALICE, 0, w.pay(BOB, 2));

/** The same for another network. */
function elsewhere(of: SignedOperation): SignedOperation {
  return { ...of, operation: { ...of.operation, chainId: 1 } };
}

function recovery(changes: Partial<Recovery> = {}): Recovery {
  return {
    kind: "recovery",
    chainId: CHAIN,
    account: ALICE,
    nonce: 0 as Nonce,
    evidence: { first, second },
    ...changes,
  };
}

describe("a cancellation", () => {
  test("is paired with another operation of its signer, chain and nonce", () => {
    expect(checkCancellation(w.start(), cancel(0), [first])).toEqual({ answer: "accept" });
    const others = [signed(BOB, 0, w.pay(BOB, 1)), signed(ALICE, 1, w.pay(BOB, 1)), cancel(0), elsewhere(first)];
    for (const displaced of [[], others]) {
      const missing = { code: "business_nothing_to_cancel", nonce: 0 };
      expect(checkCancellation(w.start(), cancel(0), displaced)).toEqual({ answer: "wait", missing });
    }
  });

  test("has exactly the next nonce and the right form", () => {
    const state = w.play(w.start(), [ALICE, w.pay(BOB, 1)]);
    expect(checkCancellation(state, cancel(0), [first])).toMatchObject({ refusal: { code: "business_nonce_too_low" } });
    expect(checkCancellation(state, cancel(2), [first])).toMatchObject({ missing: { code: "business_nonce_gap" } });
    expect(checkCancellation(w.start(), elsewhere(cancel(0)), [first])).toMatchObject({
      refusal: { code: "validation_chain_id" },
    });
    expect(checkCancellation(w.start(), first, [second])).toMatchObject({ refusal: { code: "validation_evidence" } });
  });
});

describe("a recovery", () => {
  test("is accepted for an equivocation at the account's next nonce", () => {
    expect(checkRecovery(w.start(), recovery())).toEqual({ answer: "accept" });
    expect(checkRecovery(w.start(), recovery({ evidence: { first: second, second: first } }))).toEqual({
      answer: "accept",
    });
  });

  test.each<readonly [string, Partial<Recovery>]>([
    ["one operation twice", { evidence: { first, second: first } }],
    ["a cancellation", { evidence: { first, second: cancel(0) } }],
    ["another account's operations", { account: BOB }],
    ["another nonce's operations", { nonce: 1 as Nonce }],
    ["another chain's operations", { evidence: { first: elsewhere(first), second: elsewhere(second) } }],
  ])("is refused for %s", (_, changes) => {
    expect(checkRecovery(w.start(), recovery(changes))).toMatchObject({
      answer: "refuse",
      refusal: { code: "validation_evidence" },
    });
  });

  test("waits ahead of the account's nonce and is refused behind it and on another chain", () => {
    const ahead = recovery({
      nonce: 1 as Nonce,
      evidence: { first: signed(ALICE, 1, w.pay(BOB, 1)), second: signed(ALICE, 1, w.pay(BOB, 2)) },
    });
    expect(checkRecovery(w.start(), ahead)).toMatchObject({ answer: "wait", missing: { code: "business_nonce_gap" } });
    const later = w.play(w.start(), [ALICE, w.pay(BOB, 1)]);
    expect(checkRecovery(later, recovery())).toMatchObject({
      answer: "refuse",
      refusal: { code: "business_nonce_too_low" },
    });
    expect(checkRecovery(w.start(), recovery({ chainId: 1 }))).toMatchObject({
      refusal: { code: "validation_chain_id" },
    });
  });
});
