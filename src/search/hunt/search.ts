/** Search of one range for one variant. */

import type { Bug } from "../../bugs/bug.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Sliced } from "../../run/sliced.ts";
import { look, type Sighting } from "./sighting.ts";
import type { Range, Strategy } from "./strategy.ts";

export interface SearchPlan {
  readonly bug: Bug;
  readonly strategy: Strategy;
  readonly range: Range;
  /** True to search the whole range and measure the detection rate; false to end with the first detection. */
  readonly toEnd: boolean;
  /** Called at the first detection. */
  readonly firstFound?: () => void;
}

/** First detection of a range. */
export interface Finding {
  readonly seed: string;
  readonly sighting: Extract<Sighting, { readonly kind: "found" }>;
}

/** Result of a range: plain data for the transfer between threads. */
export interface Searched {
  readonly first: Finding | undefined;
  /** Seeds up to and including the first detection; all seeds if there is none. */
  readonly seedsToFirst: number;
  /** All seeds that were run, and detections among them. */
  readonly seeds: number;
  readonly detections: number;
  /** Seeds of runs that an assertion aborted, with the first message. */
  readonly errors: readonly string[];
  /** Seeds of failures by invariants that must not catch the variant. */
  readonly others: readonly string[];
  /** Seeds at which the real program fails too: they count neither for nor against the variant. */
  readonly shared: readonly string[];
}

/** Searches a range in slices of a few events. A seed that is stopped inside does not count. */
export function* search({ bug, strategy, range, toEnd, firstFound }: SearchPlan): Sliced<Searched> {
  let first: Finding | undefined;
  let [seeds, seedsToFirst, detections] = [0, 0, 0];
  const errors: string[] = [];
  const others: string[] = [];
  const shared: string[] = [];
  for (let place = 0; place < range.budget && (toEnd || first === undefined); place++) {
    const seed = String(range.first + BigInt(place));
    const looking = look(bug, seed, strategy.profile);
    let slice = looking.next();
    while (slice.done !== true) {
      if (yield) return { first, seedsToFirst, seeds, detections, errors, others, shared };
      slice = looking.next(false);
    }
    seeds += 1;
    if (first === undefined) seedsToFirst = seeds;
    const sighting = slice.value;
    switch (sighting.kind) {
      case "unseen":
        break;
      case "found":
        detections += 1;
        if (first === undefined) firstFound?.();
        first ??= { seed, sighting };
        break;
      case "error":
        errors.push(sighting.where);
        break;
      case "other":
        others.push(sighting.where);
        break;
      case "real":
        shared.push(sighting.where);
        break;
      default:
        unreachable(sighting);
    }
  }
  return { first, seedsToFirst, seeds, detections, errors, others, shared };
}
