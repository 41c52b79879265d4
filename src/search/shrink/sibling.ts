/**
 * Nearest passing scenario: of all single edits that make a failing scenario pass, the one whose run equals the failing
 * one for longest. The divergence of the two runs is decisive for the failure.
 */

import { type Moment, momentsOf } from "../../run/narrative/moments.ts";
import { namesFor } from "../../run/narrative/names.ts";
import { runInSlices } from "../../run/run.ts";
import type { Sliced } from "../../run/sliced.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Failing } from "./attempts.ts";
import { laterMessages, otherSteps } from "./changes.ts";
import { type Difference, firstDifference } from "./difference.ts";
import { MESSAGES_TRIED, MOMENTS_KEPT, RUN_EVENTS } from "./limits.ts";

export interface Sibling extends Failing {
  /** Description of the edit. */
  readonly change: string;
  /** First divergence of the two runs. */
  readonly difference: Difference;
}

/** Result of the search. */
export interface Search {
  /** `undefined` if no tried edit passes. */
  readonly sibling: Sibling | undefined;
  readonly runs: number;
}

interface Seen {
  readonly result: RunResult;
  readonly moments: readonly Moment[];
}

/** Searches the nearest passing scenario; if interrupted, returns the nearest so far. */
export function* nearestPassing(failing: Failing, parser: ScenarioParser): Sliced<Search> {
  const { scenario, seed } = failing;
  const here = yield* seen(failing);
  if (here === undefined) return { sibling: undefined, runs: 1 };
  let nearest: Sibling | undefined;
  let runs = 1;
  // Of the messages the latest that helps is the nearest; of the steps the one whose run diverges last.
  const messages = laterMessages(scenario, here.moments, lastEvent(here.result)).slice(0, MESSAGES_TRIED);
  for (const changes of [messages, otherSteps(scenario)]) {
    for (const { scenario: changed, words } of changes) {
      if (yield) return { sibling: nearest, runs };
      if (!parser.takes(changed)) continue;
      runs += 1;
      const there = yield* seen({ scenario: changed, seed });
      if (there?.result.verdict !== "pass") continue;
      const difference = firstDifference(here.moments, there.moments);
      if (difference === undefined || difference.event <= (nearest?.difference.event ?? -1)) continue;
      nearest = { scenario: changed, seed, change: words, difference };
      if (changes === messages) break;
    }
  }
  return { sibling: nearest, runs };
}

/** Runs a candidate and records its moments; `undefined` if there are too many to compare, or it was interrupted. */
function* seen({ scenario, seed }: Failing): Sliced<Seen | undefined> {
  const { list, listener } = momentsOf(namesFor(scenario), MOMENTS_KEPT);
  const result = yield* runInSlices(scenario, { seed, events: RUN_EVENTS, listener });
  return list.length < MOMENTS_KEPT ? { result, moments: list } : undefined;
}

/** Returns the event of the first violation, or the last event of an aborted run. */
function lastEvent({ violations, steps }: RunResult): number {
  return violations[0]?.step ?? steps;
}
