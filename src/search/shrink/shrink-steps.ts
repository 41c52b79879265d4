/** Removal of steps by delta debugging: large chunks, then smaller ones, then single steps. */

import type { Interruptible } from "../../run/interruptible.ts";
import type { Step } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";

/** Removes steps of one sort while the failure signature stays. */
export function* removeSteps(attempts: Attempts, isOfSort: (step: Step) => boolean): Interruptible<void> {
  let size = Math.ceil(countOf(attempts, isOfSort) / 2);
  while (size >= 1) {
    let from = 0;
    let shrunk = false;
    while (from < countOf(attempts, isOfSort)) {
      if (yield* without(attempts, isOfSort, from, size)) shrunk = true;
      else from += size;
    }
    if (size === 1 && !shrunk) return;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
}

/** Returns true for a step of clients or the operator. */
export function isOperation({ submit, workload, govern }: Step): boolean {
  return submit !== undefined || workload !== undefined || govern !== undefined;
}

/** Returns true for a fault. */
export function isFault(step: Step): boolean {
  return !isOperation(step);
}

function countOf({ best }: Attempts, isOfSort: (step: Step) => boolean): number {
  return (best.scenario.steps ?? []).filter(isOfSort).length;
}

function* without(
  attempts: Attempts,
  isOfSort: (step: Step) => boolean,
  from: number,
  size: number,
): Interruptible<boolean> {
  return yield* attempts.change((scenario) => {
    let place = -1;
    const steps = (scenario.steps ?? []).filter((step) => {
      if (!isOfSort(step)) return true;
      place += 1;
      return place < from || place >= from + size;
    });
    return { ...scenario, steps };
  });
}
