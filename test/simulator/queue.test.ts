import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, entriesOf, pop, push, type Queue, queueOf, upTo, without } from "../../src/simulator/queue.ts";

const times = fc.array(fc.option(fc.nat(20), { freq: 3 }), { maxLength: 200 });

test("gives entries in the order of time, then sequence, whatever is pushed and popped in between", () => {
  fc.assert(
    fc.property(times, (commands) => {
      let queue: Queue<string>;
      let model: Entry<string>[] = [];
      for (const [sequence, at] of commands.entries()) {
        if (at !== null) {
          const entry = { at, sequence, item: `${sequence}` };
          queue = push(queue, entry);
          model = [...model, entry].sort((a, b) => a.at - b.at || a.sequence - b.sequence);
        } else if (queue !== undefined) {
          expect(queue.entry).toBe(model[0]);
          queue = pop(queue);
          model = model.slice(1);
        }
        expect(entriesOf(queue)).toEqual(model);
      }
    }),
  );
});

test("gives up any of its entries, and tells those that are due by a time", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(20), (given, place, at) => {
      let model = given.map((time, sequence) => ({ at: time, sequence, item: `${sequence}` }));
      let queue = queueOf(model);
      while (model.length > 0) {
        expect(upTo(queue, at)).toEqual(entriesOf(queue).filter((entry) => entry.at <= at));
        const taken = model[place % model.length] as Entry<string>;
        const before = queue;
        queue = without(queue, taken);
        expect(entriesOf(before)).toHaveLength(model.length);
        model = model.filter((entry) => entry !== taken);
        expect(entriesOf(queue)).toEqual(model.toSorted((a, b) => a.at - b.at || a.sequence - b.sequence));
      }
      expect(queue).toBeUndefined();
      expect(() => without(queue, { at: 0, sequence: 7, item: "" })).toThrow("no entry 7");
    }),
    { numRuns: 50 },
  );
});

test("keeps every old version as it was", () => {
  const old = queueOf([1, 2, 3].map((at) => ({ at, sequence: at, item: at })));
  const later = push(pop(old as NonNullable<typeof old>), { at: 0, sequence: 9, item: 0 });
  expect(entriesOf(old).map(({ item }) => item)).toEqual([1, 2, 3]);
  expect(entriesOf(later).map(({ item }) => item)).toEqual([0, 2, 3]);
});

test("does not recurse deeply for a hundred thousand entries in order", () => {
  let queue: Queue<number>;
  for (let at = 0; at < 100_000; at++) queue = push(queue, { at, sequence: at, item: at });
  let next = 0;
  for (; queue !== undefined && queue.entry.at === next; next++) queue = pop(queue);
  expect(next).toBe(100_000);
});
