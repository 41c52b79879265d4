/** Ballots: the same for every order of arrival, and each signer once for a value. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address, Hash, Round, Signature } from "../../../src/core/base/ids.ts";
import {
  type Ballots,
  hasSigned,
  NO_BALLOTS,
  sealsFor,
  valuesOf,
  withBallot,
} from "../../../src/core/consensus/ballots.ts";
import type { Commit, Vote } from "../../../src/core/consensus/message.ts";

const ballot: fc.Arbitrary<Vote | Commit> = fc
  .record({
    type: fc.constantFrom("vote" as const, "commit" as const),
    round: fc.nat(2),
    value: fc.constantFrom("a", "b", "c"),
    signer: fc.constantFrom("v1", "v2", "v3", "v4", "v5"),
  })
  .map(({ type, round, value, signer }) => ({
    type,
    epoch: 0 as never,
    slot: { kind: "epoch", epoch: 0 as never },
    round: round as Round,
    value: value as Hash,
    signer: signer as Address,
    signature: `${type} ${round} ${value} ${signer}` as Signature,
  }));

const distinct = fc.uniqueArray(ballot, { selector: ({ signature }) => signature, maxLength: 30 });

function ballotsOf(all: readonly (Vote | Commit)[]): Ballots {
  return all.reduce<Ballots>((ballots, one) => withBallot(ballots, one), NO_BALLOTS);
}

test("do not depend on the order of arrival", () => {
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (all, ranks) => {
      const shuffled = all.map((one) => ({ one, rank: ranks.next().value })).sort((a, b) => a.rank - b.rank);
      expect(ballotsOf(shuffled.map(({ one }) => one))).toEqual(ballotsOf(all));
    }),
  );
});

test("name for each value its signers, ascending, and for each signer its values", () => {
  fc.assert(
    fc.property(distinct, ballot, (all, asked) => {
      const alike = all.filter(({ type, round }) => type === asked.type && round === asked.round);
      const expected = alike.filter(({ value }) => value === asked.value).map(({ signer }) => signer);
      const seals = sealsFor(ballotsOf(all), asked);
      expect(seals.map(({ signer }) => signer)).toEqual(expected.sort());
      expect(hasSigned(seals, asked.signer)).toBe(expected.includes(asked.signer));
      const values = valuesOf(ballotsOf(all), asked.type, asked.round, asked.signer);
      expect(values).toEqual(
        alike
          .filter(({ signer }) => signer === asked.signer)
          .map(({ value }) => value)
          .sort(),
      );
    }),
  );
});
