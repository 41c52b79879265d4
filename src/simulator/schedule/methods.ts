/** Scheduling methods: random priorities (pct) and round robin with departures (delay-bounded). */
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { MemoTable } from "../../core/base/memo-table.ts";
import { Trie } from "../../core/base/trie.ts";
import type { WorldEvent } from "../listener.ts";
import type { WorldPlan } from "../plan.ts";
import { type Choices, DRAW_MAX } from "../random.ts";
import type { Party } from "../settings.ts";

/** Largest depth of an order: further change points find almost nothing, and the guarantee becomes meaningless. */
export const DEPTH_MAX = 8;
export const DEPTH_DEFAULT = 3;
/** Departures from round robin. */
export const DEVIATIONS_MAX = 64;
export const DEVIATIONS_DEFAULT = 4;
/** Events of one thread among which a change point, or a departure, lies. */
export const STEPS_MAX = 100_000;
export const STEPS_DEFAULT = 20;
/**
 * Largest delay of an event against the order of time. Below the timeouts of clients and validators, so that these stay
 * meaningful.
 */
export const WINDOW_MAX_MS = 10_000;
export const WINDOW_DEFAULT_MS = 20;

/** Scheduling method. `memory` is plain immutable data, replaced and never mutated, so that captures share it. */
export interface Method<Memory = unknown> {
  readonly memory: Memory;
  /**
   * `ready`: all threads that may run, never empty, in the order of time of their next events. Deterministic; returns
   * one of them.
   */
  pick(ready: readonly Thread[], memory: Memory): { readonly thread: Thread; readonly memory: Memory };
}

/** Method with its state in a world. */
export interface Schedule {
  readonly method: Method;
  readonly memory: unknown;
  /** Largest departure from the order of time, virtual milliseconds. */
  readonly windowMs: number;
  /** Threads of waiting events, each of which is looked at many times: a cache. */
  readonly threads: MemoTable<WorldEvent, Thread>;
}

/** `v1>v2`, `v1`, `alice`, or `(script)`. */
export type Thread = string;

const SCRIPT: Thread = "(script)";

/** Returns every thread that a world of this plan can have: n² for n nodes, one for each client, one for the script. */
export function threadsOf({ nodes, clients }: Pick<WorldPlan, "nodes" | "clients">): readonly Thread[] {
  const links = nodes.flatMap(({ name: from }) =>
    nodes.flatMap(({ name: to }) => (from === to ? [] : [`${from}>${to}`])),
  );
  return [...links, ...nodes.map(({ name }) => name), ...clients.map(({ name }) => name), SCRIPT];
}

/** Returns the thread of an event. */
export function threadOf(event: WorldEvent, isNode: (party: Party) => boolean): Thread {
  switch (event.type) {
    case "arrival":
      if (event.from === event.to || !isNode(event.to)) return event.to;
      return isNode(event.from) ? `${event.from}>${event.to}` : event.from;
    case "start":
    case "timer":
    case "written":
      return event.node;
    case "clientTimeout":
      return event.client;
    case "action":
    case "order":
    case "govern":
      return SCRIPT;
    default:
      return unreachable(event);
  }
}

/** Change points with the number of their draw, from 1. */
type ChangePoints = ReadonlyMap<string, number>;

/** Returns the key of a change point: `number` counts the events of the thread from 1. */
function changePointKey(thread: Thread, number: number): string {
  return `${thread} #${number}`;
}

/**
 * Returns `count` change points, uniform among the first `steps` events of each thread. The thread is the one with the
 * highest draw, each under a label of its own: one more thread moves a point to itself or not at all.
 */
function drawPoints(
  choices: Choices,
  name: string,
  threads: readonly Thread[],
  count: number,
  steps: number,
): ChangePoints {
  const points = new Map<string, number>();
  for (let draw = 1; draw <= count; draw++) {
    const thread = highestByRank(threads, (one) =>
      choices.choose(choices.stream(`${name} ${draw} ${one}`), 0, DRAW_MAX),
    );
    const number = 1 + choices.choose(choices.stream(`${name} ${draw}`), 0, steps);
    points.set(changePointKey(thread, number), draw);
  }
  return points;
}

