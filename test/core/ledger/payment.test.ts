/** Payments, single and in batches (specification 5.2, 5.17). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount } from "../../../src/core/base/amount.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import { formFault } from "../../../src/core/ledger/check.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { legsHash } from "../../../src/core/ledger/legs.ts";
import { balanceOf, type LedgerState, poolOf } from "../../../src/core/ledger/state.ts";
import { legsHash as independentHash } from "../../../src/invariants/reference/addresses.ts";
import { anyAddress, anyAmount, CHAIN, signed } from "./support/operations.ts";
import { apply, check, checkVote } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, COIN, LISTER, MASTER, act, amount, pay, start } = w;

describe("a payment", () => {
  test("that no balance could ever fund, with the fee, is refused for good", () => {
    expect(check(start(), [], signed(ALICE, 0, pay(BOB, AMOUNT_MAX - 2n))).answer).toBe("wait");
    expect(check(start(), [], signed(ALICE, 0, pay(BOB, AMOUNT_MAX - 1n)))).toMatchObject({
      answer: "refuse",
      refusal: { code: "validation_amount", field: "value" },
    });
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

/** Of a payment. */
const FEE = 2n;

const barring = (address: Address): LedgerState => w.play(w.start(), [LISTER, w.list("blacklist", "Add", address)]);
describe("a batch", () => {
  test("waits at a voter for the funds of its last leg, and decided at a validator that lacks them", () => {
    const short = w.draft(w.start(), ALICE, w.batch([BOB, 500], [CAROL, 501n - FEE]));
    expect(checkVote(w.start(), [], short).answer).toBe("wait");
    const enough = w.draft(w.start(), ALICE, w.batch([BOB, 500], [CAROL, 500n - FEE]));
    expect(checkVote(w.start(), [], enough).answer).toBe("accept");
    const slot = { kind: "account", address: ALICE, sequence: 0 } as never;
    const value = { type: "operation", id: operationId(short) } as const;
    expect(apply(w.start(), slot, value, short).outcome).toBe("waiting");
  });

  test("of a total past 2^256 - 1 is malformed, whatever its fee", () => {
    const malformed = w.draft(w.start(), ALICE, w.batch([BOB, AMOUNT_MAX], [CAROL, 1]));
    expect(formFault(malformed.operation, CHAIN)).toMatchObject({ code: "validation_amount", field: "operations" });
    const { operation } = w.draft(w.start(), ALICE, w.batch([BOB, AMOUNT_MAX]));
    expect(formFault(operation, CHAIN)).toBeUndefined();
  });
});

const party = fc.constantFrom(ALICE, BOB, CAROL, MASTER);
const anyLegs = fc.array(fc.tuple(party, fc.bigInt({ min: 0n, max: 700n })), { maxLength: 6 });

test("a batch is accepted where its legs are payments one after the other, and moves what they move but for the fees", () => {
  fc.assert(
    fc.property(anyLegs, fc.option(party), (legs, barred) => {
      const before = barred === null ? w.start() : barring(barred);
      const signed = w.draft(before, ALICE, w.batch(...legs));
      const total = legs.reduce((sum, [, amount]) => sum + amount, 0n);
      const isSound = legs.length > 0 && legs.every(([, amount]) => amount > 0n);
      const isFree = ![ALICE, ...legs.map(([to]) => to)].some((address) => address === barred);
      const isFunded = total + FEE <= balanceOf(before, ALICE, COIN);
      const answer = check(before, [], signed).answer;
      expect(answer).toBe(!isSound || !isFree ? "refuse" : isFunded ? "accept" : "wait");
      if (answer !== "accept") return;
      const { state } = w.act(before, ALICE, w.batch(...legs));
      for (const address of [ALICE, BOB, CAROL, MASTER]) {
        const gained = legs.reduce((sum, [to, amount]) => sum + (to === address ? amount : 0n), 0n);
        const spent = address === ALICE ? total + FEE : 0n;
        expect(balanceOf(state, address, COIN)).toBe(balanceOf(before, address, COIN) + gained - spent);
      }
      expect(w.isConserved(state, COIN)).toBe(true);
    }),
  );
});

test("ledger and oracles hash the legs alike", () => {
  const anyLeg = fc.record({ recipient: anyAddress, amount: anyAmount as fc.Arbitrary<Amount> });
  fc.assert(
    fc.property(fc.array(anyLeg, { maxLength: 9 }), (some) => {
      expect(independentHash(some)).toBe(legsHash(some));
    }),
  );
});
