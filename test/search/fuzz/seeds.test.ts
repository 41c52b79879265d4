/** Seeds of the shards of a campaign. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seedsOf } from "../../../src/search/fuzz/seeds.ts";

test("shards together have each seed once, in order", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), fc.nat(40), fc.integer({ min: 1, max: 9 }), (first, count, shards) => {
      const parts = Array.from({ length: shards }, (_, at) => seedsOf(first, count, { index: at + 1, count: shards }));
      for (const part of parts) expect(part).toEqual(part.toSorted((a, b) => Number(BigInt(a) - BigInt(b))));
      const all = Array.from({ length: count }, (_, at) => `${first + BigInt(at)}`);
      expect(parts.flat().sort()).toEqual(all.sort());
    }),
  );
});
