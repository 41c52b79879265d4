import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import type { Change } from "../../src/invariants/observation.ts";
import { accounts } from "../../src/invariants/oracles/accounts.ts";
import { conservation } from "../../src/invariants/oracles/conservation.ts";
import { fees } from "../../src/invariants/oracles/fees.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { parametersOf } from "./closings.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import {
  ALICE,
  address,
  amount,
  BOB,
  cancelled,
  type Decision,
  FEES,
  HIGHER_FEES,
  ISSUER,
  list,
  own,
  payment,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

const PAYMENT = own("x", 0, payment(ALICE, 0, BOB, 100));

function found(stream: Stream): readonly string[] {
  return details(fees(stream.setting), stream.end());
}

function paying(fee: number): (effects: AppliedEffects) => AppliedEffects {
  return (effects) => ({
    changes: effects.changes.map(
      (change): Change => (change.of === "pool" ? { ...change, after: amount(fee) } : change),
    ),
    receipts: effects.receipts.map((receipt) => ({ ...receipt, fee: amount(fee), feeToken: USD })),
  });
}

function skip(): Decision {
  return cancelled(["c", signed("cancellation", ALICE, 0, {})], ["x", payment(ALICE, 0, BOB, 5)]);
}

test("a payment that pays another fee than the schedule's is found", () => {
  expect(found(new Stream(setting()).apply("v1", PAYMENT, paying(2)))).toEqual([
    expect.stringContaining("where a payment costs 1 USD"),
  ]);
});

test("a mint that pays is found", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(1) });
  const stream = new Stream(setting()).settle("m", own("m", 0, mint));
  stream.apply("v1", list(0, [["m", mint]]), paying(1));
  expect(found(stream)[0]).toContain("an operation of kind mint costs 0");
});

test("a skip that costs another fee than the schedule's is found", () => {
  expect(found(new Stream(setting()).apply("v1", skip()))).toEqual([]);
  expect(found(new Stream(setting()).apply("v1", skip(), paying(2)))[0]).toContain("a skip by cancellation costs 3");
});

test("what a balance owes of a fee is in no pool, and what a credit pays of it is", () => {
  const poor = (after: bigint, pool: number): Stream =>
    new Stream(setting()).apply("v1", skip(), (effects) => ({
      ...effects,
      changes: effects.changes.map((change): Change => {
        if (change.of === "pool") return { ...change, after: amount(pool) };
        return change.of === "balance" ? { ...change, before: after + 3n, after } : change;
      }),
    }));
  expect(found(poor(-2n, 1))).toEqual([]);
  expect(found(poor(-2n, 3))).toEqual([expect.stringContaining("is 3, the fees that were paid sum to 1")]);
  const paid = (pool: number): Stream =>
    poor(-2n, 1).apply("v1", PAYMENT, (effects) => ({
      ...effects,
      changes: [
        { of: "balance", address: BOB, token: USD, before: -5n, after: -1n },
        { of: "pool", token: USD, before: amount(1), after: amount(pool) },
      ],
    }));
  expect(found(paid(6))).toEqual([]);
  expect(found(paid(2))).toEqual([expect.stringContaining("is 2, the fees that were paid sum to 6")]);
});

test("a pool that is not the sum of the fees is found", () => {
  const more = (change: Change): Change => (change.of === "pool" ? { ...change, after: amount(5) } : change);
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.map(more),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("is 5, the fees that were paid sum to 1")]);
});

test("a fee that never reaches the pool is found", () => {
  const stream = new Stream(setting()).apply("v1", PAYMENT, (effects) => ({
    ...effects,
    changes: effects.changes.filter(({ of }) => of !== "pool"),
  }));
  expect(found(stream)).toEqual([expect.stringContaining("did not change")]);
});

/** A payment costs ten, so the four validators share eight. */
function paid(): Stream {
  const ten = { ...FEES, payment: amount(10), cancellation: amount(11), recovery: amount(11) };
  const stream = new Stream(setting({ genesis: { fees: { default: ten, tokens: new Map() } } }));
  return stream.settle("x", PAYMENT);
}

function closed(alter: (changes: readonly Change[]) => readonly Change[]): Stream {
  const stream = paid();
  return stream.turn([], { listing: [[PAYMENT, "x"]], appliers: ["v1"], alter });
}

const moved = (of: Change["of"], account: Address | undefined, by: number) => (changes: readonly Change[]) =>
  changes.map((change) => {
    const isIt = change.of === of && (change.of !== "balance" || change.address === account);
    return isIt && "after" in change && change.of !== "token"
      ? { ...change, after: amount(change.after + BigInt(by)) }
      : change;
  });

const REWARD = address("v2 reward");

const also = (change: Change) => (changes: readonly Change[]) => [...changes, change];

/** Violations of each oracle by one wrong distribution. */
const WRONG: readonly (readonly [
  string,
  (changes: readonly Change[]) => readonly Change[],
  string,
  string | undefined,
])[] = [
  ["a share too much", moved("balance", REWARD, 1), "equal shares for 4 validators make it 2", "but credited 9"],
  ["a share too little", moved("balance", REWARD, -1), "equal shares for 4 validators make it 2", "but credited 7"],
  ["the remainder shared too", moved("pool", undefined, -2), "the fee pool of USD by -10", "took 10 from the fee pool"],
  ["nothing shared", () => [], "the fee pool of USD by 0", undefined],
  [
    "somebody else's reward",
    also({ of: "balance", address: BOB, token: USD, before: amount(1100), after: amount(1101) }),
    "by 1, but equal shares for 4 validators make it 0",
    "but credited 9",
  ],
  [
    "a burn",
    also({ of: "burned", token: USD, before: amount(0), after: amount(2) }),
    "the count of burned USD by 2",
    "a closing only distributes the pools",
  ],
];

