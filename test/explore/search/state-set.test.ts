/** Goal: the set of states holds each canonical form once and knows the parent of each state. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { CHUNK_STATES, STATES_MAX } from "../../../src/explore/limits.ts";
import { StateSet } from "../../../src/explore/search/state-set.ts";

const sorted = (state: Int32Array, key: Int32Array): void => key.set(state.toSorted());

it("adds each canonical form once, and returns the state as it was added", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), { maxLength: 60 }), (tuples) => {
      const set = new StateSet(3, sorted);
      const known: number[][] = [];
      for (const tuple of tuples) {
        expect(set.reserve(1)).toBe(true);
        const isNew = !known.some((other) => String(other.toSorted()) === String(tuple.toSorted()));
        expect(set.add(Int32Array.from(tuple), known.length - 1)).toBe(isNew);
        if (isNew) known.push(tuple);
      }
      expect(set.size).toBe(known.length);
      const read = new Int32Array(3);
      for (const [state, tuple] of known.entries()) {
        set.read(state, read);
        expect([[...read], set.parent(state)]).toEqual([tuple, state - 1]);
      }
    }),
  );
});

it("grows past its initial capacity and keeps all states", () => {
  const set = new StateSet(2, (state, key) => key.set(state));
  const count = CHUNK_STATES + 10;
  for (let state = 0; state < count; state++) if (set.reserve(1)) set.add(Int32Array.of(state, state * 31), state - 1);
  expect(set.size).toBe(count);
  for (let state = 0; state < count; state += 997) expect(set.add(Int32Array.of(state, state * 31), 0)).toBe(false);
});

it("reports exhausted capacity", () => {
  const set = new StateSet(2, sorted);
  expect([set.reserve(CHUNK_STATES + 1), set.reserve(STATES_MAX + 1)]).toEqual([true, false]);
});

it("keeps numbers of any size", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 20 }),
      (numbers) => {
        const set = new StateSet(3, (state, key) => key.set(state));
        for (const [state, number] of numbers.entries())
          if (set.reserve(1)) set.add(Int32Array.of(number % 5, number, 1), state - 1);
        const read = new Int32Array(3);
        for (const [state, number] of numbers.entries()) {
          set.read(state, read);
          expect([...read, set.parent(state)]).toEqual([number % 5, number, 1, state - 1]);
        }
      },
    ),
  );
});
