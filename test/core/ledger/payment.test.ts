/** Payments, single and in batches (specification 5.2, 5.17). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount } from "../../../src/core/base/amount.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import type { BatchPayment } from "../../../src/core/base/operation.ts";
import { formFault } from "../../../src/core/ledger/check.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { legsHash } from "../../../src/core/ledger/legs.ts";
import { BATCH_LEGS } from "../../../src/core/ledger/limits.ts";
import { balanceOf, type LedgerState, poolOf } from "../../../src/core/ledger/state.ts";
import { legsHash as independentHash } from "../../../src/invariants/constants.ts";
import { anyAddress, anyAmount, CHAIN, type Draft, signed } from "./support/operations.ts";
import { apply, check, checkVote, skipFeeToken } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, COIN, LISTER, MASTER, PAUSER, act, amount, pay, start } = w;

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
const NOBODY = `0x${"00".repeat(20)}` as Address;

const paused = (): LedgerState => w.play(w.start(), [PAUSER, w.pause("Pause")]);
const barring = (address: Address): LedgerState => w.play(w.start(), [LISTER, w.list("blacklist", "Add", address)]);
const batch = (more: object, ...legs: readonly (readonly [Address, bigint | number])[]): Draft =>
  ({ ...w.batch(...legs), ...more }) as Draft;

describe("a batch", () => {
  test("is paid for in its token when it is skipped, like a payment", () => {
    const one = w.draft(w.start(), ALICE, w.batch([BOB, 20], [CAROL, 1]));
    expect(skipFeeToken(w.start(), [one])).toBe(COIN);
  });

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

  const full = Array.from({ length: BATCH_LEGS }, () => [BOB, 1] as const);
  const { legs } = w.batch([BOB, 1], [CAROL, 2]) as BatchPayment;
  test.each([
    ["of nothing", w.start, w.batch(), "validation_batch"],
    ["of the most legs", w.start, w.batch(...full), "accept"],
    ["of more legs", w.start, w.batch(...full, [BOB, 1]), "validation_batch"],
    ["to nobody", w.start, w.batch([BOB, 1], [NOBODY, 1]), "validation_batch"],
    ["with a leg past 2^256 - 1", w.start, w.batch([BOB, AMOUNT_MAX + 1n]), "validation_amount"],
    ["of a total past it with the fee", w.start, w.batch([BOB, AMOUNT_MAX]), "validation_amount"],
    ["of a paused token", paused, w.batch([BOB, 1]), "business_token_paused"],
    ["with the hash of its legs", w.start, batch({ operationsHash: legsHash(legs) }, [BOB, 1], [CAROL, 2]), "accept"],
    ["with another hash", w.start, batch({ operationsHash: legsHash(legs) }, [BOB, 1]), "validation_batch"],
    ["with a hash of zeros", w.start, batch({ operationsHash: `0x${"00".repeat(32)}` }, [BOB, 1]), "validation_batch"],
    ["with a text for a hash", w.start, batch({ operationsHash: "0x" }, [BOB, 1]), "validation_batch"],
    ["of the largest time", w.start, batch({ createdAt: 2n ** 64n - 1n }, [BOB, 1]), "accept"],
    ["of a larger time", w.start, batch({ createdAt: 2n ** 64n }, [BOB, 1]), "validation_amount"],
    ["with a long name", w.start, batch({ batchId: "é".repeat(65) }, [BOB, 1]), "validation_text"],
    ["with an empty name", w.start, batch({ batchId: "" }, [BOB, 1]), "accept"],
    ["of version 1", w.start, batch({ layout: "client" }, [BOB, 1]), "validation_layout"],
    ["in the spec layout", w.start, batch({ layout: "spec" }, [BOB, 1]), "validation_layout"],
    [
      "that signs an epoch first",
      w.start,
      batch({ recentEpoch: 1, recentCheckpoint: 1 }, [BOB, 1]),
      "validation_layout",
    ],
  ])("%s is judged", (_what, state, draft, code) => expect(w.verdict(state(), ALICE, draft)).toBe(code));
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
