/**
 * Goal: parameters of an epoch have one text, and no other text is accepted. Method: round trips, and slightly changed
 * texts.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode, fromHex, type Item } from "../../../src/core/base/encoding.ts";
import type { EpochParameters, FeeEntry } from "../../../src/core/base/epoch.ts";
import { encodeParameters, readParameters } from "../../../src/core/ledger/epoch-item.ts";
import { address } from "./support/operations.ts";
import { amount } from "./support/world.ts";

const fee = fc.nat({ max: 1_000_000 }).map(amount);
const feeEntry: fc.Arbitrary<FeeEntry> = fc.record({ payment: fee, cancellation: fee, recovery: fee });
const somebody = fc.integer({ min: 1, max: 1_000 }).map(address);
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });

const parameters: fc.Arbitrary<EpochParameters> = fc.record({
  validators: fc.array(fc.record({ key: somebody, reward: somebody }), { maxLength: 7 }),
  fees: fc.record({
    default: feeEntry,
    tokens: fc.array(fc.tuple(somebody, feeEntry), { maxLength: 5 }).map((entries) => new Map(entries)),
  }),
  checkpoints: fc.option(
    fc.record({ intervalMs: count, slots: count, limit: count, periodSeconds: count, empty: fc.boolean() }),
    { nil: undefined },
  ),
  epochLength: fc.option(count, { nil: undefined }),
});

const itemOf = (one: EpochParameters): readonly Item[] => decode(fromHex(encodeParameters(one))) as readonly Item[];
/** The same with another list of fees by token. */
const withFees = (
  [members, fees, ...rest]: readonly Item[],
  change: (all: readonly Item[]) => readonly Item[],
): Item => {
  const [first, byToken] = fees as readonly Item[];
  return [members as Item, [first as Item, change(byToken as readonly Item[])], ...rest];
};

describe("the text of an epoch's parameters", () => {
  test("encodes all of them, and is the only one", () => {
    fc.assert(
      fc.property(parameters, parameters, (one, other) => {
        expect(readParameters(itemOf(one))).toEqual(one);
        expect(encode(itemOf(one))).toEqual(fromHex(encodeParameters(one)));
        const isSame = JSON.stringify(plain(one)) === JSON.stringify(plain(other));
        expect(encodeParameters(one) === encodeParameters(other)).toBe(isSame);
      }),
    );
  });

  test("is none where fees by token are out of order, or one stands twice", () => {
    fc.assert(
      fc.property(parameters, (one) => {
        fc.pre(one.fees.tokens.size > 1);
        const item = itemOf(one);
        expect(() => readParameters(withFees(item, (all) => all.toReversed()))).toThrow(/ascending/);
        expect(() => readParameters(withFees(item, (all) => [...all, all.at(-1) as Item]))).toThrow(/ascending/);
      }),
    );
  });

  test.each([0, 1])("is none where bytes stand in place of list %i, or something is missing or too much", (place) => {
    fc.assert(
      fc.property(parameters, (one) => {
        const item = itemOf(one);
        expect(() => readParameters(item.map((part, at) => (at === place ? new Uint8Array([1]) : part)))).toThrow(
          RangeError,
        );
        expect(() => readParameters(item.slice(1))).toThrow(RangeError);
        expect(() => readParameters([...item, []])).toThrow(RangeError);
        expect(() => readParameters(undefined)).toThrow(RangeError);
      }),
      { numRuns: 20 },
    );
  });
});

/** Data that JSON distinguishes. */
function plain({ validators, fees, checkpoints, epochLength }: EpochParameters): unknown {
  const told = ({ payment, cancellation, recovery }: FeeEntry): string => `${payment} ${cancellation} ${recovery}`;
  const tokens = [...fees.tokens].map(([token, entry]) => `${token} ${told(entry)}`).sort();
  return { validators, fees: [told(fees.default), tokens], checkpoints, epochLength };
}
