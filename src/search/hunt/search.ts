/** One range searched for one variant. */

import type { Bug } from "../../bugs/bug.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Sliced } from "../../run/sliced.ts";
import { look, type Sighting } from "./sighting.ts";
import type { Range, Strategy } from "./strategy.ts";

export interface SearchPlan {
  readonly bug: Bug;
  readonly strategy: Strategy;
  readonly range: Range;
  /** Whether it looks at the whole range, to measure how often the variant is seen; otherwise it ends with the first finding. */
  readonly toEnd: boolean;
  /** Told of the first finding, as soon as it is one. */
  readonly firstFound?: () => void;
}

/** The first detection of a range. */
export interface Finding {
  readonly seed: string;
  readonly sighting: Extract<Sighting, { readonly kind: "found" }>;
}

/** What came of a range: plain data, which threads can send to each other. */
export interface Searched {
  readonly first: Finding | undefined;
  /** Seeds up to the first detection, it included; all that were looked at where there is none. */
  readonly seedsToFirst: number;
  /** All seeds that were looked at, and in how many of them the variant was detected. */
  readonly seeds: number;
  readonly detections: number;
  /** Seeds at which the program broke off, and where first. */
  readonly errors: readonly string[];
  /** Seeds at which it failed by what must not catch it. */
  readonly others: readonly string[];
  /** Seeds at which the real program fails, too: they count neither for nor against the variant. */
  readonly shared: readonly string[];
}

/** Looks at a range, a few events at a time. The seed at which it is stopped does not count. */
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
