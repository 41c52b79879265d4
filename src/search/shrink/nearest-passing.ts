/**
 * Nearest passing scenario: of all single edits that make a failing scenario pass, the one whose run equals the failing
 * one for longest. The divergence of the two runs is decisive for the failure.
 */

import type { Interruptible } from "../../run/interruptible.ts";
import { labelsFor } from "../../run/narrative/labels.ts";
import { type PartyEvent, partyEventsOf } from "../../run/narrative/party-events.ts";
import { runInSlices } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Failing } from "./attempts.ts";
import { type Difference, firstDifference } from "./difference.ts";
import { delayMessages, editSteps } from "./edits.ts";
import { MESSAGES_TRIED, PARTY_EVENTS_KEPT, RUN_EVENTS } from "./limits.ts";

export interface NearestPassing extends Failing {
  /** Description of the edit. */
  readonly edit: string;
  /** First divergence of the two runs. */
  readonly difference: Difference;
}

/** Result of the search. */
export interface NearestSearch {
  /** `undefined` if no tried edit passes. */
  readonly nearest: NearestPassing | undefined;
  readonly runs: number;
}

interface Seen {
  readonly result: RunResult;
  readonly moments: readonly PartyEvent[];
}

/** Searches the nearest passing scenario; if interrupted, returns the nearest so far. */
export function* nearestPassing(failing: Failing, parser: ScenarioParser): Interruptible<NearestSearch> {
  const { scenario, seed } = failing;
  const here = yield* seen(failing);
  if (here === undefined) return { nearest: undefined, runs: 1 };
  let nearest: NearestPassing | undefined;
  let runs = 1;
  // Of the messages the latest that helps is the nearest; of the steps the one whose run diverges last.
  const messages = delayMessages(scenario, here.moments, lastEvent(here.result)).slice(0, MESSAGES_TRIED);
  for (const changes of [messages, editSteps(scenario)]) {
    for (const { scenario: changed, text: words } of changes) {
      if (yield) return { nearest: nearest, runs };
      if (!parser.takes(changed)) continue;
      runs += 1;
      const there = yield* seen({ scenario: changed, seed });
      if (there?.result.verdict !== "pass") continue;
      const difference = firstDifference(here.moments, there.moments);
      if (difference === undefined || difference.event <= (nearest?.difference.event ?? -1)) continue;
      nearest = { scenario: changed, seed, edit: words, difference };
      if (changes === messages) break;
    }
  }
  return { nearest: nearest, runs };
}

/** Runs a candidate and records its moments; `undefined` if there are too many to compare, or it was interrupted. */
function* seen({ scenario, seed }: Failing): Interruptible<Seen | undefined> {
  const { list, listener } = partyEventsOf(labelsFor(scenario), PARTY_EVENTS_KEPT);
  const result = yield* runInSlices(scenario, { seed, events: RUN_EVENTS, listener });
  return list.length < PARTY_EVENTS_KEPT ? { result, moments: list } : undefined;
}

/** Returns the event of the first violation, or the last event of an aborted run. */
function lastEvent({ violations, steps }: RunResult): number {
  return violations[0]?.step ?? steps;
}