function highestByRank(threads: readonly Thread[], rankOf: (thread: Thread) => number): Thread {
  let [best = ""] = threads;
  let bestRank = -1;
  for (const thread of threads) {
    const rank = rankOf(thread);
    if (rank > bestRank) [best, bestRank] = [thread, rank];
  }
  return best;
}

interface PointMemory<Own> {
  readonly own: Own;
  /** Number of events of each thread so far. */
  readonly taken: Trie<number>;
  /** Change points that were reached. */
  readonly reached: Trie<true>;
}

/**
 * Returns a method that picks by `next`, which returns its own memory too, and again after `depart` has changed that memory
 * at a change point: each is met once, before the event of the thread that it belongs to.
 */
function methodWithPoints<Own>(
  points: ChangePoints,
  start: Own,
  next: (ready: readonly Thread[], own: Own) => readonly [thread: Thread, own: Own],
  depart: (own: Own, thread: Thread, point: number) => Own,
): Method<PointMemory<Own>> {
  return {
    memory: { own: start, taken: Trie.empty(), reached: Trie.empty() },
    pick: (ready, { own: before, taken, reached: reachedBefore }) => {
      let [own, reached] = [before, reachedBefore];
      for (;;) {
        const [thread, after] = next(ready, own);
        const number = (taken.get(thread) ?? 0) + 1;
        const place = changePointKey(thread, number);
        const point = reached.has(place) ? undefined : points.get(place);
        if (point === undefined) return { thread, memory: { own: after, taken: taken.set(thread, number), reached } };
        own = depart(after, thread, point);
        reached = reached.set(place, true);
      }
    },
  };
}

/**
 * `depth` from 1; change points lie among the first `steps` events of each thread. It remembers the priorities of threads
 * after a change point: all below those that were drawn.
 */
export function pct(
  choices: Choices,
  threads: readonly Thread[],
  depth: number,
  steps: number,
): Method<PointMemory<Trie<number>>> {
  const drawn = new Map(
    threads.map((thread) => [thread, choices.choose(choices.stream(`priority ${thread}`), 0, DRAW_MAX)]),
  );
  return methodWithPoints(
    drawPoints(choices, "change", threads, depth - 1, steps),
    Trie.empty<number>(),
    (ready, lowered) => [firstByRank(ready, (thread) => lowered.get(thread) ?? drawn.get(thread) ?? 0), lowered],
    // The first change drops lowest, as in the paper: the order among the dropped threads is part of the guarantee.
    (lowered, thread, point) => lowered.set(thread, point - depth),
  );
}

/** Returns the thread of the highest rank; in a tie, which a draw of 32 bits seldom makes, the first by name. */
function firstByRank(ready: readonly Thread[], rankOf: (thread: Thread) => number): Thread {
  return ready.reduce((best, thread) => {
    const by = rankOf(thread) - rankOf(best);
    return by > 0 || (by === 0 && thread < best) ? thread : best;
  });
}

/** The departures lie among the first `steps` events of each thread. It remembers the last thread; "" before the first. */
export function delayBounded(
  choices: Choices,
  threads: readonly Thread[],
  deviations: number,
  steps: number,
): Method<PointMemory<Thread>> {
  return methodWithPoints(
    drawPoints(choices, "deviation", threads, deviations, steps),
    "",
    (ready, last) => {
      const thread = nextThread(ready, last);
      return [thread, thread];
    },
    (last) => last,
  );
}

/** Returns the next one by name, and the first again after the last. */
function nextThread(ready: readonly Thread[], last: Thread): Thread {
  const inOrder = ready.toSorted();
  return requireDefined(inOrder.find((thread) => thread > last) ?? inOrder[0], "a thread that may go");
}
