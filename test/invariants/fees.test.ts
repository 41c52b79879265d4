import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import type { Change } from "../../src/invariants/observation.ts";
import { accounts } from "../../src/invariants/oracles/accounts.ts";
import { conservation } from "../../src/invariants/oracles/conservation.ts";
import { fees } from "../../src/invariants/oracles/fees.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { parametersOf } from "./closings.ts";
import { type Alteration, alterChange, details, dropChange, finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, USD } = v;

const X = v.own("x", 0, v.payment(ALICE, 0, BOB, 100));
const Y = v.own("y", 1, v.payment(ALICE, 1, BOB, 100));
const SKIP = v.cancelled(["c", v.signed("cancellation", ALICE, 0, {})], ["x", v.payment(ALICE, 0, BOB, 5)]);
const MINT = ["m", v.signed("mint", v.ISSUER, 0, { token: USD, recipient: BOB, value: v.amount(1) })] as const;

const pool = (after: number): Alteration => alterChange("pool", () => ({ after: v.amount(after) }));
const paying =
  (fee: number): Alteration =>
  (effects) => ({
    ...pool(fee)(effects),
    receipts: effects.receipts.map((receipt) => ({ ...receipt, fee: v.amount(fee), feeToken: USD })),
  });
const applied = (decision = X, alter?: Alteration): Stream => new Stream(v.setting()).apply("v1", decision, alter);

/** Alice owes 2 of the 3 that a skip costs, and the pool shows so much. */
const owing = (after: number): Stream =>
  applied(SKIP, (effects) =>
    pool(after)(alterChange("balance", () => ({ before: v.amount(1), after: v.amount(-2) }))(effects)),
  );
/** Then 4 of the 5 that bob owes are paid beside a payment. */
const credited = (after: number): Stream =>
  owing(1).apply("v1", X, (effects) => ({
    ...effects,
    changes: [
      { of: "balance", address: BOB, token: USD, before: -5n, after: -1n },
      { of: "pool", token: USD, before: v.amount(1), after: v.amount(after) },
    ],
  }));

/** A payment costs ten, so the four validators share eight. */
const ten = { ...v.FEES, payment: v.amount(10), cancellation: v.amount(11), recovery: v.amount(11) };
const paid = (): Stream =>
  new Stream(v.setting({ genesis: { fees: { default: ten, tokens: new Map() } } })).settle("x", X);
const NEXT = { ...parametersOf(paid().setting), fees: { default: v.HIGHER_FEES, tokens: new Map() } };
const costlyEpoch = (): Stream => paid().turn([], { listing: [[X, "x"]], next: NEXT });
/** The next payment pays as before. */
const cheap: Alteration = (effects) => ({
  ...pool(12)(effects),
  receipts: effects.receipts.map((receipt) => ({ ...receipt, fee: v.amount(10) })),
});

describe("found is", () =>
  testRuns(finder(fees), [
    ["a payment of another fee", () => applied(X, paying(2)), "where a payment costs 1 USD"],
    [
      "a mint that pays",
      () => new Stream(v.setting()).settleOwn(...MINT).apply("v1", v.list(0, [MINT]), paying(1)),
      "an operation of kind mint costs 0",
      "did not change",
    ],
    ["no skip of its fee", () => applied(SKIP)],
    ["a skip of another fee", () => applied(SKIP, paying(2)), "a skip by cancellation costs 3"],
    ["nothing where a balance owes of a fee", () => owing(1)],
    ["a pool with what a balance owes", () => owing(3), "is 3, the fees that were paid sum to 1"],
    ["nothing where a credit pays of it", () => credited(6)],
    ["a pool without what a credit pays", () => credited(2), "is 2, the fees that were paid sum to 6"],
    ["a pool that is not the sum of the fees", () => applied(X, pool(5)), "is 5, the fees that were paid sum to 1"],
    ["a fee that never reaches the pool", () => applied(X, dropChange("pool")), "did not change"],
    ["nothing where a payment costs what its epoch says", () => costlyEpoch().settle("y", Y)],
    [
      "a payment that costs what the last epoch said",
      () => costlyEpoch().apply("v1", Y, cheap),
      /paid 10 USD.*where a payment costs 20 USD/,
    ],
    [
      "nothing where a closing brings what pays the fees of its own epoch",
      () =>
        paid().turn([], {
          listing: [
            [X, "x"],
            [Y, "y"],
          ],
          brings: [Y],
          next: NEXT,
        }),
    ],
  ]));

