/** Goal: draws are in range, depend on seed and label alone, and reach both ends. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "../../src/scenario/rng.ts";

const seed = fc.string();

describe("dice", () => {
  test("stay in range, skewed or not", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: -50, max: 50 }), fc.nat(5_000), (text, from, width) => {
        const rng = new Rng(text, "x");
        for (const drawn of [rng.integer(from, from + width), rng.pickSkewed(from, from + width)]) {
          expect(drawn).toBeGreaterThanOrEqual(from);
          expect(drawn).toBeLessThanOrEqual(from + width);
        }
      }),
    );
  });

  test("reach both ends", () => {
    const rng = new Rng("1", "x");
    const all = (draw: () => number): readonly number[] =>
      [...new Set(Array.from({ length: 400 }, draw))].sort((a, b) => a - b);
    expect(all(() => rng.integer(2, 5))).toEqual([2, 3, 4, 5]);
    expect(all(() => rng.pickSkewed(2, 7))).toEqual([2, 3, 4, 5, 6, 7]);
    expect(new Set(Array.from({ length: 100 }, () => rng.chance(1, 2)))).toEqual(new Set([true, false]));
    const drawn = Array.from({ length: 100 }, () => rng.pickWeighted([1, "a"], [0, "b"], [3, "c"]));
    expect(new Set(drawn)).toEqual(new Set(["a", "c"]));
  });

  test("of one label are independent of draws under another", () => {
    fc.assert(
      fc.property(seed, fc.nat(20), (text, more) => {
        const plain = new Rng(text, "x");
        const busy = new Rng(text, "x");
        const other = busy.split("other");
        for (let left = more; left > 0; left--) other.integer(0, 9);
        expect(busy.integer(0, 1_000_000)).toBe(plain.integer(0, 1_000_000));
        expect(busy.split("part").integer(0, 1_000_000)).toBe(plain.split("part").integer(0, 1_000_000));
      }),
    );
  });

  test("choose the requested number of items in order, and shuffle without loss", () => {
    fc.assert(
      fc.property(seed, fc.uniqueArray(fc.nat(), { maxLength: 12 }), fc.nat(14), (text, items, count) => {
        const rng = new Rng(text, "x");
        const some = rng.pickSome(items, count);
        expect(some).toHaveLength(Math.min(count, items.length));
        expect(some).toEqual(items.filter((item) => some.includes(item)));
        expect([...rng.shuffle(items)].sort((a, b) => a - b)).toEqual([...items].sort((a, b) => a - b));
      }),
    );
  });
});
