/** Goal: the set of states is a set, counts states that are written alike once, and knows where each came from. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { STATES_AT_FIRST } from "../../../src/harness/explore/limits.ts";
import { StateSet } from "../../../src/harness/explore/state-set.ts";

const sorted = (state: Int32Array, key: Int32Array): void => key.set(state.toSorted());

it("adds what is new up to its canonical form, and returns it as it came", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), { maxLength: 60 }), (tuples) => {
      const set = new StateSet(3, sorted);
      const known: number[][] = [];
      for (const tuple of tuples) {
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

it("grows past its first size and forgets nothing", () => {
  const set = new StateSet(2, (state, key) => key.set(state));
  const count = STATES_AT_FIRST + 10;
  for (let state = 0; state < count; state++) set.add(Int32Array.of(state, state * 31), state - 1);
  expect(set.size).toBe(count);
  for (let state = 0; state < count; state += 997) expect(set.add(Int32Array.of(state, state * 31), 0)).toBe(false);
});
