/**
 * The nearest scenario that passes: of all single changes that let a failing scenario pass, the one under which the run
 * goes on like the failing one for longest. Where the two runs part is what the failure hangs on.
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
  /** The single change, in words. */
  readonly change: string;
  /** Where the two runs part first. */
  readonly difference: Difference;
}

/** What came of the search. */
export interface Search {
  /** `undefined`: no change that was tried passes. */
  readonly sibling: Sibling | undefined;
  readonly runs: number;
}

interface Seen {
  readonly result: RunResult;
  readonly moments: readonly Moment[];
}

/** Looks for the nearest scenario that passes; ends early, with the nearest so far, where somebody stops it. */
export function* nearestPassing(failing: Failing, parser: ScenarioParser): Sliced<Search> {
  const { scenario, seed } = failing;
  const here = yield* seen(failing);
  if (here === undefined) return { sibling: undefined, runs: 1 };
  let nearest: Sibling | undefined;
  let runs = 1;
  // Of messages the latest that helps is the nearest; of steps whichever lets the run go on for longest.
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

/** A run with its moments; `undefined` of one that has too many to compare, or was stopped. */
function* seen({ scenario, seed }: Failing): Sliced<Seen | undefined> {
  const { list, listener } = momentsOf(namesFor(scenario), MOMENTS_KEPT);
  const result = yield* runInSlices(scenario, { seed, events: RUN_EVENTS, listener });
  return list.length < MOMENTS_KEPT ? { result, moments: list } : undefined;
}

/** The event in which the first violation was seen; the last one of a run that broke off. */
function lastEvent({ violations, steps }: RunResult): number {
  return violations[0]?.step ?? steps;
}
