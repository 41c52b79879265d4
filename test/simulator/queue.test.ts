import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, EventQueue } from "../../src/simulator/queue.ts";

const times = fc.array(fc.option(fc.nat(20), { freq: 3 }), { maxLength: 200 });
const sorted = (entries: readonly Entry<string>[]): Entry<string>[] =>
  entries.toSorted((a, b) => a.at - b.at || a.sequence - b.sequence);

test("gives entries in the order of time, then sequence, whatever is pushed and popped in between", () => {
  fc.assert(
    fc.property(times, (commands) => {
      const queue = new EventQueue<string>();
      let model: Entry<string>[] = [];
      for (const [sequence, at] of commands.entries()) {
        if (at !== null) {
          const entry = { at, sequence, item: `${sequence}` };
          queue.push(entry);
          model = sorted([...model, entry]);
        } else {
          expect(queue.first).toBe(model[0]);
          queue.pop();
          model = model.slice(1);
        }
        expect(queue.entries()).toEqual(model);
      }
    }),
  );
});

test("gives up any of its entries, and tells those that are due by a time", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(20), (given, place, at) => {
      let model = given.map((time, sequence) => ({ at: time, sequence, item: `${sequence}` }));
      const queue = new EventQueue(model);
      while (model.length > 0) {
        expect(queue.dueEntries(at)).toEqual(queue.entries().filter((entry) => entry.at <= at));
        const taken = model[place % model.length] as Entry<string>;
        queue.remove(taken);
        model = model.filter((entry) => entry !== taken);
        expect(queue.entries()).toEqual(sorted(model));
        expect(queue.first).toBe(sorted(model)[0]);
      }
      expect(() => queue.remove({ at: 0, sequence: 7, item: "" })).toThrow("no entry 7");
    }),
    { numRuns: 50 },
  );
});

test("a copy and its origin go on by themselves", () => {
  const old = new EventQueue([1, 2, 3].map((at) => ({ at, sequence: at, item: at })));
  const later = new EventQueue(old.entries());
  later.pop();
  later.push({ at: 0, sequence: 9, item: 0 });
  expect(old.entries().map(({ item }) => item)).toEqual([1, 2, 3]);
  expect(later.entries().map(({ item }) => item)).toEqual([0, 2, 3]);
});
