/** Goal: the set of states holds each canonical form once and knows the parent of each state. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { StateSet } from "../../../src/explore/search/state-set.ts";

it("adds each canonical form once, and returns the state as it was added", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat()), { maxLength: 60 }), (tuples) => {
      const set = new StateSet((state) => state.toSorted().join());
      const known: number[][] = [];
      for (const tuple of tuples) {
        const isNew = !known.some((other) => String(other.toSorted()) === String(tuple.toSorted()));
        expect(set.add(tuple, known.length - 1)).toBe(isNew);
        if (isNew) known.push(tuple);
      }
      expect(set.size).toBe(known.length);
      for (const [state, tuple] of known.entries())
        expect([set.at(state), set.parent(state), set.numberOf(tuple.toReversed())]).toEqual([tuple, state - 1, state]);
      expect(set.numberOf([9])).toBeUndefined();
    }),
  );
});
