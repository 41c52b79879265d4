/**
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): threads have random
 * priorities, the highest runs first, and d - 1 times the running one drops below all others. An order that depends on
 * d events occurs with a probability of at least 1 / (n k^(d-1)) (odds.ts).
 */
import { Trie } from "../../core/base/trie.ts";
import type { Choices } from "../choices.ts";
import { DRAW_MAX } from "../random.ts";
import { changePointKey, drawPoints } from "./change-points.ts";
import type { Method } from "./method.ts";
import type { Thread } from "./threads.ts";

interface Memory {
  /** Number of events of each thread so far. */
  readonly taken: Trie<number>;
  /** Priorities of threads after a change point: all below those that were drawn. */
  readonly lowered: Trie<number>;
  /** Change points that were reached. */
  readonly met: Trie<true>;
}

/** `depth` from 1; change points lie among the first `steps` events of each thread. */
export function pct(choices: Choices, threads: readonly Thread[], depth: number, steps: number): Method<Memory> {
  const drawn = new Map(
    threads.map((thread) => [thread, choices.choose(choices.stream(`priority ${thread}`), 0, DRAW_MAX)]),
  );
  const points = drawPoints(choices, "change", threads, depth - 1, steps);
  return {
    memory: { taken: Trie.empty(), lowered: Trie.empty(), met: Trie.empty() },
    pick: (ready, before) => {
      let memory = before;
      for (;;) {
        const rankOf = (thread: Thread): number => memory.lowered.get(thread) ?? drawn.get(thread) ?? 0;
        const thread = first(ready, rankOf);
        const number = (memory.taken.get(thread) ?? 0) + 1;
        const place = changePointKey(thread, number);
        const point = memory.met.has(place) ? undefined : points.get(place);
        if (point === undefined) return { thread, memory: { ...memory, taken: memory.taken.set(thread, number) } };
        // The first change drops lowest, as in the paper: the order among the dropped threads is part of the guarantee.
        memory = { ...memory, lowered: memory.lowered.set(thread, point - depth), met: memory.met.set(place, true) };
      }
    },
  };
}

/** Returns the thread of the highest rank; in a tie, which a draw of 32 bits seldom makes, the first by name. */
function first(ready: readonly Thread[], rankOf: (thread: Thread) => number): Thread {
  return ready.reduce((best, thread) => {
    const by = rankOf(thread) - rankOf(best);
    return by > 0 || (by === 0 && thread < best) ? thread : best;
  });
}
