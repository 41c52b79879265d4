/** Reads and long work leave at least half of the time to writes, and all of it passes through in order. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "../../../src/server/host/turns.ts";

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test("a task is carried out at once while nobody writes", () => {
  const turns = new Turns(() => false);
  const done: number[] = [];
  for (const task of [1, 2, 3]) turns.add(() => void done.push(task));
  expect(done).toEqual([1, 2, 3]);
});

test("tasks are carried out in order, each turn after a rest as long as the one before", async () => {
  const turns = new Turns(() => true);
  const spans: [begin: number, end: number][] = [];
  await Promise.all(
    Array.from(
      { length: 8 },
      () =>
        new Promise<void>((resolve) =>
          turns.add(() => {
            const begin = performance.now();
            work(6);
            spans.push([begin, performance.now()]);
            resolve();
          }),
        ),
    ),
  );
  // From the second turn on the length of a task is known: each takes a turn of its own.
  for (let at = spans.length - 1; at > 5; at--) {
    const [[begin, end], [next]] = [spans[at - 1] ?? [0, 0], spans[at] ?? [0, 0]];
    expect(next - end).toBeGreaterThanOrEqual((end - begin) * 0.9 - 1);
  }
});

test("long work leaves a turn of the event loop between two slices, and its error is its caller's", async () => {
  for (const isBusy of [false, true]) {
    const turns = new Turns(() => isBusy);
    let others = 0;
    let isOver = false;
    const counting = (async () => {
      while (!isOver) {
        await nextTurn();
        others++;
      }
    })();
    for (let slice = 0; slice < 5; slice++) expect(await turns.slice(() => slice)).toBe(slice);
    isOver = true;
    await counting;
    expect(others).toBeGreaterThanOrEqual(5);
    const fault = new Error("a slice");
    await expect(
      turns.slice(() => {
        throw fault;
      }),
    ).rejects.toBe(fault);
  }
});