describe("at the end of an epoch", () => {
  test.each(WRONG)("%s is found", (_what, alter, inFees, inConservation) => {
    const stream = closed(alter);
    expect(details(fees(stream.setting), stream).join()).toContain(inFees);
    expect(details(validity(stream.setting), stream).join()).toContain("the closing of epoch 0 unlike the reference");
    const conserved = details(conservation(stream.setting), stream);
    if (inConservation === undefined) expect(conserved).toEqual([]);
    else expect(conserved.join()).toContain(inConservation);
  });

  test("equal shares go to the reward accounts and what is left over stays", () => {
    const stream = closed((changes) => changes);
    const last = stream.records.find((record) => record.type === "closed");
    expect(last?.type === "closed" && last.changes).toHaveLength(5);
    for (const oracle of [fees, conservation, accounts, validity]) {
      expect(details(oracle(stream.setting), stream)).toEqual([]);
    }
  });

  test("an account's counters stay", () => {
    const stream = closed(also({ of: "account", address: ALICE, nonce: 2 as never, sequence: 2 as never }));
    expect(details(accounts(stream.setting), stream)).toEqual([
      expect.stringContaining("moved the counters of 0x616c"),
    ]);
  });

  test("no balance falls below 0", () => {
    const stream = closed(moved("balance", REWARD, -3));
    expect(details(accounts(stream.setting), stream)).toEqual([
      expect.stringContaining("after the closing of epoch 0 the balance of 0x76322072… in USD is -1, below 0"),
    ]);
  });
});

test("a payment costs what the epoch in which it is decided says", () => {
  const next = (stream: Stream) => ({
    ...parametersOf(stream.setting),
    fees: { default: HIGHER_FEES, tokens: new Map() },
  });
  const second = own("y", 1, payment(ALICE, 1, BOB, 100));
  const right = paid();
  right.turn([], { listing: [[PAYMENT, "x"]], next: next(right) }).settle("y", second);
  expect(details(fees(right.setting), right)).toEqual([]);
  const cheap = paid();
  cheap.turn([], { listing: [[PAYMENT, "x"]], next: next(cheap) });
  const asBefore = (change: Change): Change => (change.of === "pool" ? { ...change, after: amount(12) } : change);
  cheap.apply("v1", second, ({ changes, receipts }) => ({
    changes: changes.map(asBefore),
    receipts: receipts.map((receipt) => ({ ...receipt, fee: amount(10) })),
  }));
  expect(details(fees(cheap.setting), cheap)).toEqual([expect.stringContaining("paid 10 USD")]);
  expect(details(fees(cheap.setting), cheap)[0]).toContain("where a payment costs 20 USD");
});

test("what a closing brings pays the fees of the epoch that ends", () => {
  const stream = paid();
  const second: Decision = own("y", 1, payment(ALICE, 1, BOB, 100));
  const next = { ...parametersOf(stream.setting), fees: { default: HIGHER_FEES, tokens: new Map() } };
  stream.turn([], {
    listing: [
      [PAYMENT, "x"],
      [second, "y"],
    ],
    brings: [second],
    next,
  });
  expect(details(fees(stream.setting), stream)).toEqual([]);
});

test("a node that starts again goes through the epochs again", () => {
  const stream = paid();
  const next = { ...parametersOf(stream.setting), fees: { default: HIGHER_FEES, tokens: new Map() } };
  stream
    .turn([], { listing: [[PAYMENT, "x"]], next })
    .crash("v1")
    .restart("v1")
    .apply("v1", PAYMENT);
  const one = stream.records.find((record) => record.type === "closed" && record.node === "v1");
  if (one?.type === "closed") stream.closed("v1", one.hash, one.value);
  stream.apply("v1", own("y", 1, payment(ALICE, 1, BOB, 100)));
  for (const oracle of [fees, conservation, accounts, validity]) {
    expect(details(oracle(stream.setting), stream)).toEqual([]);
  }
});

test("whatever was paid, every share is exact and nothing is lost", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 20n }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      (costs, validators) => {
        const stream = new Stream(setting({ validators }));
        let sequence = 0;
        for (const cost of costs) {
          const fee = { payment: amount(cost), cancellation: amount(cost + 1n), recovery: amount(cost + 1n) };
          const next = { ...parametersOf(stream.setting), fees: { default: fee, tokens: new Map() } };
          stream.turn([], { number: sequence + 1, next });
          stream.apply("v1", own(`p${sequence}`, sequence, payment(ALICE, sequence, BOB, 1)));
          sequence++;
        }
        stream.turn([], { number: sequence + 1 });
        for (const oracle of [fees, conservation, validity])
          expect(details(oracle(stream.setting), stream)).toEqual([]);
      },
    ),
    { seed: 7, numRuns: 30 },
  );
});
