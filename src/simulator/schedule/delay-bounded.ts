/**
 * Delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011): threads run round robin in the order of their names,
 * and at most D times one is skipped for a round. Few departures from a plain order expose most bugs.
 */
import { required } from "../../core/base/assert.ts";
import { Trie } from "../../core/base/trie.ts";
import type { Choices } from "../choices.ts";
import { changePointKey, drawPoints } from "./change-points.ts";
import type { Method } from "./method.ts";
import type { Thread } from "./threads.ts";

interface Memory {
  /** Last scheduled thread; "" before the first. */
  readonly last: Thread;
  readonly taken: Trie<number>;
  readonly met: Trie<true>;
}

/** The departures lie among the first `steps` events of each thread. */
export function delayBounded(
  choices: Choices,
  threads: readonly Thread[],
  deviations: number,
  steps: number,
): Method<Memory> {
  const points = drawPoints(choices, "deviation", threads, deviations, steps);
  return {
    memory: { last: "", taken: Trie.empty(), met: Trie.empty() },
    pick: (ready, before) => {
      let memory = before;
      for (;;) {
        const thread = after(ready, memory.last);
        const number = (memory.taken.get(thread) ?? 0) + 1;
        const place = changePointKey(thread, number);
        memory = { ...memory, last: thread };
        if (!points.has(place) || memory.met.has(place))
          return { thread, memory: { ...memory, taken: memory.taken.set(thread, number) } };
        memory = { ...memory, met: memory.met.set(place, true) };
      }
    },
  };
}

/** Returns the next one by name, and the first again after the last. */
function after(ready: readonly Thread[], last: Thread): Thread {
  const inOrder = ready.toSorted();
  return required(inOrder.find((thread) => thread > last) ?? inOrder[0], "a thread that may go");
}
