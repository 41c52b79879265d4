/** Goal: the set of states holds each canonical form once and knows the parent of each state. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { STATES_AT_FIRST, STATES_MAX } from "../../src/explore/limits.ts";
import { StateSet } from "../../src/explore/state-set.ts";

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
  const count = STATES_AT_FIRST + 10;
  for (let state = 0; state < count; state++) if (set.reserve(1)) set.add(Int32Array.of(state, state * 31), state - 1);
  expect(set.size).toBe(count);
  for (let state = 0; state < count; state += 997) expect(set.add(Int32Array.of(state, state * 31), 0)).toBe(false);
});

it("reports exhausted capacity", () => {
  const set = new StateSet(2, sorted);
  expect([set.reserve(STATES_AT_FIRST + 1), set.reserve(STATES_MAX + 1)]).toEqual([true, false]);
});

it("is equal after a resume, and rejects what no set has saved", () => {
  const set = new StateSet(2, sorted);
  for (const [state, one] of [1, 2, 3].entries()) if (set.reserve(1)) set.add(Int32Array.of(one, 7), state - 1);
  const again = new StateSet(2, sorted);
  again.resume(set.keep());
  expect([again.size, again.parent(2), again.add(Int32Array.of(7, 2), 0)]).toEqual([3, 1, false]);
  const { tuples, parents } = set.keep();
  for (const kept of [
    { tuples: tuples.subarray(1), parents },
    { tuples, parents: Int32Array.of(-1, 1, 1) },
    { tuples: Int32Array.of(1, 7, 2, 7, 7, 1), parents },
  ])
    expect(() => new StateSet(2, sorted).resume(kept)).toThrow(RangeError);
});