type Alter = (changes: readonly Change[]) => readonly Change[];
const closed = (alter: Alter): Stream => paid().turn([], { listing: [[X, "x"]], appliers: ["v1"], alter });
const moved =
  (of: "pool" | "balance", by: number, account?: Address): Alter =>
  (changes) =>
    changes.map((change) =>
      change.of === of && (change.of !== "balance" || change.address === account)
        ? { ...change, after: v.amount(change.after + BigInt(by)) }
        : change,
    );
const REWARD = v.address("v2 reward");
const also = (change: Change) => (changes: readonly Change[]) => [...changes, change];
const BURNED = also({ of: "burned", token: USD, before: v.amount(0), after: v.amount(2) });
const TO_BOB = also({ of: "balance", address: BOB, token: USD, before: v.amount(1100), after: v.amount(1101) });

/** Violations of each oracle by one wrong distribution. */
const WRONG: readonly (readonly [string, Alter, inFees: string, inConservation: string | undefined])[] = [
  ["a share too much", moved("balance", 1, REWARD), "equal shares for 4 validators make it 2", "but credited 9"],
  ["a share too little", moved("balance", -1, REWARD), "equal shares for 4 validators make it 2", "but credited 7"],
  ["the remainder shared too", moved("pool", -2), "the fee pool of USD by -10", "took 10 from the fee pool"],
  ["nothing shared", () => [], "the fee pool of USD by 0", undefined],
  ["somebody else's reward", TO_BOB, "by 1, but equal shares for 4 validators make it 0", "but credited 9"],
  ["a burn", BURNED, "the count of burned USD by 2", "a closing only distributes the pools"],
];

function expectSound(stream: Stream): void {
  for (const oracle of [fees, conservation, accounts, validity])
    expect(details(oracle(stream.setting), stream)).toEqual([]);
}

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
    expect(stream.records.findLast(({ type }) => type === "closed")).toMatchObject({ changes: { length: 5 } });
    expectSound(stream);
  });

  test("a node that starts again goes through the epochs again", () => {
    const stream = costlyEpoch().crash("v1").restart("v1").apply("v1", X);
    const one = stream.records.find((record) => record.type === "closed" && record.node === "v1");
    if (one?.type === "closed") stream.closed("v1", one.hash, one.value);
    expectSound(stream.apply("v1", Y));
  });

  testRuns(finder(accounts), [
    [
      "an account's counters stay",
      () => closed(also({ of: "account", address: ALICE, nonce: 2 as never, sequence: 2 as never })),
      "moved the counters of 0x616c",
    ],
    [
      "no balance falls below 0",
      () => closed(moved("balance", -3, REWARD)),
      "after the closing of epoch 0 the balance of 0x76322072… in USD is -1, below 0",
    ],
  ]);
});

test("whatever was paid, every share is exact and nothing is lost", () => {
  const costs = fc.array(fc.bigInt({ min: 0n, max: 20n }), { maxLength: 5 });
  fc.assert(
    fc.property(costs, fc.integer({ min: 1, max: 7 }), (all, validators) => {
      const stream = new Stream(v.setting({ validators }));
      for (const [at, cost] of all.entries()) {
        const fee = { payment: v.amount(cost), cancellation: v.amount(cost + 1n), recovery: v.amount(cost + 1n) };
        const next = { ...parametersOf(stream.setting), fees: { default: fee, tokens: new Map() } };
        stream.turn([], { number: at + 1, next }).applyOwn("v1", `p${at}`, v.payment(ALICE, at, BOB, 1));
      }
      stream.turn([], { number: all.length + 1 });
      for (const oracle of [fees, conservation, validity]) expect(details(oracle(stream.setting), stream)).toEqual([]);
    }),
    { seed: 7, numRuns: 30 },
  );
});
