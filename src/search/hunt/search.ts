/** Search of one range for one variant. */

import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { type Detection, examine } from "./detection.ts";
import type { SearchMethod, SeedRange } from "./search-method.ts";

export interface SearchPlan {
  readonly bug: KnownBadVariant;
  readonly strategy: SearchMethod;
  readonly range: SeedRange;
  /** True to search the whole range and measure the detection rate; false to end with the first detection. */
  readonly toEnd: boolean;
  /** Called at the first detection. */
  readonly firstFound?: () => void;
}

/** First detection of a range. */
export interface Detected {
  readonly seed: string;
  readonly detection: Extract<Detection, { readonly kind: "found" }>;
}

/** Result of a range: plain data for the transfer between threads. */
export interface RangeResult {
  readonly first: Detected | undefined;
  /** Seeds up to and including the first detection; all seeds if there is none. */
  readonly seedsToFirst: number;
  /** All seeds that were run, and detections among them. */
  readonly seeds: number;
  readonly detections: number;
  /** Seeds of runs that an assertion aborted, with the first message. */
  readonly errors: readonly string[];
  /** Seeds of failures by invariants that must not catch the variant. */
  readonly otherFailures: readonly string[];
  /** Seeds at which the real program fails too: they count neither for nor against the variant. */
  readonly realFailures: readonly string[];
}

/** Searches a range in slices of a few events. A seed that is stopped inside does not count. */
export function* search({ bug, strategy, range, toEnd, firstFound }: SearchPlan): Interruptible<RangeResult> {
  let first: Detected | undefined;
  let [seeds, seedsToFirst, detections] = [0, 0, 0];
  const errors: string[] = [];
  const others: string[] = [];
  const shared: string[] = [];
  for (let place = 0; place < range.budget && (toEnd || first === undefined); place++) {
    const seed = String(range.first + BigInt(place));
    const looking = examine(bug, seed, strategy.profile);
    let slice = looking.next();
    while (slice.done !== true) {
      if (yield) return { first, seedsToFirst, seeds, detections, errors, otherFailures: others, realFailures: shared };
      slice = looking.next(false);
    }
    seeds += 1;
    if (first === undefined) seedsToFirst = seeds;
    const detection = slice.value;
    switch (detection.kind) {
      case "unseen":
        break;
      case "found":
        detections += 1;
        if (first === undefined) firstFound?.();
        first ??= { seed, detection };
        break;
      case "error":
        errors.push(detection.where);
        break;
      case "other":
        others.push(detection.where);
        break;
      case "real":
        shared.push(detection.where);
        break;
      default:
        unreachable(detection);
    }
  }
  return { first, seedsToFirst, seeds, detections, errors, otherFailures: others, realFailures: shared };
}
