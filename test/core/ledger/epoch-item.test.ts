/** Goal: parameters of an epoch have one text, and different parameters have different ones. Method: random pairs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EpochParameters, FeeEntry } from "../../../src/core/base/epoch.ts";
import { encodeParameters } from "../../../src/core/ledger/value.ts";
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

test("the text of an epoch's parameters tells them all apart", () => {
  fc.assert(
    fc.property(parameters, parameters, (one, other) => {
      const isSame = JSON.stringify(plain(one)) === JSON.stringify(plain(other));
      expect(encodeParameters(one) === encodeParameters(other)).toBe(isSame);
      const tokens = new Map([...one.fees.tokens].toReversed());
      expect(encodeParameters({ ...one, fees: { ...one.fees, tokens } })).toBe(encodeParameters(one));
    }),
  );
});

/** Data that JSON tells apart. */
function plain({ validators, fees, checkpoints, epochLength }: EpochParameters): unknown {
  const feeText = ({ payment, cancellation, recovery }: FeeEntry): string => `${payment} ${cancellation} ${recovery}`;
  const tokens = [...fees.tokens].map(([token, entry]) => `${token} ${feeText(entry)}`).sort();
  return { validators, fees: [feeText(fees.default), tokens], checkpoints, epochLength };
}
