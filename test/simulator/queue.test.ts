import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, entriesOf, pop, push, type Queue, queueOf } from "../../src/simulator/queue.ts";

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
