/** Change points, known before the run begins: the n-th event of a thread, independent of other threads. */
import type { Choices } from "../choices.ts";
import { DRAW_MAX } from "../random.ts";
import type { Thread } from "./threads.ts";

/** Change points with the number of their draw, from 1. */
export type ChangePoints = ReadonlyMap<string, number>;

/** Returns the key of a change point: `number` counts the events of the thread from 1. */
export function changePointKey(thread: Thread, number: number): string {
  return `${thread} #${number}`;
}

/**
 * Returns `count` change points, uniform among the first `steps` events of each thread. The thread is the one with the
 * highest draw, each under a label of its own: one more thread moves a point to itself or not at all.
 */
export function drawPoints(
  choices: Choices,
  what: string,
  threads: readonly Thread[],
  count: number,
  steps: number,
): ChangePoints {
  const points = new Map<string, number>();
  for (let draw = 1; draw <= count; draw++) {
    const thread = highest(threads, (one) => choices.choose(choices.stream(`${what} ${draw} ${one}`), 0, DRAW_MAX));
    const number = 1 + choices.choose(choices.stream(`${what} ${draw}`), 0, steps);
    points.set(changePointKey(thread, number), draw);
  }
  return points;
}

function highest(threads: readonly Thread[], rankOf: (thread: Thread) => number): Thread {
  let [best = ""] = threads;
  let bestRank = -1;
  for (const thread of threads) {
    const rank = rankOf(thread);
    if (rank > bestRank) [best, bestRank] = [thread, rank];
  }
  return best;
}
